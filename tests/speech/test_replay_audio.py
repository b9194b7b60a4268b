"""`companion replay --audio`: The Nasty 7 and Bugs & Co judged from a recording of the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from voice_takes import take, track

from companion.commands.replay import command, replayed
from companion.commands.replay_audio import replayed_recording
from companion.core.errors import CompanionError, Unreadable, UsageError
from companion.speech.audio.wav import write_wav

HEADER = {"game": "nasty_7", "players": ["Ida", "Jo", "Kai"], "settings": {"deck_size": 30}}
LEAD = 0.15
"""The takes begin with so much silence (seconds)."""


def card(player: str, kind: str, t: float) -> dict[str, Any]:
    return {"event": "card_played", "player": player, "card": kind, "t": t}


def recording(folder: Path, seconds: float, said: list[tuple[float, str, str]]) -> Path:
    """A WAV in which (onset, voice, call) are heard."""
    file = folder / "table.wav"
    write_wav(file, track(seconds, [(at - LEAD, take(voice, call)) for at, voice, call in said]))
    return file


def true_calls(said: list[tuple[float, str, str]]) -> list[str]:
    """The script of the answers: what was really said."""
    calls = [{"event": "heard", "words": call.split(), "start": at, "end": at + 0.4} for at, _, call in said]
    return [json.dumps(HEADER), *map(json.dumps, calls)]


def verdicts(
    header: dict[str, Any],
    events: list[dict[str, Any]],
    wav: Path,
    said: list[tuple[float, str, str]] | None = None,
) -> list[tuple[str, str]]:
    answers: list[str | None] | None = None if said is None else [*true_calls(said)]
    record, _ = replayed([json.dumps(header), *map(json.dumps, events)], wav, answers)
    return [(v["player"], v["verdict"]) for v in record.result()["verdicts"]]


def merged_events(header: dict[str, Any], events: list[dict[str, Any]], wav: Path) -> list[dict[str, Any]]:
    record, _ = replayed_recording(header, events, wav)
    return [dict(entry.event) for entry in record.entries]


def test_the_printed_example_from_sound(tmp_path: Path) -> None:
    events = [
        card("Ida", "racketeer", 1.0),
        card("Jo", "racketeer", 3.0),
        card("Kai", "phone", 5.0),
        card("Ida", "racketeer", 7.0),
        card("Jo", "gun", 9.0),
        card("Kai", "racketeer", 10.5),
        card("Ida", "twin_racketeer", 12.5),
    ]
    said = [
        (1.6, "ada", "one"),
        (3.5, "ben", "two"),
        (5.7, "cleo", "hmmrrr"),
        (7.6, "ada", "four"),
        (11.1, "cleo", "six"),
        (13.0, "ada", "seven six"),
    ]
    wav = recording(tmp_path, 16.0, said)
    assert verdicts(HEADER, events, wav) == [
        ("Ida", "correct"), ("Jo", "correct"), ("Kai", "correct"), ("Ida", "correct"), ("Jo", "correct"),
        ("Kai", "correct"), ("Ida", "correct"),
    ]  # fmt: skip


def test_the_scripts_own_words_are_replaced_by_those_that_were_said(tmp_path: Path) -> None:
    written = {"event": "heard", "words": ["three"], "start": 1.5, "end": 2.0}
    wav = recording(tmp_path, 4.0, [(1.6, "ben", "one")])
    merged = merged_events(HEADER, [card("Ida", "racketeer", 1.0), written], wav)
    assert [event["event"] for event in merged] == ["card_played", "heard"]
    assert merged[1]["words"] == ["one"]
    assert abs(merged[1]["start"] - 1.6) < 0.08
    assert merged[1]["end"] > merged[1]["start"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([(1.6, "ada", "five")], [("Ida", "wrong_number")]),
        ([(1.6, "ada", "hmmrrr")], [("Ida", "wrong_sound")]),
        ([(1.6, "ada", "one two")], [("Ida", "wrong_number")]),
        ([(4.3, "ada", "one")], [("Ida", "too_late")]),
        ([(3.85, "ada", "one")], [("Ida", "correct")]),
        ([], [("Ida", "too_late")]),
    ],
    ids=["wrong number", "wrong sound", "too much", "hesitated", "begun in time, ended late", "silence"],
)
def test_mistakes_are_judged_by_the_time_of_the_samples(
    tmp_path: Path, said: list[tuple[float, str, str]], expected: list[tuple[str, str]]
) -> None:
    events = [card("Ida", "racketeer", 1.0), {"event": "time_passed", "t": 6.0}]
    found = verdicts(HEADER, events, recording(tmp_path, 7.0, said), said)
    assert [v for v in found if v[0] == "Ida"][:1] == expected


def test_words_on_a_gun_are_asked_about_unless_they_are_certain(tmp_path: Path) -> None:
    events = [card("Ida", "racketeer", 1.0), card("Jo", "gun", 3.0)]
    said = [(1.5, "ada", "one"), (3.6, "ben", "two")]
    wav = recording(tmp_path, 6.0, said)
    answered = verdicts(HEADER, events, wav, said)
    assert answered == [("Ida", "correct"), ("Jo", "should_be_silent")]
    _, asked = replayed([json.dumps(HEADER), *map(json.dumps, events)], wav)
    assert [(one.player, one.heard, one.right) for one in asked] in ([], [("Jo", ("two",), ())])


def test_the_command_prints_what_the_table_would_ask(tmp_path: Path) -> None:
    events = [card("Ida", "racketeer", 1.0), {"event": "time_passed", "t": 6.0}]
    said = [(1.6, "ada", "hmmrrr")]
    wav = recording(tmp_path, 7.0, said)
    script, truth = tmp_path / "game.jsonl", tmp_path / "truth.jsonl"
    script.write_text("\n".join(map(json.dumps, [HEADER, *events])))
    truth.write_text("\n".join(true_calls(said)))
    wanted = [str(script), "--audio", str(wav), "--json"]
    believed = json.loads(CliRunner().invoke(command, wanted).output)
    assert [(one["player"], one["right"]) for one in believed["asked"]] == [("Ida", ["one"])]
    assert abs(believed["asked"][0]["t"] - 1.6) < 0.08
    assert believed["verdicts"][0]["verdict"] == "correct"
    answered = json.loads(CliRunner().invoke(command, [*wanted, "--answers", str(truth)]).output)
    assert answered["verdicts"][0]["verdict"] == "wrong_sound"
    refused = CliRunner().invoke(command, [str(script), "--answers", str(truth)])
    assert "--answers" in str(refused.exception)


def test_a_recording_without_a_call_is_said_to_have_none(tmp_path: Path) -> None:
    script = tmp_path / "game.jsonl"
    script.write_text("\n".join(map(json.dumps, [HEADER, card("Ida", "racketeer", 1.0)])))
    for said, noted in (([], True), ([(1.6, "ada", "one")], False)):
        wav = recording(tmp_path, 4.0, said)
        told = CliRunner().invoke(command, [str(script), "--audio", str(wav)])
        assert told.exit_code == 0
        assert ("no call was heard" in told.output) == noted


def test_a_twin_may_be_called_in_two_breaths(tmp_path: Path) -> None:
    events = [card("Ida", "twin_racketeer", 1.0), {"event": "time_passed", "t": 5.0}]
    wav = recording(tmp_path, 7.0, [(1.5, "ada", "one"), (3.2, "ada", "two")])
    assert verdicts(HEADER, events, wav)[0] == ("Ida", "correct")


def test_the_countdown_of_bugs_and_co(tmp_path: Path) -> None:
    header = {"game": "bugs_and_co", "players": ["Ida", "Jo"], "settings": {}}
    events = [
        {"event": "game_started", "t": 0.0},
        {"event": "trophy_taken", "player": "Jo", "value": 3, "t": 0.5},
    ]
    calls = ["seven", "six", "five", "four", "three", "two", "one"]
    said = [(1.0 + i, "ada", call) for i, call in enumerate(calls)]
    merged = merged_events(header, events, recording(tmp_path, 9.0, said))
    assert [word for e in merged if e["event"] == "heard" for word in e["words"]] == calls


def test_bad_scripts_and_recordings_say_what_is_wrong(tmp_path: Path) -> None:
    wav = recording(tmp_path, 2.0, [])
    with pytest.raises(CompanionError, match="bad_game"):
        replayed_recording({"game": "whist"}, [], wav)
    silent = {"game": "seven_merry_monsters", "players": ["a", "b", "c"]}
    with pytest.raises(UsageError, match="no calls"):
        replayed_recording(silent, [], wav)
    with pytest.raises(Unreadable, match="missing"):
        replayed_recording(HEADER, [], tmp_path / "missing.wav")

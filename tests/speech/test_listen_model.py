"""The committed model in real Vosk: recorded calls, whole and live."""

from __future__ import annotations

import doctest
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from voice_takes import CALLS, room, take, track

from companion.core.call_policy import DEFAULT
from companion.core.errors import Unavailable, UsageError
from companion.core.observations import LATEST_SOUND, HeardWord, Listened, Utterance
from companion.core.weighing import EVEN, CallDue, WeighedCall
from companion.speech.audio.wav import RATE, read_wav
from companion.speech.model import grammar, models
from companion.speech.recognition import calls, offline, recogniser
from companion.speech.recognition.call_posterior import CallProbabilities

INDEX = json.loads((CALLS / "index.json").read_text())
ENGLISH = grammar.language("en")


def listening(path: Path, *words: str) -> tuple[str, ...]:
    return grammar.with_competing_words(words or ENGLISH.calls(), models.vocabulary(path), ENGLISH)


def live(ear: recogniser.Listener, samples: Any, start: float = 0.0, block: int = 320) -> list[Any]:
    told: list[Any] = []
    for at in range(0, samples.size, block):
        told += ear.feed(samples[at : at + block], start + at / RATE)
    return told


def said(told: list[Any]) -> list[str]:
    return [word.word for one in told if isinstance(one, Utterance) for word in one.words]


@pytest.mark.parametrize("entry", INDEX, ids=lambda e: e["file"])
def test_every_recorded_call_is_heard_as_it_is_meant(
    english: Path, opened: Any, entry: dict[str, Any]
) -> None:
    left_out = grammar.competing_words(ENGLISH.calls(), models.vocabulary(english))
    words = offline.recognise(read_wav(CALLS / entry["file"]), opened, listening(english), left_out)
    assert [word.word for word in words] == entry["words"]
    assert abs(words[0].start - entry["start"]) < 0.13
    assert all(0.5 < word.confidence <= 1.0 for word in words)


@pytest.mark.parametrize("block", [37, 320, 1000, 16000])
def test_blocks_of_any_size_give_the_same_calls_at_the_right_time(
    english: Path, opened: Any, block: int
) -> None:
    sound = track(
        8.0, [(1.0, take("ada", "one")), (3.0, take("ben", "hmmrrr")), (5.5, take("cleo", "two three"))]
    )
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    told = live(ear, sound, 5000.0, block)
    assert said(told) == ["one", "hmmrrr", "two", "three"]
    starts = [one.start for one in told if isinstance(one, Utterance)]
    expected = [5001.15, 5003.15, 5005.65]
    assert all(abs(a - b) < 0.15 for a, b in zip(starts, expected, strict=True))


def test_the_watermark_never_passes_a_call_and_does_not_fall_behind(english: Path, opened: Any) -> None:
    sound = track(
        30.0, [(2.0 + 4.0 * i, take("ada", w)) for i, w in enumerate(("one", "six", "four", "seven"))]
    )
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    mark, now, lag = 0.0, 0.0, []
    for at in range(0, sound.size, 320):
        now = (at + 320) / RATE
        for told in ear.feed(sound[at : at + 320], at / RATE):
            if isinstance(told, Listened):
                assert told.t >= mark
                mark = told.t
            else:
                assert told.start >= mark
        lag.append(now - mark)
    assert np.median(lag) < 0.25
    assert max(lag) < 1.6


def test_a_call_is_reported_soon_after_its_end(english: Path, opened: Any) -> None:
    sound = track(4.0, [(1.0, take("ben", "five"))])
    end = 1.0 + next(e["end"] for e in INDEX if e["file"] == "ben/five.wav")
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    for at in range(0, sound.size, 320):
        if said(ear.feed(sound[at : at + 320], at / RATE)):
            assert (at + 320) / RATE - end < 0.5
            return
    pytest.fail("five was not heard")


def test_another_grammar_hears_other_words(english: Path, opened: Any) -> None:
    sound = track(3.0, [(1.0, take("ada", "four"))])
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    ear.expect(["stop", "ten"])
    assert "four" not in said(live(ear, sound) + ear.flush())
    ear.expect()
    assert said(live(ear, sound, 10.0) + ear.flush()) == ["four"]


def test_a_gap_in_the_sound_ends_the_utterance_and_the_time_goes_on(english: Path, opened: Any) -> None:
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    first = live(ear, track(2.0, [(0.5, take("ada", "three"))]), 100.0)
    told = first + live(ear, track(2.0, [(0.5, take("ada", "six"))]), 160.0) + ear.flush()
    utterances = [one for one in told if isinstance(one, Utterance)]
    assert said(told) == ["three", "six"]
    assert [round(u.start) for u in utterances] == [101, 161]


def test_long_silence_costs_no_memory(english: Path, opened: Any) -> None:
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    quiet = room(10.0)
    held = []
    for turn in range(3):
        assert said(live(ear, quiet, turn * 10.0, 1600)) == []
        held.append(sum(v.size for v in vars(ear).values() if isinstance(v, np.ndarray)))
    assert max(held) <= RATE


def weighed(ear: recogniser.Listener, reports: Iterable[Any], due: str) -> list[WeighedCall]:
    return [ear.weigh(one, CallDue(((due,),))) for one in reports if isinstance(one, Utterance)]


def test_the_listener_leans_towards_the_right_call_only(english: Path, opened: Any) -> None:
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    reports = live(ear, track(3.0, [(1.0, take("ben", "four"))])) + ear.flush()
    (found,) = weighed(ear, reports, "five")
    assert (found.said, found.right < 0.1) == (("four",), True)


def test_a_sound_is_weighed_against_what_is_due_whenever_that_is_known(english: Path, opened: Any) -> None:
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    reports = live(ear, track(3.0, [(1.0, take("ben", "four"))])) + ear.flush()
    for due, right in (("six", False), ("four", True), ("five", False)):
        (found,) = weighed(ear, reports, due)
        assert (found.right > 0.5) is right


def test_a_throat_sound_is_a_call_only_where_one_is_due(english: Path, opened: Any) -> None:
    """Music and coughs are taken for it: elsewhere it neither accuses nor is asked about."""
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    reports = live(ear, track(3.0, [(1.0, take("cleo", "hmmrrr"))])) + ear.flush()
    (sound,) = (one for one in reports if isinstance(one, Utterance))
    right = ear.weigh(sound, CallDue((("hmmrrr",),)))
    assert (right.said, right.right > 0.9) == (("hmmrrr",), True)
    assert ear.weigh(sound, CallDue(learn="sound 2")).said == ("hmmrrr",)
    for due in (CallDue((("four",),)), CallDue(silent=True)):
        elsewhere = ear.weigh(sound, due)
        assert (elsewhere.words, elsewhere.wrong, elsewhere.right < 0.5) == ((), 0.0, True)


@pytest.mark.parametrize(("wrong", "learned"), [(0.4, True), (0.6, False)])
def test_a_known_word_is_invented_anew_only_if_it_rather_was_none(
    english: Path, opened: Any, wrong: float, learned: bool
) -> None:
    ear = recogniser.Listener(
        english, ENGLISH.calls(), opened=opened, judge=lambda evidence: CallProbabilities(0.0, wrong)
    )
    reports = live(ear, track(3.0, [(1.0, take("ben", "four"))])) + ear.flush()
    (sound,) = (one for one in reports if isinstance(one, Utterance))
    found = ear.weigh(sound, CallDue(learn="sound 2"))
    assert found.said == (("sound 2",) if learned else ("four",))


def test_a_sound_that_is_kept_from_after_its_reported_start_is_weighed(english: Path, opened: Any) -> None:
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    reports = live(ear, track(3.0, [(1.0, take("ben", "four"))])) + ear.flush()
    (said,) = (one for one in reports if isinstance(one, Utterance))
    early = replace(said, start=said.start - 0.6)
    assert ear.weigh(early, CallDue((("four",),))).right > 0.9
    another = replace(said, start=said.start + 60.0, end=said.end + 60.0)
    assert ear.weigh(another, CallDue((("four",),))).right <= EVEN, "a number of an earlier listener"


def test_a_number_no_louder_than_the_talk_in_the_room_accuses_nobody(english: Path, opened: Any) -> None:
    talk = [(0.5 + 0.7 * place, take("ben", word)) for place, word in enumerate(["six", "two", "one"] * 3)]
    wrong = []
    for before in (talk, []):
        ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
        reports = live(ear, track(9.5, [*before, (8.0, take("cleo", "five"))])) + ear.flush()
        latest = [one for one in reports if isinstance(one, Utterance)][-1]
        found = ear.weigh(latest, CallDue((("four",),)))
        assert found.said == ("five",)
        wrong.append(found.wrong)
    assert wrong[0] < 1.0 - 1.0 / DEFAULT.accusation <= wrong[1]


def test_a_sound_that_is_not_kept_any_more_is_doubtful(english: Path, opened: Any) -> None:
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    old = Utterance((HeardWord("seven", 1.0, 1.4, 0.0),), 1.0, 1.4, 0.0, sound=7)
    assert ear.weigh(old, CallDue((("six",),))).wrong == EVEN


def test_the_latest_seconds_are_weighed_as_a_whole(english: Path, opened: Any) -> None:
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    live(ear, track(3.0, [(1.0, take("ben", "four"))]))
    whole = Utterance((), 0.2, 2.8, 0.0, sound=LATEST_SOUND)
    assert ear.weigh(whole, CallDue((("four",),))).right > 0.9
    assert ear.weigh(whole, CallDue((("five",),))).right < 0.1


def test_what_is_left_of_a_call_that_lost_sound_accuses_nobody(english: Path, opened: Any) -> None:
    sound = track(3.0, [(1.0, take("ben", "seven"))])
    loud = np.flatnonzero(np.abs(sound) > 0.1 * np.abs(sound).max())
    whole = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    (accused,) = weighed(whole, live(whole, sound) + whole.flush(), "six")
    assert (accused.said, accused.wrong > 0.92) == (("seven",), True)
    for share in (0.3, 0.5, 0.7):
        cut = int(loud[0] + share * (loud[-1] - loud[0]))
        ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
        after = live(ear, sound[:cut]) + live(ear, sound[cut + 800 :], (cut + 8000) / RATE) + ear.flush()
        pieces = weighed(ear, after, "six")
        assert pieces
        assert all(one.wrong <= EVEN for one in pieces)


@pytest.mark.parametrize(
    ("wanted", "says"), [(["purple"], "does not know 'purple'"), ([" "], "no words")], ids=["unknown", "none"]
)
def test_words_that_cannot_be_listened_for(english: Path, wanted: list[str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        recogniser.Listener(english, wanted)


def test_too_slow_a_microphone_is_refused(english: Path, opened: Any) -> None:
    with pytest.raises(UsageError, match="8000"):
        recogniser.Listener(english, ["one"], 8000, opened=opened)


def test_a_missing_or_incomplete_model_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="no speech model"):
        models.find_model("tlh")
    with pytest.raises(Unavailable, match=r"am/final\.mdl is missing"):
        models.find_model(folder=tmp_path)


def test_a_damaged_model_is_refused(tmp_path: Path, english: Path) -> None:
    for name in ("am/final.mdl", "conf/model.conf", "conf/mfcc.conf", "graph/words.txt", "graph/Gr.fst"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((english / name).read_bytes())
    (tmp_path / "graph/HCLr.fst").write_bytes(b"not a graph")
    with pytest.raises(Unavailable, match="cannot open"):
        models.open_model(tmp_path)


def test_the_language_and_the_model_agree(english: Path) -> None:
    known = models.vocabulary(english)
    assert {*ENGLISH.numbers, *ENGLISH.commands, ENGLISH.throat, *ENGLISH.unreported} == known
    with pytest.raises(Unavailable, match="no language"):
        grammar.language("xx")


def test_calls_are_parted_by_pauses() -> None:
    from companion.core.observations import HeardWord

    words = [
        HeardWord("two", 1.0, 1.3, 0.9),
        HeardWord("three", 1.6, 2.0, 0.7),
        HeardWord("six", 2.6, 3.0, 1.0),
    ]
    found = calls.group(words)
    assert [call.said for call in found] == [("two", "three"), ("six",)]
    assert (found[0].start, found[0].end, found[0].confidence) == (1.0, 2.0, 0.7)


def talk(seconds: float, level: float) -> Any:
    """Four people talking at once of nothing: calls played backwards, without a pause."""
    rng, total = np.random.default_rng(8), np.zeros(int(seconds * RATE))
    files = [read_wav(CALLS / entry["file"])[::-1].astype(np.float64) for entry in INDEX]
    for _ in range(4):
        line = np.concatenate([files[int(rng.integers(len(files)))] for _ in range(int(3 * seconds) + 3)])
        total += line[: total.size]
    return total / np.sqrt((total**2).mean()) * level


def test_a_call_is_told_soon_where_people_talk_all_the_time(english: Path, opened: Any) -> None:
    call = take("ada", "five").astype(np.float64)
    loud = np.sqrt((call[np.abs(call) > 0.1 * np.abs(call).max()] ** 2).mean())
    sound = talk(6.0, loud * 10 ** (-18 / 20))
    sound[3 * RATE : 3 * RATE + call.size] += call
    ear = recogniser.Listener(english, ENGLISH.calls(), opened=opened)
    samples, at = np.clip(sound, -32768, 32767).astype(np.int16), None
    for first in range(0, samples.size, 320):
        heard = ear.feed(samples[first : first + 320], first / RATE)
        told = [one for one in heard if isinstance(one, Utterance)]
        if any(word.word == "five" for one in told for word in one.words):
            at = first / RATE
            break
    assert at is not None
    assert at < 3.0 + call.size / RATE + 0.5


def test_the_example_of_the_listener_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CALLS.parents[2])
    assert doctest.testmod(recogniser, raise_on_error=True).attempted > 0

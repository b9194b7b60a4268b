"""Two journals of one evening: what counts as the same, and how a difference is told."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from companion.core.observations import HeardWord, Landing, Sighting, Utterance
from companion.recording.reader import JudgedGame
from companion.relive.compare import compared
from companion.relive.player import SenseReport
from companion.relive.truth import SenseTruth, truth
from companion.relive.words import Clues, written
from companion.store.rows import GameRow, Line
from companion.table.record import opened

BEGAN = datetime(2026, 3, 1, 20, tzinfo=UTC)
PICTURE_S = 1 / 15
CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))

GAME = GameRow(1, "key", 1, "nasty_7", ["Ida", "Jo"], {"deck_size": 12}, BEGAN.isoformat())


def played(t: float, player: str, card: str, source: str = "camera") -> tuple[dict[str, Any], str]:
    return {"event": "card_played", "player": player, "t": t, "card": card}, source


def heard(t: float, *words: str) -> tuple[dict[str, Any], str]:
    return {"event": "heard", "words": list(words), "start": t, "end": t + 0.5}, "microphone"


def judged(*events: tuple[dict[str, Any], str]) -> JudgedGame:
    """The journal of these events."""
    record = opened(GAME.header())
    lines = []
    for n, (event, source) in enumerate(events, 1):
        t = event.get("t", event.get("end", 99.0)) + 0.3
        entry = record.push(event)
        at = (BEGAN + timedelta(seconds=t)).isoformat(timespec="milliseconds")
        lines.append(Line(n, n, t, at, source, event, entry.code))
    return JudgedGame(GAME, tuple(lines))


LIVE = (played(2.0, "Ida", "racketeer"), heard(2.8, "one"), played(6.0, "Jo", "gun"))


def kinds(live: JudgedGame, relived: JudgedGame, **more: Any) -> list[str]:
    (game,) = compared([live], [relived], PICTURE_S, **more)
    return [one.kind for one in game.differences]


def shifted(by: float, *events: tuple[dict[str, Any], str]) -> list[tuple[dict[str, Any], str]]:
    return [
        ({k: v + by if k in ("t", "start", "end") else v for k, v in event.items()}, source)
        for event, source in events
    ]


def test_the_same_journal_is_the_same() -> None:
    (game,) = compared([judged(*LIVE)], [judged(*LIVE)], PICTURE_S)
    assert game.differences == ()
    assert (game.live_events, game.relived_events) == (3, 3)


@pytest.mark.parametrize(
    ("relived", "expected"),
    [
        ((played(2.0, "Ida", "phone"), *LIVE[1:]), ["changed", "verdict", "refused"]),
        (LIVE[:2], ["missing"]),
        ((*LIVE, heard(9.0, "one")), ["added"]),
        ((LIVE[0], LIVE[2]), ["missing", "refused"]),
        ((LIVE[0], heard(2.8, "two"), LIVE[2]), ["changed", "refused"]),
        ((LIVE[0], heard(5.2, "one"), LIVE[2]), ["verdict", "refused"]),
        ((LIVE[0], LIVE[1], played(6.0 + 1.5 * PICTURE_S, "Jo", "gun")), ["time"]),
        ((LIVE[0], LIVE[1], played(6.0 + 0.9 * PICTURE_S, "Jo", "gun")), []),
    ],
)
def test_each_kind_of_difference(relived: Any, expected: list[str]) -> None:
    found = kinds(judged(*LIVE), judged(*relived))
    assert found == expected, "a wrong call ends the round, and then it is not Jo's turn"


def test_a_game_that_began_later_on_a_busy_machine_is_the_same() -> None:
    assert kinds(judged(*LIVE), judged(*shifted(0.3, *LIVE))) == []
    assert kinds(judged(*LIVE), judged(*shifted(0.7, *LIVE)))[0] == "time"


def test_a_time_that_was_shifted_once_is_one_difference() -> None:
    more = (*LIVE, played(7.0, "Ida", "gun"), played(9.0, "Jo", "gun"))
    relived = (*LIVE, *shifted(0.4, *more[3:]))
    assert kinds(judged(*more), judged(*relived)) == ["time"]


def test_a_game_that_one_side_did_not_have() -> None:
    (game,) = compared([judged(*LIVE)], [], PICTURE_S)
    assert [one.kind for one in game.differences] == ["missing"] * 3
    assert game.scores_live != game.scores_relived == {}


def test_what_was_judged_while_the_recording_was_cut_off_does_not_count() -> None:
    until = BEGAN + timedelta(seconds=5.0)
    assert kinds(judged(*LIVE), judged(*LIVE[:2]), until=until) == []
    assert kinds(judged(*LIVE), judged(LIVE[0], LIVE[2]), until=until) == ["missing", "refused"]


def test_differences_are_told_as_a_person_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    __import__("time").tzset()
    words = (HeardWord("one", 2.8, 3.3, 0.9),)
    live = [
        SenseReport(102.1, Landing(102.0, "pile", Sighting("racketeer", 0.97, CORNERS))),
        SenseReport(103.4, Utterance(words, 102.8, 103.3, 0.9)),
    ]
    relived = [SenseReport(102.1, Landing(102.0, "pile", Sighting("phone", 0.61, CORNERS)))]
    games = compared([judged(*LIVE)], [judged(played(2.0, "Ida", "phone"), LIVE[2])], PICTURE_S)
    lines = written(games, Clues(live, 100.0, BEGAN), Clues(relived, 100.0, BEGAN))
    assert lines == [
        "The Nasty 7 (Ida, Jo): 3 events, 3 different",
        "  20:00:02  live: Ida played racketeer (confidence 0.97); "
        "relived: Ida played phone (confidence 0.61)",
        "  20:00:03  live: “one” was heard (confidence 0.90), Ida was right; relived: nothing",
        "  20:00:06  live: Jo played gun; relived: Jo played gun, Ida said nothing before the next card",
    ] or lines[1:3] == [
        "  20:00:02  live: Ida played racketeer (confidence 0.97); "
        "relived: Ida played phone (confidence 0.61)",
        "  20:00:03  live: “one” was heard (confidence 0.90), Ida was right; relived: nothing",
    ]


def test_what_the_table_said_is_the_truth() -> None:
    amended = ({"event": "amended", "n": 1, "replacement": played(2.0, "Ida", "racketeer")[0]}, "phone")
    events = (
        played(2.0, "Ida", "phone"),
        heard(2.8, "one"),
        played(6.0, "Jo", "gun"),
        amended,
        played(9.0, "Jo", "gun"),
        played(9.5, "Ida", "gun"),
        ({"event": "undone"}, "phone"),
    )
    found = truth([judged(*events)], [()], frozenset({3}))
    assert found == (
        SenseTruth("camera", right=0, corrected=2, asked=1, refused=1),
        SenseTruth("microphone", right=1, corrected=0, asked=0, refused=0),
    )
    assert [one.events for one in found] == [4, 1]

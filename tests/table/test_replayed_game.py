"""A game of the journal, played again with the state after each of its entries."""

from typing import Any

import pytest

from companion.games import game_named
from companion.store.rows import GameRow, Line
from companion.table.record import opened
from companion.table.replayed_game import ReplayedGame

PLAYERS = ["Ida", "Jo", "Kai"]
UNDONE = {"event": "undone"}


def replayed(game: str, *events: dict[str, Any]) -> ReplayedGame:
    row = GameRow(7, "key", 1, game, PLAYERS, {}, "2026-11-21T19:00:00.000+00:00")
    record = opened(row.header())
    lines = []
    for n, event in enumerate(events, 1):
        code = record.push(event).code
        lines.append(Line(n, n, n * 2.0, "", "phone", event, code))
    return ReplayedGame(row, lines)


def played(player: str, monster: str, number: int) -> dict[str, Any]:
    return {"event": "card_played", "player": player, "card": {"monster": monster, "number": number}}


TRICK = (played("Ida", "red", 4), played("Jo", "green", 6), played("Kai", "blue", 2))


def test_each_step_shows_the_table_as_it_was() -> None:
    game = replayed("seven_merry_monsters", *TRICK)
    steps = game.steps(0, 50, "game.jsonl")
    assert (steps.last, steps.file, steps.game.id) == (3, "game.jsonl", 7)
    assert [len(step.state["table"]) for step in steps.steps] == [0, 1, 2, 0]
    assert [step.turn for step in steps.steps] == ["Ida", "Jo", "Kai", "Jo"]
    assert steps.steps[0].entry is None
    told = [one.code for one in steps.steps[3].entry.sentences or ()]  # type: ignore[union-attr]
    assert len(told) > 1, "who took the trick is a sentence of its third card"


def test_a_step_is_what_replaying_so_far_gives() -> None:
    events = (*TRICK, UNDONE, played("Kai", "blue", 7))
    game = replayed("seven_merry_monsters", *events)
    for step in game.steps(0, 50, "").steps:
        record = opened({"game": "seven_merry_monsters", "players": PLAYERS, "settings": {}})
        for event in events[: step.n]:
            record.push(event)
        assert step.state == record.book.view(record.state)
        assert step.scores == record.scores()


def test_a_step_names_what_it_took_back() -> None:
    game = replayed("seven_merry_monsters", *TRICK, UNDONE)
    steps = game.steps(0, 50, "").steps
    assert [step.taken_back for step in steps] == [(), (), (), (), (3,)]
    assert [step.entry.undone for step in steps if step.entry] == [False, False, True, False]


def test_a_refused_event_changes_nothing_and_says_why() -> None:
    game = replayed("seven_merry_monsters", TRICK[0], TRICK[0])
    refused = game.steps(2, 1, "").steps[0]
    assert refused.entry is not None
    assert refused.entry.rejected == "not_your_turn"
    assert len(refused.state["table"]) == 1


def test_displays_bring_their_worth() -> None:
    last = replayed("seven_merry_monsters", *TRICK).steps(3, 1, "").steps[0]
    count = game_named("seven_merry_monsters").display_points
    assert count is not None
    assert last.worth["Jo"].points == count(last.state["display"]["Jo"], 0).total > 0
    assert set(last.worth["Jo"].columns) == set(last.state["display"]["Jo"])


@pytest.mark.parametrize(("first", "numbers"), [(-5, [0, 1]), (2, [2, 3]), (3, [3]), (9, [])])
def test_steps_come_in_pages(first: int, numbers: list[int]) -> None:
    page = replayed("seven_merry_monsters", *TRICK).steps(first, 2, "")
    assert [step.n for step in page.steps] == numbers

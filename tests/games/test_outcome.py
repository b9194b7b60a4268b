"""What the rules refuse, the table may agree to: the outcome of a refused event as a position."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from nonsense import some_event

from bench.rules.play import header_of, next_event
from companion.games import game_names, rulebook
from companion.games.contract.outcome import differences, plain
from companion.table.record import Record, opened

Json = dict[str, Any]
REFUSED = 150
"""Refused events tried for each game."""


def refused_in(book: Any, record: Record[Any], event: Json) -> Record[Any] | None:
    """A record that begins at the present state and holds only the event; None if it is accepted."""
    trial: Record[Any] = Record(book, record.setup)
    trial.state = record.state
    return None if trial.push(event).code is None else trial


def agreed(record: Record[Any], event: Json) -> Json | None:
    """What changes as the table counts the latest event, which was refused; None: not worked out."""
    refused = record.state
    after = record.book.outcome(refused, event)
    assert record.state is refused
    if after is None:
        return None
    changes = differences(plain(record.book.view(refused)), plain(record.book.view(after)))
    assert record.push({"event": "position", "state": changes}).code is None, (event, changes)
    assert plain(record.book.view(record.state)) == plain(record.book.view(after))
    return changes


def other(record: Record[Any], event: Json, random: Random) -> Json:
    """An event that is refused for no fault of its fields: mostly a legal one of somebody else."""
    players = [player for player in record.setup.players if player != event.get("player")]
    return {**event, "player": random.choice(players)} if "player" in event else some_event(record, random)


@pytest.mark.parametrize("game", game_names())
def test_agreeing_never_breaks_a_law(game: str) -> None:
    book, random, tried, worked = rulebook(game), Random(f"outcome {game}"), 0, Counter[str]()
    while tried < REFUSED:
        record: Record[Any] = opened(header_of(book, random))
        while record.state.phase != "over" and len(record.entries) < 200:
            legal = next_event(record, random)
            for event in (some_event(record, random), other(record, legal, random)):
                trial = refused_in(book, record, event)
                if trial is None:
                    continue
                tried += 1
                code = str(trial.entries[-1].code)
                if agreed(trial, event) is not None:
                    worked[code] += 1
            record.push(legal)
    assert worked, "no outcome was worked out"


def after_refusal(game: str, events: list[Json], event: Json, *players: str, **settings: Any) -> Json:
    """The position after a game of some events, and one that is refused and counted all the same."""
    record = opened({"game": game, "players": list(players or ("Ida", "Jo")), "settings": settings})
    for one in events:
        assert record.push(one).code is None, one
    assert record.push(event).code is not None
    assert agreed(record, event) is not None
    return plain(record.book.view(record.state))


def test_a_card_of_the_nasty_7_out_of_turn_is_counted() -> None:
    card = {"event": "card_played", "player": "Jo", "card": "racketeer", "t": 2.0}
    shown = after_refusal("nasty_7", [], card, "Ida", "Jo", "Kai", deck_size=30)
    assert (shown["stack"], shown["pile"]) == ({"Ida": 10, "Jo": 9, "Kai": 10}, 1)
    assert (shown["turn"], shown["call"]["player"]) == ("Kai", "Jo")


def test_a_triangle_at_a_forbidden_place_is_laid_there_and_catches() -> None:
    start = {"event": "card_revealed", "card": "red", "at": [0, 0]}
    card = {"event": "card_played", "player": "Ida", "card": "red", "at": [4, 0]}
    shown = after_refusal("trio_monsters", [start], card)
    assert {"at": [4, 0], "card": "red"} in shown["table"]
    assert (shown["turn"], shown["laid"], shown["hand"]) == ("Ida", 1, {"Ida": 2, "Jo": 3})
    ended = after_refusal("trio_monsters", [start], {"event": "turn_ended", "player": "Ida"})
    assert (ended["turn"], ended["laid"]) == ("Jo", 0)


def test_a_monster_in_another_column_counts_there() -> None:
    players = ("Ida", "Jo", "Kai")
    card = {"event": "card_placed", "player": "Ida", "card": {"monster": "red"}, "column": "blue"}
    shown = after_refusal("seven_merry_monsters", [], card, *players, variant="two_original_monsters")
    assert shown["display"]["Ida"] == {"blue": {"cards": 1, "jokers": 0}}


def test_another_trophy_than_the_highest_is_taken() -> None:
    taken = {"event": "trophy_taken", "player": "Jo", "value": 1, "t": 5.0}
    start = {"event": "game_started", "t": 1.0}
    shown = after_refusal("bugs_and_co", [start], taken, "Ida", "Jo", "Kai", "Lea")
    assert shown["trophy"]["Jo"] == 1
    assert 1 not in shown["trophies"]


def test_a_card_of_13_monsters_is_turned_over_out_of_turn() -> None:
    card = {"event": "card_revealed", "player": "Jo", "at": [0, 0], "card": {"monster": 3, "part": "top"}}
    shown = after_refusal("thirteen_monsters", [], card)
    assert (shown["turn"], shown["phase"], shown["revealed"]) == ("Jo", "search", [[0, 0]])


def test_what_cannot_be_is_not_worked_out() -> None:
    record = opened({"game": "trio_monsters", "players": ["Ida", "Jo"]})
    record.push({"event": "card_revealed", "card": "red", "at": [0, 0]})
    for event in (
        {"event": "card_played", "player": "Ida", "card": "red", "at": [0, 0]},
        {"event": "card_played", "player": "Ida", "card": 7, "at": [1, 0]},
        {"event": "card_played", "player": "Nobody", "card": "red", "at": [1, 0]},
        {"event": "unheard_of"},
        {},
    ):
        assert record.book.outcome(record.state, event) is None, event

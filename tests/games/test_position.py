"""The event `position`: how things stand is said in one event, and the game goes on from there."""

from random import Random
from typing import Any

import msgspec
import pytest

from bench.rules.play import header_of, next_event
from companion.games import game_names, rulebook
from companion.table.record import Record, opened

Json = dict[str, Any]
STEPS = 400
"""Events of random games after which the round trip is tried, for each game."""


def plain(value: Any) -> Any:
    """As it goes through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def timeless(offers: Any) -> list[Json]:
    """Offers as JSON, without the times that depend on when a deadline began."""
    shown = [plain(offer) for offer in offers]
    for offer in shown:
        for key in ("by", "after"):
            offer.pop(key, None)
        for name in ("t", "start"):
            offer["fields"].pop(name, None)
    return shown


def taken_up(header: Json, state: Json) -> Record[Any]:
    record = opened(header)
    entry = record.push({"event": "position", "state": state})
    assert entry.code is None, (entry.code, state)
    return record


@pytest.mark.parametrize("game", game_names())
def test_every_state_of_random_games_can_be_taken_up(game: str) -> None:
    book, random, tried = rulebook(game), Random(f"position {game}"), 0
    while tried < STEPS:
        header = header_of(book, random)
        record: Record[Any] = opened(header)
        while record.state.phase != "over" and len(record.entries) < 300:
            record.push(next_event(record, random))
            tried += 1
            if tried % 4 and record.state.phase != "over":
                continue
            shown = plain(book.view(record.state))
            again = taken_up(header, shown)
            assert plain(book.view(again.state)) == shown
            assert (again.scores(), again.winner()) == (record.scores(), record.winner())
            if not has_running_clock(record):
                assert timeless(book.expects(again.state)) == timeless(book.expects(record.state))


IDA_AND_JO = ["Ida", "Jo"]


def refused(game: str, state: Json, players: list[str] | None = None, **settings: Any) -> bool:
    """Whether a position is refused at the start of a game, with nothing changed."""
    header = {"game": game, "players": players or IDA_AND_JO, "settings": settings}
    record = opened(header)
    before = record.state
    code = record.push({"event": "position", "state": state}).code
    assert code in (None, "bad_position")
    assert code is None or record.state == before
    return code is not None


NASTY = {"stack": {"Ida": 12, "Jo": 10}, "pile": 5, "count": 5, "turn": "Jo", "box": 3}


def test_a_count_of_the_nasty_7_is_put_right() -> None:
    assert not refused("nasty_7", NASTY, deck_size=30)
    assert not refused("nasty_7", {"stack": {"Ida": 44, "Jo": 44}, "box": 22}, twins=False)
    wrong: list[Json] = [
        {"stack": {"Ida": 13, "Jo": 10}},
        {"stack": {"Ida": 13}},
        {"stack": {"Ida": -1, "Jo": 23}},
        {"stack": {"Ida": 12.0, "Jo": 10}},
        {"turn": "Kai"},
        {"turn": None},
        {"phase": "over"},
        {"count": 9},
        {"next_number": 5},
        {"skipped": "Jo"},
        {"sound": None},
        {"call": {"player": "Ida"}},
    ]
    for change in wrong:
        assert refused("nasty_7", {**NASTY, **change}, deck_size=30), change


def test_the_count_of_the_nasty_7_keeps_its_direction() -> None:
    header = {"game": "nasty_7", "players": IDA_AND_JO, "settings": {"deck_size": 30}}
    for count, following, then in ((5, 6, 7), (5, 4, 3)):
        state = {**NASTY, "count": count, "next_number": following}
        record = taken_up(header, state)
        record.push({"event": "card_played", "player": "Jo", "card": "racketeer", "t": 1.0})
        shown = record.book.view(record.state)
        assert (shown["count"], shown["next_number"]) == (following, then)


def test_the_time_of_a_call_starts_anew_after_a_position() -> None:
    header = {"game": "nasty_7", "players": IDA_AND_JO, "settings": {"deck_size": 30}}
    record = opened(header)
    record.push({"event": "card_played", "player": "Ida", "card": "racketeer", "t": 5.0})
    record.push({"event": "position", "state": {"box": 0}})
    assert record.book.deadline(record.state) is None
    record.push({"event": "time_passed", "t": 60.0})
    assert (record.verdicts, record.book.deadline(record.state)) == ([], 63.0)
    record.push({"event": "time_passed", "t": 63.1})
    assert [one["verdict"] for one in record.verdicts] == ["too_late"]


def test_a_position_is_undone_like_any_event() -> None:
    header = {"game": "nasty_7", "players": IDA_AND_JO, "settings": {"deck_size": 30}}
    record = taken_up(header, NASTY)
    record.push({"event": "undone"})
    assert record.state == opened(header).state


def test_positions_of_the_other_games_keep_their_laws() -> None:
    merry = ["Ida", "Jo", "Kai"]
    eight = {"Ida": {"red": {"cards": 8, "jokers": 0}}, "Jo": {}, "Kai": {}}
    seven = {**eight, "Ida": {"red": {"cards": 8, "jokers": 1}}}
    assert refused("seven_merry_monsters", {"display": eight}, merry)
    assert not refused("seven_merry_monsters", {"display": seven}, merry)
    assert refused("seven_merry_monsters", {"display": seven, "round": 2}, merry)
    assert refused("seven_merry_monsters", {"to_place": {"Ida": 1}}, merry)
    assert refused("trio_monsters", {"hand": {"Ida": 3, "Jo": 2}})
    assert not refused("trio_monsters", {"hand": {"Ida": 3, "Jo": 2}, "draw_pile": 55})
    assert refused("trio_monsters", {"phase": "play", "turn": "Ida", "hand": {"Ida": 4, "Jo": 2}})
    assert refused("bugs_and_co", {"trophy": {"Ida": 3, "Jo": None}})
    assert refused("bugs_and_co", {"trophy": {"Ida": 2, "Jo": None}, "trophies": [], "phase": "countdown"})
    assert not refused(
        "bugs_and_co", {"trophy": {"Ida": 3, "Jo": None}, "trophies": [], "phase": "countdown"}
    )
    top = {"monster": 1, "part": "top"}
    assert refused("thirteen_monsters", {"sets": {"Ida": [top], "Jo": []}})
    assert refused("thirteen_monsters", {"sets": {"Ida": [top], "Jo": [top]}, "cards_left": 74})
    assert not refused("thirteen_monsters", {"sets": {"Ida": [top], "Jo": []}, "cards_left": 76})


def test_what_follows_from_a_monster_may_be_left_out_or_must_agree() -> None:
    grunt: Json = {"parts": [1, 2, 3], "spent": False}
    there: Json = {"monsters": {"Ida": [grunt], "Jo": []}, "cards_left": 72}
    assert not refused("thirteen_monsters", there)
    full = taken_up({"game": "thirteen_monsters", "players": IDA_AND_JO}, there)
    hp = plain(full.book.view(full.state))["monsters"]["Ida"][0]["hp"]
    for given, wrong in ((hp, False), (hp + 1, True)):
        assert (
            refused("thirteen_monsters", {**there, "monsters": {"Ida": [{**grunt, "hp": given}], "Jo": []}})
            == wrong
        )


@pytest.mark.parametrize("game", game_names())
def test_nonsense_for_any_key_is_refused(game: str) -> None:
    players = [*IDA_AND_JO, "Kai"]
    book = rulebook(game)
    shown = book.view(book.start(book.header(players, {})))
    for key, value in shown.items():
        for nonsense in (-1, "x", [None], {"Nobody": 1}, 2.5):
            assert refused(game, {key: nonsense}, players), (key, value, nonsense)
    assert not refused(game, {}, players)
    assert not refused(game, {"no such key": 1}, players)


def has_running_clock(record: Record[Any]) -> bool:
    """Where a deadline runs, what may come after it is offered beside; it starts anew after a position."""
    return record.book.deadline(record.state) is not None

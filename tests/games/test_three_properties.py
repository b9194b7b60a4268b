"""Laws of Trio Monsters, Bugs & Co and 13 Monsters, looked for with random legal and illegal play."""

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonsense import in_time, some_event, some_game

from bench.rules.laws import broken_laws, states_of
from bench.rules.play import NothingFits, event_of, header_of, next_event, whole_game
from companion.core.errors import Rejected
from companion.games import rulebook
from companion.games.bugs_and_co.state import BugsAndCoState
from companion.games.contract.fields import Setup
from companion.games.contract.offers import Offer
from companion.games.thirteen_monsters.state import ThirteenMonstersState
from companion.games.trio_monsters.state import TrioMonstersState
from companion.table.record import Record, opened

Json = dict[str, Any]
STATES: dict[str, type[Any]] = {
    "trio_monsters": TrioMonstersState,
    "bugs_and_co": BugsAndCoState,
    "thirteen_monsters": ThirteenMonstersState,
}
seeds = st.integers(0, 2**32)
few = settings(max_examples=25, deadline=None)
rules = pytest.mark.rules
three_games = pytest.mark.parametrize("game", list(STATES))


def admitted(record: Record[Any], event: Json) -> bool:
    """Whether the event is well formed and in time, whatever the rules say of it."""
    return record.book.malformed(record.state, event) is None


def accepted(record: Record[Any], event: Json) -> bool:
    try:
        record.book.play(record.state, event)
    except Rejected:
        return False
    return True


def one_of_each(record: Record[Any], offers: list[Offer], random: Random) -> list[Json]:
    """Events from some of the offers, as they stand and at a tricky moment."""
    events = []
    for offer in random.sample(offers, min(4, len(offers))):
        with suppress(NothingFits):
            event = event_of(offer, record, random)
            events += [event, in_time(dict(event), record, random)]
    return events


@three_games
@few
@given(seeds)
def test_offers_are_exactly_what_is_accepted(game: str, seed: int) -> None:
    record, random = some_game(game, seed)
    for _ in range(12):
        offers = record.book.expects(record.state)
        for event in [some_event(record, random) for _ in range(6)] + one_of_each(record, offers, random):
            offered = any(offer.matches(event) for offer in offers)
            if accepted(record, event):
                assert offered, event
            elif offered:
                assert not admitted(record, event), event
        if record.state.phase == "over":
            assert offers == []
            break
        record.push(next_event(record, random))


@three_games
@few
@given(seeds)
def test_there_is_always_something_to_do_until_the_game_is_over(game: str, seed: int) -> None:
    record, _ = some_game(game, seed)
    state, book = record.state, record.book
    assert bool(book.expects(state)) is (state.phase != "over")
    assert bool(book.winner(state)) is (state.phase == "over")
    assert msgspec.json.encode(book.expects(state))


@three_games
@few
@given(seeds)
def test_a_rejection_changes_nothing_and_an_earlier_state_never_changes(game: str, seed: int) -> None:
    record, random = some_game(game, seed)
    for _ in range(8):
        before = record.state
        written = msgspec.json.encode(before)
        entry = record.push(some_event(record, random))
        assert msgspec.json.encode(before) == written
        if entry.code is not None and entry.event.get("event") in record.book.events:
            assert record.state is before


@three_games
@few
@given(seeds)
def test_a_game_is_the_same_when_it_is_played_again(game: str, seed: int) -> None:
    record, _ = some_game(game, seed)
    settings_of_it = msgspec.to_builtins(record.setup.settings)
    again = opened({"game": game, "players": list(record.setup.players), "settings": settings_of_it})
    for entry in record.entries:
        again.push(msgspec.json.decode(msgspec.json.encode(entry.event)))
    assert again.state == record.state
    assert again.verdicts == record.verdicts


@three_games
@few
@given(seeds)
def test_states_survive_json(game: str, seed: int) -> None:
    record, _ = some_game(game, seed)
    back = msgspec.json.decode(msgspec.json.encode(record.state), type=STATES[game])
    setting = msgspec.convert(back.setup.settings, record.book.settings_type)
    back = msgspec.structs.replace(back, setup=Setup(back.setup.players, setting))
    assert back == record.state
    assert record.book.view(back) == record.book.view(record.state)


@three_games
@few
@given(seeds)
def test_undo_is_the_shorter_script(game: str, seed: int) -> None:
    record, random = some_game(game, seed)
    state, verdicts = record.state, record.verdicts
    pushed = 0
    for _ in range(random.randint(1, 6)):
        if record.state.phase != "over":
            pushed += record.push(next_event(record, random)).code is None
    for _ in range(pushed):
        assert record.push({"event": "undone"}).code is None
    assert record.state == state
    assert record.verdicts == verdicts


@three_games
def test_whole_games_with_every_number_of_players_come_to_an_end(game: str) -> None:
    book = rulebook(game)
    for seed, players in enumerate([*book.seats] * 3):
        random = Random(seed)
        header = header_of(book, random)
        header["players"] = [f"P{n}" for n in range(players)]
        header["settings"].pop("deck_size", None)
        record = whole_game(header, random)
        assert record.rejected == []
        assert record.state.phase == "over"
        assert record.winner()


@rules("TRIO-2", "TRIO-12", "TRIO-17", "BUGS-2", "BUGS-3", "BUGS-7", "M13-2", "M13-15", "M13-35")
@three_games
@few
@given(seeds)
def test_nothing_gets_lost_and_nothing_appears(game: str, seed: int) -> None:
    """60 triangles, 75 tiles and five trophies, 78 cards and five dice: see bench.rules.laws."""
    record, random = some_game(game, seed, 30)
    for _ in range(120):
        if record.state.phase == "over":
            break
        record.push(some_event(record, random) if random.random() < 0.2 else next_event(record, random))
    for state in states_of(record):
        assert broken_laws(state) == []


def test_a_broken_law_is_noticed() -> None:
    for game, change in (
        ("trio_monsters", {"draw_pile": 7}),
        ("bugs_and_co", {"trophies": ()}),
        ("thirteen_monsters", {"unfound": 7}),
        ("seven_merry_monsters", {"aside": (9, 9, 20)}),
        ("nasty_7", {"pile": 3}),
    ):
        book = rulebook(game)
        state = book.start(book.header(["A", "B", "C"], {}))
        assert broken_laws(state) == []
        assert broken_laws(msgspec.structs.replace(state, **change)) != []

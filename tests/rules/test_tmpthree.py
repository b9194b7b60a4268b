"""Laws of Trio Monsters, Bugs & Co and 13 Monsters, looked for with random legal and illegal play."""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonsense import in_time, some_event, some_game

from bench.random_play import NothingFits, event_of, header_of, next_event, whole_game
from companion.errors import Rejected
from companion.rules import rulebook
from companion.rules.base import Offer, Setup
from companion.rules.bugs_and_co import TROPHIES, BugsState, tiles_in_play
from companion.rules.lattice import groups, sides
from companion.rules.thirteen_building import buildable
from companion.rules.thirteen_table import CARDS, DICE, ThirteenState, owners
from companion.rules.trio_monsters import TrioState
from companion.table.record import Record, opened

Json = dict[str, Any]
STATES: dict[str, type[Any]] = {
    "trio_monsters": TrioState,
    "bugs_and_co": BugsState,
    "thirteen_monsters": ThirteenState,
}
seeds = st.integers(0, 2**32)
few = settings(max_examples=1500, deadline=None)
three_games = pytest.mark.parametrize("game", list(STATES))


def admitted(record: Record[Any], event: Json) -> bool:
    """Whether the event is well formed and in time, whatever the rules say of it."""
    try:
        record.book.admit(record.state, event)
    except Rejected:
        return False
    return True


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


def played_on(game: str, seed: int, longest: int = 120) -> list[Any]:
    """The states of a game with nonsense in it."""
    record, random = some_game(game, seed, 30)
    states = [record.state]
    for _ in range(longest):
        if record.state.phase == "over":
            break
        record.push(some_event(record, random) if random.random() < 0.2 else next_event(record, random))
        states.append(record.state)
    return states


@few
@given(seeds)
def test_sixty_triangles_are_conserved_and_hang_together(seed: int) -> None:
    for state in played_on("trio_monsters", seed):
        places = [laid.at for laid in state.table]
        cards = state.draw_pile + sum(state.hands) + sum(state.won) + len(places)
        assert cards == state.setup.settings.deck_size
        assert all(0 <= cards <= 3 for cards in state.hands)
        assert len(set(places)) == len(places)
        assert len(groups(places)) <= 1
        assert 0 <= state.laid <= 3


@few
@given(seeds)
def test_no_chain_of_four_stays_on_the_table(seed: int) -> None:
    for state in played_on("trio_monsters", seed):
        table = dict(state.table)
        for at, colour in table.items():
            chain, edge = {at}, [at]
            while edge:
                near = [p for p in sides(edge.pop()) if table.get(p) == colour and p not in chain]
                chain.update(near)
                edge += near
            assert colour == "black" or len(chain) < 4


@few
@given(seeds)
def test_trophies_are_conserved_and_no_more_tiles_are_counted_than_there_are(seed: int) -> None:
    for state in played_on("bugs_and_co", seed):
        players = len(state.setup.players)
        in_play = {2: (3,), 3: (3, 2), 4: (3, 2, 1), 5: (3, 2, 2, 1)}.get(players, TROPHIES)
        held = [trophy for trophy in state.trophy if trophy is not None]
        assert Counter(held) + Counter(state.trophies) == Counter(in_play)
        assert (state.phase in ("setup", "play")) == bool(state.trophies)
        counted: Counter[str] = Counter()
        for tiles in state.counted:
            counted.update(tiles or {})
        assert counted.total() <= tiles_in_play(state.setup) <= 75 - 7
        assert all(n <= 3 for n in counted.values())


@few
@given(seeds)
def test_78_cards_are_conserved(seed: int) -> None:
    for state in played_on("thirteen_monsters", seed):
        owned = owners(state)
        held = sum(map(len, state.sets)) + 3 * sum(map(len, state.monsters))
        assert len(owned) == held
        assert state.cards_left + 2 * held == CARDS
        assert len(state.empty) - 3 <= CARDS - state.cards_left
        assert not state.empty & set(state.seen)
        assert not owned.keys() & set(state.seen.values())
        assert max(Counter(state.seen.values()).values(), default=0) <= 2
        assert len(state.frozen) <= DICE
        assert not state.empty & {frost.place for frost in state.frozen}
        assert len({frost.place for frost in state.frozen}) == len(state.frozen)
        assert (state.battle is not None) == (state.phase in ("attack", "spoils", "death_battle"))
        if state.phase in ("attack", "spoils"):
            assert state.frozen == ()
        if state.phase != "over":
            assert all(
                len({one.layer for one in loose}) < 3 or len(loose) > 3 for loose in map(tuple, state.sets)
            )
            assert any(map(buildable, state.sets)) == bool(
                rulebook("thirteen_monsters").view(state)["must_build"]
            )

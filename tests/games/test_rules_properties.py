"""Laws that hold in every game, looked for with random legal and illegal play."""

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.rules.play import NAMES, NothingFits, event_of, header_of, next_event, whole_game
from companion.core.errors import Rejected, Unreadable
from companion.games import game_names, rulebook
from companion.games.contract.fields import is_number
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import RejectedAfter, Rulebook
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState
from companion.table.record import Record, opened

Json = dict[str, Any]
TWO_GAMES = ("seven_merry_monsters", "nasty_7")
seeds = st.integers(0, 2**32)
few = settings(max_examples=40, deadline=None)


def some_value(random: Random, players: list[str]) -> Any:
    """Anything at all that may stand in a field."""
    card = {
        "monster": random.choice(("red", "joker", "pink", "zebra")),
        "number": random.choice((0, 1, 5, True, "5")),
    }
    return random.choice(
        (
            *players,
            *players,
            card,
            {"monster": "red", "number": random.randint(1, 7)},
            {"monster": "joker"},
            "gun",
            "twin_phone",
            "racketeer",
            "knife",
            "red",
            "aside",
            ["one"],
            ["hmmrrr", "hmmrrr"],
            [players[0]],
            [players[0], players[1]],
            [card],
            {"red": {"cards": 3, "jokers": random.randint(0, 3)}},
            {"red": {"cards": 9, "jokers": 8}, "pink": {"cards": 5, "jokers": random.randint(3, 4)}},
            {},
            [],
            True,
            1,
            2,
            -1,
            1.5,
            None,
            float(random.randint(0, 40)),
        )
    )


def some_event(record: Record[Any], random: Random) -> Json:
    """An event made without looking at the rules, or a legal one with one field spoilt."""
    book, players = record.book, list(record.setup.players)
    if random.random() < 0.6 and record.state.phase != "over":
        event = next_event(record, random)
        limit = record.book.deadline(record.state)
        if limit is not None and "t" in event and random.random() < 0.4:
            event["t"] = limit + random.choice((0.0, 0.001, 1.0))
        elif len(event) > 1:
            name = random.choice([name for name in event if name != "event"])
            if random.random() < 0.3:
                del event[name]
            else:
                event[name] = some_value(random, players)
        return event
    kind = random.choice(list(book.events))
    event = {"event": kind}
    for field in book.events[kind].fields:
        if field.required or random.random() < 0.3:
            event[field.name] = some_value(random, players)
    for name, least in (("t", 0.0), ("start", 0.0), ("end", 0.5)):
        if name in event and random.random() < 0.8:
            event[name] = record.state.time + least + random.choice((0.0, 0.5, 3.0, 3.5))
    return event


def some_game(game: str, seed: int, length: int = 60) -> tuple[Record[Any], Json, Random]:
    """A game in the middle, after legal and illegal events."""
    random = Random(seed)
    header = header_of(rulebook(game), random)
    record = opened(header)
    for _ in range(random.randint(0, length)):
        if record.state.phase == "over":
            break
        record.push(next_event(record, random) if random.random() < 0.85 else some_event(record, random))
    return record, header, random


def well_formed(book: Rulebook[Any], event: Json, now: float) -> bool:
    """What an offer leaves free is as it should be: times are numbers in order, and there if needed."""
    fields = {field.name: field for field in book.events[event["event"]].fields}
    for name in ("t", "start", "end"):
        needed = name in fields and fields[name].required
        if name not in event:
            if needed:
                return False
        elif (name == "t") != (event["event"] == "heard") and not (
            is_number(event[name]) and event[name] >= 0
        ):
            return False
    when = event.get("start" if event["event"] == "heard" else "t")
    if event["event"] == "heard" and event["end"] < event["start"]:
        return False
    return when is None or when >= now


def rejection(book: Rulebook[Any], state: Any, event: Json) -> Rejected | None:
    try:
        book.play(state, event)
    except Rejected as rejected:
        return rejected
    return None


@pytest.mark.parametrize("game", TWO_GAMES)
@few
@given(seeds)
def test_offers_are_exactly_what_is_accepted(game: str, seed: int) -> None:
    random = Random(seed)
    record = opened(header_of(rulebook(game), random))
    for _ in range(random.randint(1, 120)):
        offers = record.book.expects(record.state)
        for event in [some_event(record, random) for _ in range(4)] + one_of_each(record, offers, random):
            compare(record, offers, event)
        if record.state.phase == "over":
            assert offers == []
            break
        record.push(next_event(record, random))


def one_of_each(record: Record[Any], offers: list[Offer], random: Random) -> list[Json]:
    events = []
    for offer in random.sample(offers, min(3, len(offers))):
        with suppress(NothingFits):
            events.append(event_of(offer, record, random))
    return events


def compare(record: Record[Any], offers: list[Offer], event: Json) -> None:
    offered = any(offer.matches(event) for offer in offers)
    rejected = rejection(record.book, record.state, event)
    if rejected is None:
        assert offered, event
    elif offered:
        assert not well_formed(record.book, event, record.state.time), (event, rejected.code)


@pytest.mark.parametrize("game", TWO_GAMES)
@few
@given(seeds)
def test_a_game_is_the_same_when_it_is_played_again(game: str, seed: int) -> None:
    record, header, _ = some_game(game, seed)
    again = opened(header)
    for entry in record.entries:
        again.push(msgspec.json.encode(entry.event).decode())
    assert again.state == record.state
    assert again.result() == record.result()
    msgspec.json.encode(record.result())


@pytest.mark.parametrize("game", TWO_GAMES)
@few
@given(seeds)
def test_playing_changes_no_earlier_state_and_a_rejection_changes_nothing(game: str, seed: int) -> None:
    record, _, random = some_game(game, seed)
    before = record.state
    written = msgspec.json.encode(before)
    entry = record.push(some_event(record, random))
    assert msgspec.json.encode(before) == written
    if entry.code is not None and not entry.findings and record.state.phase != "over":
        assert record.state == before


@pytest.mark.parametrize("game", game_names())
@few
@given(seeds)
def test_a_state_of_every_game_survives_json(game: str, seed: int) -> None:
    record, _, _ = some_game(game, seed)
    back = record.book.decode(msgspec.json.encode(record.state))
    assert back == record.state
    assert type(back.setup.settings) is record.book.settings_type
    assert record.book.view(back) == record.book.view(record.state)
    assert record.book.expects(back) == record.book.expects(record.state)


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b"[" * 5000, b'{"setup": {"players": []}}'])
def test_what_is_no_state_is_unreadable(game: str, data: bytes) -> None:
    with pytest.raises(Unreadable):
        rulebook(game).decode(data)


def test_impossible_settings_of_a_state_are_unreadable() -> None:
    record, _, _ = some_game("nasty_7", 1)
    state = msgspec.json.decode(msgspec.json.encode(record.state))
    state["setup"]["settings"]["hesitation_s"] = -1.0
    with pytest.raises(Unreadable, match="hesitation_s"):
        record.book.decode(msgspec.json.encode(state))


@pytest.mark.parametrize("game", TWO_GAMES)
@few
@given(seeds)
def test_the_deadline_is_when_time_alone_changes_the_game(game: str, seed: int) -> None:
    record, _, _ = some_game(game, seed)
    book, state = record.book, record.state
    limit = book.deadline(state)
    if limit is None:
        assert book.lapse(state, {"event": "time_passed", "t": state.time + 1e6}) is None
    elif limit >= state.time:
        assert book.lapse(state, {"event": "time_passed", "t": limit}) is None
        assert book.lapse(state, {"event": "time_passed", "t": limit + 0.001}) is not None


@few
@given(seeds)
def test_the_cards_of_the_nasty_7_are_conserved(seed: int) -> None:
    record, _, random = some_game("nasty_7", seed)
    rules = record.setup.settings
    for _ in range(30):
        state = record.state
        assert sum(state.stacks) + state.pile + state.box == rules.dealt()
        assert min(state.stacks) >= 0
        assert (state.pile == 0) <= (state.racketeers == 0)
        if state.phase == "over":
            break
        record.push(some_event(record, random) if random.random() < 0.5 else next_event(record, random))


def held(state: SevenMerryMonstersState, seat: int) -> int:
    """Cards that a player has placed, won or played: what is not in the hand any more."""
    columns = sum(column.cards for column in state.display[seat].values())
    return columns + state.aside[seat] + sum(state.hidden[seat])


@few
@given(seeds)
def test_ten_cards_a_player_are_conserved_in_seven_merry_monsters(seed: int) -> None:
    record, _, random = some_game("seven_merry_monsters", seed, length=150)
    for _ in range(30):
        state, players = record.state, len(record.setup.players)
        lying = sum(held(state, seat) for seat in range(players)) + len(state.table) + sum(state.jokers_owed)
        if record.setup.settings.tracking == "tricks":
            hands = _cards_left_in_hands(state, players)
            assert lying + hands == 10 * players
            assert 60 - sum(state.left.values()) + sum(map(sum, state.hidden)) == lying
            assert all(0 < n <= (11 if m == "joker" else 7) for m, n in state.left.items())
        if state.phase == "over":
            assert lying == 10 * players
            break
        record.push(some_event(record, random) if random.random() < 0.5 else next_event(record, random))


def _cards_left_in_hands(state: SevenMerryMonstersState, players: int) -> int:
    """Each hand has a card for each trick to come, what it owes, and the last two where they come last."""
    if state.phase in ("last_cards", "over"):
        return sum(state.hand_owed)
    coming = 8 - state.trick
    last = 2 if state.setup.settings.variant == "standard" else 0
    now = players - len(state.table) if state.phase in ("trick", "award") else sum(state.hand_owed)
    return players * (coming + last) + now


@pytest.mark.parametrize("game", TWO_GAMES)
def test_whole_games_come_to_an_end(game: str) -> None:
    for seed in range(60):
        random = Random(seed)
        record = whole_game(header_of(rulebook(game), random), random)
        assert record.rejected == []
        assert record.winner()
        assert set(record.winner()) <= set(NAMES)


def test_both_games_are_among_the_five() -> None:
    assert set(TWO_GAMES) <= set(game_names())


@few
@given(seeds)
def test_a_rejection_of_the_nasty_7_settles_just_what_time_settles(seed: int) -> None:
    record, _, random = some_game("nasty_7", seed)
    event = some_event(record, random)
    rejected, settled = rejection(record.book, record.state, event), record.book.lapse(record.state, event)
    if isinstance(rejected, RejectedAfter):
        assert rejected.settled == settled
        assert rejected.settled.state.time == record.state.time
    elif rejected is not None:
        assert settled is None

"""Plays the five games at random, legally: events are drawn from what a rulebook offers.

The benchmarks count with it and the tests look for broken laws with it. How a value is drawn from a choice is
in bench.rules.choices, what random players like to do in bench.rules.habits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from bench.rules.choices import NothingFits, draw
from bench.rules.habits import (
    bugs_rules,
    forgetful,
    greediest,
    preferred_nasty,
    preferred_thirteen,
    thirteen_rules,
    trio_rules,
    whole_monsters,
)
from companion.games.contract.number_words import LANGUAGES
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook
from companion.games.nasty_7.rules import Nasty7
from companion.games.thirteen_monsters.rules import ThirteenMonsters
from companion.games.trio_monsters.rules import TrioMonsters
from companion.table.record import Record, opened

Json = dict[str, Any]

NAMES = ("Ida", "Jo", "Kai", "Lea", "Max", "Noa", "Ole", "Pia")
SILENT_AFTER = 0.05
"""Seconds between two things that happen, at least."""
DRAWS = 3
"""Events drawn from a proposal before what is legal of it is worked out."""


def settings_of(game: str, players: int, random: Random) -> Json:
    """House rules drawn at random, such that games stay short."""
    toss = random.random
    if game == "seven_merry_monsters":
        return {
            "target": random.choice((40, 80, 150)),
            "variant": random.choice(("standard", "two_original_monsters", "monster_under_the_bed")),
            "tracking": "scan" if toss() < 0.2 else "tricks",
            "numbers": [1, 2, 3, 4, 5, 6, 7] if toss() < 0.3 else None,
            "joker_number": random.choice((0, 0, None, 7)),
            "tie_break": random.choice(("shared", "extra_round")),
        }
    if game == "nasty_7":
        return {
            "deck_size": random.randint(8, 24),
            "twins": toss() < 0.8,
            "nasty_rules": toss() < 0.5,
            "even_more_nasty": toss() < 0.4,
            "sound": random.choice((["hmmrrr"], ["hands", "up"], ["seven"])),
            "enforcement": random.choice(("automatic", "on_accusation")),
            "language": random.choice(LANGUAGES),
        }
    if game == "trio_monsters":
        return trio_rules(players, random)
    if game == "bugs_and_co":
        return bugs_rules(random)
    return thirteen_rules(random) if game == "thirteen_monsters" else {}


def header_of(book: Rulebook[Any], random: Random) -> Json:
    """A header of the game with a random number of players and random house rules."""
    players = list(NAMES[: random.choice(list(book.seats))])
    return {"game": book.name, "players": players, "settings": settings_of(book.name, len(players), random)}


def event_of(offer: Offer, record: Record[Any], random: Random) -> Json:
    """An event that the offer allows, with all that is free in it well formed.

    Raises:
        NothingFits: the offer's choices allow nothing that could be found.
    """
    event: Json = {"event": offer.event}
    for name, choice in offer.fields.items():
        if name not in offer.optional or random.random() < 0.5:
            try:
                event[name] = draw(choice, random)
            except NothingFits:
                if name not in offer.optional:
                    raise
    names = {field.name for field in record.book.events[offer.event].fields}
    when = _time(offer, record.state.time, random)
    for name in names & {"t", "start"} - offer.fields.keys():
        event[name] = when
    if "end" in names:
        event["end"] = event["start"] + round(random.uniform(0, 0.6), 3)
    return event


def _time(offer: Offer, now: float, random: Random) -> float:
    """A moment at which the offer holds."""
    if offer.after is not None:
        return max(now, offer.after) + SILENT_AFTER + random.random()
    when = now + SILENT_AFTER + random.random() * 1.2
    return max(now, offer.by) if offer.by is not None and when > offer.by else when


def in_order(record: Record[Any], proposals: list[Offer], random: Random) -> Iterator[Offer]:
    """The proposals in the order in which a player thinks of them: those that bring the game to its end
    first, occasionally any."""
    if isinstance(record.book, ThirteenMonsters):
        yield from preferred_thirteen(record.state, proposals, random)
    elif isinstance(record.book, Nasty7) and random.random() < 0.96:
        chosen = preferred_nasty(record.state, proposals)
        yield from random.sample(chosen, len(chosen))
    yield from random.sample(proposals, len(proposals))


def next_event(record: Record[Any], random: Random) -> Json:
    """A legal event: of the first proposal that is legal and can be filled in."""
    if isinstance(record.book, ThirteenMonsters) and not record.state.must_build:
        deal = whole_monsters(record.state, random)
        if deal is not None:
            return deal
    book, state = record.book, record.state
    for proposal in in_order(record, list(book.proposals(state)), random):
        event = _drawn(record, proposal, random)
        if event is not None and event["event"] == "card_played" and isinstance(book, TrioMonsters):
            others = [_drawn(record, proposal, random) for _ in range(random.randint(0, 5))]
            return greediest(book, state, [event, *(one for one in others if one is not None)])
        if event is not None:
            return forgetful(event, random)
    raise NothingFits(f"{book.name}: nothing is possible in {state.phase}")


def _drawn(record: Record[Any], proposal: Offer, random: Random) -> Json | None:
    """A legal event of a proposal, None without one.

    At first drawn from all of the proposal, which is quick; then from the part of it that is legal.
    """
    book, state = record.book, record.state
    with suppress(NothingFits):
        for _ in range(DRAWS):
            event = event_of(proposal, record, random)
            if book.refusal(state, event) is None:
                return event
    offer = book.legal(state, proposal)
    with suppress(NothingFits):
        return None if offer is None else event_of(offer, record, random)
    return None


def whole_game(header: Json, random: Random, longest: int = 20_000) -> Record[Any]:
    """A game from its header to its end (or to `longest` events)."""
    record: Record[Any] = opened(header)
    while record.state.phase != "over" and len(record.entries) < longest:
        record.push(next_event(record, random))
    return record

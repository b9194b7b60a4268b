"""Plays the five games at random, legally: events are drawn from what a rulebook offers.

The benchmarks count with it and the tests look for broken laws with it. A choice of a new kind is drawn by
registering it with `draw`.
"""

from __future__ import annotations

from functools import singledispatch
from random import Random
from typing import Any

from companion.rules.base import Choice, Integer, Offer, OneOf, Rulebook, Several, Words
from companion.rules.nasty_7 import Nasty7
from companion.rules.seven_merry_monsters_offers import Card, Cards, Columns
from companion.table.record import Record, opened

Json = dict[str, Any]

NAMES = ("Ida", "Jo", "Kai", "Lea", "Max", "Noa", "Ole", "Pia")
NOISE = ("eight", "one", "seven", "puh", "hmmrrr", "3", "ouch")
SILENT_AFTER = 0.05
"""Seconds between two things that happen, at least."""


class NothingFits(Exception):
    """A choice that nothing drawn at random satisfies; another offer has to be tried."""


@singledispatch
def draw(choice: Choice, random: Random) -> Any:
    """A value that the choice allows.

    Raises:
        NothingFits: none was found.
    """
    raise NotImplementedError(type(choice).__name__)


@draw.register
def _(choice: OneOf, random: Random) -> Any:
    if not choice.values:
        raise NothingFits
    value = random.choice(choice.values)
    return list(value) if isinstance(value, tuple) else value


@draw.register
def _(choice: Integer, random: Random) -> Any:
    low = 0 if choice.low is None else choice.low
    return random.randint(low, low + 9 if choice.high is None else choice.high)


@draw.register
def _(choice: Several, random: Random) -> Any:
    return random.sample(choice.values, random.randint(1, len(choice.values)))


@draw.register
def _(choice: Words, random: Random) -> Any:
    if choice.right and random.random() < 0.93:
        return list(random.choice(choice.right))
    return random.choices(NOISE, k=random.randint(1, 3))


@draw.register
def _(choice: Card, random: Random) -> Any:
    monsters = [monster for monster, left in choice.left.items() for _ in range(left)]
    if not monsters:
        raise NothingFits
    monster = random.choice(monsters)
    if monster == "joker":
        return {"monster": monster}
    if choice.numbers is None:
        return {"monster": monster, "number": random.randint(1, 7)}
    if not choice.numbers[monster]:
        raise NothingFits
    return {"monster": monster, "number": random.choice(choice.numbers[monster])}


@draw.register
def _(choice: Cards, random: Random) -> Any:
    for _attempt in range(60):
        cards = [draw(choice.card, random) for _ in range(choice.count)]
        if choice.showing and random.random() < 0.5:
            cards[0]["monster"] = random.choice(choice.showing)
        if choice.allows(cards):
            return cards
    raise NothingFits


@draw.register
def _(choice: Columns, random: Random) -> Any:
    plain = [monster for monster, left in choice.left.items() for _ in range(left)]
    total = random.randint(7, 13) if choice.total is None else choice.total
    jokers = random.randint(0, min(choice.jokers, max(0, total - 1), 4))
    if not 1 <= total - jokers <= len(plain):
        raise NothingFits
    display: Json = {}
    for monster in random.sample(plain, total - jokers):
        display.setdefault(monster, {"cards": 0, "jokers": 0})["cards"] += 1
    for _joker in range(jokers):
        column = random.choice(list(display.values()))
        column["cards"] += 1
        column["jokers"] += 1
    return display


def settings_of(game: str, random: Random) -> Json:
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
            "language": random.choice(("en", "de", "fr")),
        }
    return {}


def header_of(book: Rulebook[Any], random: Random) -> Json:
    """A header of the game with a random number of players and random house rules."""
    players = list(NAMES[: random.choice(list(book.seats))])
    return {"game": book.name, "players": players, "settings": settings_of(book.name, random)}


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
    for name in names & {"t", "start"}:
        event.setdefault(name, when)
    if "end" in names:
        event["end"] = event["start"] + round(random.uniform(0, 0.6), 3)
    return event


def _time(offer: Offer, now: float, random: Random) -> float:
    """A moment at which the offer holds."""
    if offer.after is not None:
        return max(now, offer.after) + SILENT_AFTER + random.random()
    when = now + SILENT_AFTER + random.random() * 1.2
    return max(now, offer.by) if offer.by is not None and when > offer.by else when


def wise(record: Record[Any], offers: list[Offer], random: Random) -> list[Offer]:
    """The offers that somebody who wants the game to end would take, now and then all of them."""
    if not isinstance(record.book, Nasty7) or random.random() < 0.04:
        return offers
    call = record.state.call
    if call is not None and call.due:
        return [offer for offer in offers if offer.event == "heard"]
    return [
        offer
        for offer in offers
        if offer.event == "card_played"
        and offer.after is None
        and record.state.turn in getattr(offer.fields["player"], "values", ())
    ]


def next_event(record: Record[Any], random: Random) -> Json:
    """A legal event; asks offer after offer until one can be filled in."""
    offers = record.book.expects(record.state)
    chosen = wise(record, offers, random) or offers
    for offer in random.sample(chosen, len(chosen)) + random.sample(offers, len(offers)):
        try:
            return event_of(offer, record, random)
        except NothingFits:
            continue
    raise NothingFits(f"{record.book.name}: nothing is possible in {record.state.phase}")


def whole_game(header: Json, random: Random, longest: int = 20_000) -> Record[Any]:
    """A game from its header to its end (or to `longest` events)."""
    record: Record[Any] = opened(header)
    while record.state.phase != "over" and len(record.entries) < longest:
        record.push(next_event(record, random))
    return record

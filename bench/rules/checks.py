"""Plays random games and checks them at every step: laws, offers against play, sentences, the round trip."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from bench.rules.coverage import broken
from bench.rules.laws import broken_laws
from bench.rules.play import header_of, next_event
from companion.announce.phrases import Phrases
from companion.core.errors import Rejected
from companion.games import rulebook
from companion.games.contract.rulebook import Ruling
from companion.table.record import Record, opened
from companion.table.story import phrases, templates

Json = dict[str, Any]
LANGUAGES = ("en", "de", "fr")
LONGEST = 20_000
"""Events after which a game counts as one without an end."""
COMPARED = 0.02
"""Share of the steps at which other events are judged, and looked for among the offers."""
WRITTEN = 0.05
"""Share of the events whose sentences are written out; of the others the templates are looked up."""
KEPT = 40
"""Earlier events that are tried again where they do not belong."""


class Played(msgspec.Struct):
    """What has been played and checked of one rulebook."""

    games: int = 0
    events: int = 0
    compared: int = 0
    """Events that were judged and looked for among the offers."""
    round_trips: int = 0
    """Positions that were taken up."""
    faults: list[str] = []
    reached: Counter[str] = msgspec.field(default_factory=Counter)
    """How often each rare thing has come up: verdicts, powers, phases."""


def play(game: str, seed: int, played: Played, round_trip: bool = False) -> None:
    """Plays a whole random game and adds it to what has been played; a fault ends the game."""
    played.games += 1
    try:
        fault = next(faults_of(game, seed, played, round_trip), None)
    except Exception as error:  # whatever it is, the seed shows it again
        fault = f"{type(error).__name__}: {error}"
    if fault is not None:
        played.faults.append(f"{game}, seed {seed}: {fault}")


def faults_of(game: str, seed: int, played: Played, round_trip: bool) -> Iterator[str]:
    """What is wrong with a random game, step by step."""
    random, other = Random(seed), Random(f"other {seed}")
    header = header_of(rulebook(game), random)
    record = opened(header)
    earlier: list[Json] = []
    while record.state.phase != "over":
        if len(record.entries) >= LONGEST:
            yield "no end"
        before, event = record.state, next_event(record, random)
        earlier = [*earlier[-KEPT:], event]
        if other.random() < COMPARED:
            yield from _differences(record, [event, *_strays(record, earlier, other)], played)
        entry = record.push(event)
        played.events += 1
        if entry.code is not None:
            yield f"offered and refused: {event}: {entry.code}"
        _count(played.reached, record.state, entry.findings, event)
        yield from (f"broken: {law}" for law in broken_laws(record.state))
        yield from _untold(record, before, event, entry.findings, other.random() < WRITTEN)
        if round_trip:
            played.round_trips += 1
            yield from _lost_by_position(header, record)
    if not record.winner():
        yield "nobody has won"


def _count(reached: Counter[str], state: Any, findings: Any, event: Json) -> None:
    for one in findings:
        reached[one.verdict] += 1
        if one.verdict == "caught":
            black = "black" if one.rule == "TRIO-16" else "chain"
            reached[f"caught {black} of {len(one.details['cards'])}"] += 1
    for name in (event.get("power"), state.phase):
        if name is not None:
            reached[name] += 1


# --- what is checked --------------------------------------------------------------------------------------


def _strays(record: Record[Any], earlier: list[Json], random: Random) -> list[Json]:
    """Events that hardly belong here: earlier ones, by anybody, and spoilt ones."""
    again = random.sample(earlier, min(3, len(earlier)))
    player = random.choice(record.setup.players)
    return [*again, *({**one, "player": player} for one in again), broken(earlier[-1], random)]


def _differences(record: Record[Any], events: list[Json], played: Played) -> Iterator[str]:
    """Events that are accepted and not offered, or offered and refused for no fault of their fields."""
    book, state = record.book, record.state
    offers = book.expects(state)
    for event in events:
        played.compared += 1
        try:
            book.play(state, event)
            accepted = True
        except Rejected:
            accepted = False
        offered = any(offer.matches(event) for offer in offers)
        if accepted and not offered:
            yield f"accepted and not offered: {event}"
        if offered and not accepted and book.malformed(state, event) is None:
            yield f"offered and refused: {event}"


def _untold(record: Record[Any], before: Any, event: Json, findings: Any, written: bool) -> Iterator[str]:
    """Whether an accepted event lacks a sentence, in any language."""
    book = record.book
    sentences = book.story(before, event, Ruling(record.state, findings))
    if not sentences:
        yield f"no sentence: {event}"
    for language in LANGUAGES:
        known = templates(book.name, language)
        for sentence in sentences:
            if sentence.code not in known:
                yield f"no sentence {sentence.code} in {language}"
            elif written and not _phrases(language).sentence(book.name, sentence.code, sentence.params):
                yield f"an empty sentence {sentence.code} in {language}"


@functools.cache
def _phrases(language: str) -> Phrases:
    return phrases(language)


def _lost_by_position(header: Json, record: Record[Any]) -> Iterator[str]:
    """What differs after the state has gone through JSON and was taken up by one `position`."""
    book = record.book
    shown = json.loads(msgspec.json.encode(book.view(record.state)))
    again = opened(header)
    code = again.push({"event": "position", "state": shown}).code
    if code is not None:
        yield f"position refused: {code}"
    elif json.loads(msgspec.json.encode(book.view(again.state))) != shown:
        yield "position: another state"
    elif (again.scores(), again.winner()) != (record.scores(), record.winner()):
        yield "position: other points or winners"
    elif book.deadline(record.state) is None and _timeless(again) != _timeless(record):
        yield "position: other offers"


def _timeless(record: Record[Any]) -> list[Json]:
    """The offers without their times: a position sets no clock."""
    found = []
    for offer in record.book.expects(record.state):
        shown = json.loads(msgspec.json.encode(offer))
        shown.pop("by", None)
        shown.pop("after", None)
        shown["fields"] = {name: one for name, one in shown["fields"].items() if name not in ("t", "start")}
        found.append(shown)
    return found

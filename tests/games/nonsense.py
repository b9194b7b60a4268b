"""Events of three games made without looking at the rules, or legal ones spoilt."""

from random import Random
from typing import Any

from bench.rules.play import header_of, next_event
from companion.games import rulebook
from companion.table.record import Record, opened

Json = dict[str, Any]


def some_set(random: Random) -> Json:
    """A set of 13 Monsters, mostly."""
    monster = random.choice((*range(1, 14), 13, 0, 14, True, "5", 2.0))
    return {"monster": monster, "part": random.choice(("top", "eyes", "bottom", "top", "eyes", "tail", 1))}


def some_number(random: Random) -> Any:
    return random.choice((0, 1, 2, 3, 5, 6, 7, 13, -1, 1.5, True, False, None, "3", 10**30, 1e400))


def some_value(random: Random, players: list[str]) -> Any:
    """Anything at all that may stand in a field."""
    makers = (
        lambda: random.choice(players),
        lambda: random.choice(players),
        lambda: "Nobody",
        lambda: some_number(random),
        lambda: some_set(random),
        lambda: {"monster": 3},
        lambda: [some_set(random) for _ in range(random.randint(0, 3))],
        lambda: [random.randint(0, 8), random.randint(0, 8)],
        lambda: [random.randint(-2, 2), random.choice((0, 1, -1, True, 9, 1.0))],
        lambda: [random.randint(1, 14) for _ in range(3)],
        lambda: [random.randint(1, 6) for _ in range(random.randint(0, 6))],
        lambda: [[random.randint(1, 13) for _ in range(3)] for _ in range(random.randint(0, 3))],
        lambda: random.choice(("red", "blue", "black", "mauve", "")),
        lambda: random.choice(("sacrifice", "permafrost", "prophet", "supernova", "flood")),
        lambda: {str(random.randint(0, 30)): random.choice((0, 1, 2, 3, 4, -1, True, "2"))},
        lambda: {str(n): 3 for n in range(random.randint(0, 18))},
        dict,
        list,
        lambda: ["ten"],
        lambda: ["10", "nine"],
        lambda: [3],
    )
    return random.choice(makers)()


def some_event(record: Record[Any], random: Random) -> Json:
    """An event made without looking at the rules, or a legal one with one field spoilt."""
    book, players = record.book, list(record.setup.players)
    if random.random() < 0.6 and record.state.phase != "over":
        event = next_event(record, random)
        name = random.choice([*event])
        if random.random() < 0.25 and name != "event":
            del event[name]
        elif name != "event":
            event[name] = some_value(random, players)
        else:
            event[name] = random.choice([*book.events, "undo", 5, None])
        return event
    kind = random.choice(list(book.events))
    event = {"event": kind}
    for field in book.events[kind].fields:
        if field.required or random.random() < 0.4:
            event[field.name] = some_value(random, players)
    if "player" in event and random.random() < 0.8:
        event["player"] = random.choice(players)
    return in_time(event, record, random)


def in_time(event: Json, record: Record[Any], random: Random) -> Json:
    """The event with times in order, mostly."""
    limit = record.book.deadline(record.state)
    moments = [0.0, 0.5, 3, 10.5] if limit is None else [0.0, limit - record.state.time, 11.0]
    when = record.state.time + random.choice(moments)
    for name in ("t", "start", "end"):
        if name in event and random.random() < 0.9:
            event[name] = when
    return event


def some_game(game: str, seed: int, longest: int = 80) -> tuple[Record[Any], Random]:
    """A game in the middle, after legal events and nonsense."""
    random = Random(seed)
    record = opened(header_of(rulebook(game), random))
    for _ in range(random.randint(0, longest)):
        if record.state.phase == "over":
            break
        record.push(next_event(record, random) if random.random() < 0.8 else some_event(record, random))
    return record, random

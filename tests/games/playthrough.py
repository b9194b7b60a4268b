"""Golden playthroughs: a whole game with each event, what came of it, the state and what may come next.

    python tests/games/playthrough.py                 writes every playthrough again from the events in it
    python tests/games/playthrough.py --new SEED GAME plays another game at random and writes that

A changed file in a review shows what a change of the rules does to a game.
"""

import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

Json = dict[str, Any]
FOLDER = Path(__file__).parent / "playthroughs"
HEADERS: dict[str, Json] = {
    "seven_merry_monsters": {
        "game": "seven_merry_monsters",
        "players": ["Ida", "Jo", "Kai"],
        "settings": {"target": 60, "variant": "monster_under_the_bed", "numbers": [1, 2, 3, 4, 5, 6, 7]},
    },
    "nasty_7": {
        "game": "nasty_7",
        "players": ["Ida", "Jo", "Kai", "Lea"],
        "settings": {"deck_size": 24, "nasty_rules": True, "even_more_nasty": True},
    },
    "trio_monsters": {
        "game": "trio_monsters",
        "players": ["Ida", "Jo", "Kai"],
        "settings": {"deck_size": 40},
    },
    "bugs_and_co": {
        "game": "bugs_and_co",
        "players": ["Ida", "Jo", "Kai", "Lea"],
        "settings": {"countdown": "companion", "language": "de"},
    },
    "thirteen_monsters": {
        "game": "thirteen_monsters",
        "players": ["Ida", "Jo", "Kai"],
        "settings": {"attack_again_after_set": True, "permafrost_per_turn": 2},
    },
}
LONGEST = 200
"""Characters of an offer that are shown; of the rest there is a checksum."""


def compact(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def written(header: Json, events: list[Json]) -> str:
    """The playthrough as text."""
    return "\n".join(lines(header, events)) + "\n"


def lines(header: Json, events: list[Json]) -> Iterator[str]:
    from companion.table.record import opened

    record = opened(header)
    yield f"header: {compact(header)}"
    yield f"state: {compact(record.book.view(record.state))}"
    yield from offers(record)
    for event in events:
        entry = record.push(event)
        yield ""
        yield f"event {entry.n}: {compact(event)}"
        if entry.code is not None:
            yield f"rejected: {entry.code} {entry.rule}".rstrip()
        for one, verdict in zip(entry.findings, entry.verdicts, strict=True):
            yield f"verdict: {compact(verdict)} {one.rule}".rstrip()
        yield f"state: {compact(record.book.view(record.state))}"
        yield f"scores: {compact(record.scores())}"
        yield from offers(record)
    yield ""
    yield f"winner: {', '.join(record.winner())}"


def offers(record: Any) -> Iterator[str]:
    deadline = record.book.deadline(record.state)
    if deadline is not None:
        yield f"deadline: {deadline:.3f}"
    for offer in record.book.expects(record.state):
        text = compact(offer)
        rest = text[LONGEST:]
        yield f"offer: {text[:LONGEST]}" + (f"... {zlib.crc32(rest.encode()):08x}" if rest else "")


def read(path: Path) -> tuple[Json, list[Json]]:
    """The header and the events of a playthrough."""
    header: Json = {}
    events = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("header: "):
            header = json.loads(line.removeprefix("header: "))
        elif line.startswith("event "):
            events.append(json.loads(line.partition(": ")[2]))
    return header, events


def new_game(game: str, seed: int) -> tuple[Json, list[Json]]:
    """A whole game at random with now and then an event taken back."""
    from bench.rules.play import next_event
    from companion.table.record import opened

    random = Random(seed)
    header = HEADERS[game]
    record = opened(header)
    while record.state.phase != "over":
        event = {"event": "undone"} if random.random() < 0.03 else next_event(record, random)
        record.push(msgspec.json.decode(msgspec.json.encode(rounded(event))))
    return header, [entry.event for entry in record.entries]


def rounded(event: Json) -> Json:
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in event.items()}


def main(arguments: list[str]) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    if arguments[:1] == ["--new"]:
        seed, game = arguments[1:]
        header, events = new_game(game, int(seed))
        (FOLDER / f"{game}.txt").write_text(written(header, events), encoding="utf-8")
        return
    for path in sorted(FOLDER.glob("*.txt")):
        path.write_text(written(*read(path)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

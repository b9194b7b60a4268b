"""What is known at the table as one JSON object: all that pages, lamps and tests ever see of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.announce.announcement import Announcement, finding
from companion.announce.phrases import Phrases
from companion.core.message import Message
from companion.table.doubts import Doubts
from companion.table.game import RunningGame, called
from companion.table.record import Entry

Json = dict[str, Any]

LOG = 100
"""So many of the latest entries are shown."""

COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999")
"""Colours that colour-blind eyes tell apart (Okabe and Ito 2008), with grey for black on a dark page."""
SHAPES = ("circle", "square", "triangle", "diamond", "star", "hexagon", "cross", "drop")
"""Each player has a shape as well."""


class Source(msgspec.Struct, frozen=True):
    """What is known of one source."""

    up: bool
    why: Message | None = None

    def as_json(self, phrases: Phrases) -> Json:
        """What the pages get: `why` as a sentence ("" without one), with the code and parameters it was
        written from."""
        why = self.why
        if why is None:
            return {"up": self.up, "why": "", "code": None, "params": {}}
        return {"up": self.up, "why": phrases.written(why), "code": why.code, "params": why.params}


def seats(players: Sequence[str]) -> list[Json]:
    """The players with colour and shape."""
    return [
        {"name": name, "colour": COLOURS[i % len(COLOURS)], "shape": SHAPES[i % len(SHAPES)]}
        for i, name in enumerate(players)
    ]


def without_game() -> Json:
    """The part of the snapshot that belongs to a game, while there is none."""
    return {
        "game": None,
        "state": {},
        "scores": {},
        "winner": [],
        "phase": None,
        "turn": None,
        "log": [],
        "offers": [],
        "paused": None,
        "deadline": None,
    }


def of_game(game: RunningGame, phrases: Phrases) -> Json:
    """The part of the snapshot that belongs to the game on the table."""
    seen = game.seen()
    return {
        "game": {
            "id": game.row.id,
            "name": game.row.name,
            "title": game.book.title,
            "settings": msgspec.to_builtins(game.setup.settings),
            "players": seats(seen.players),
        },
        "state": dict(seen.view),
        "scores": game.record.scores(),
        "winner": game.record.winner(),
        "phase": seen.view["phase"],
        "turn": seen.turn,
        "log": log(game, phrases),
        "offers": [msgspec.to_builtins(offer) for offer in seen.offers],
        "paused": game.clock.paused,
        "deadline": {"in": 0.0, "player": game.spotter.on_the_clock(seen)},
    }


def log(game: RunningGame, phrases: Phrases) -> list[Json]:
    """The latest entries, oldest first, each with what came of it."""
    taken_back, set_aside = game.record.undone(), game.record.overruled()
    entries = []
    for entry in game.record.entries[-LOG:]:
        entries.append(
            {
                "n": entry.n,
                "event": entry.event,
                "text": phrases.event(entry.event),
                "t": game.times.get(entry.n),
                "source": game.sources.get(entry.n),
                "undone": entry.n in taken_back,
                "rejected": entry.code,
                "turn": game.turns.get(entry.n),
                "why": None if entry.code is None else phrases.text(entry.code, _about(entry, game)),
                "rule": entry.rule,
                "verdicts": [_verdict(entry, i, game, phrases) for i in range(len(entry.findings))],
                "overruled": entry.n in set_aside,
                "dropped": list(entry.dropped),
            }
        )
    return entries


def _verdict(entry: Entry, index: int, game: RunningGame, phrases: Phrases) -> Json:
    """One finding with its sentence and the rule it rests on."""
    said = finding(entry.verdicts[index], called(game, entry), game.limit)
    return {
        **entry.verdicts[index],
        "text": phrases.text(said.code, said.params),
        "params": said.params,
        "rule": entry.findings[index].rule,
    }


def _about(entry: Entry, game: RunningGame) -> Json:
    return {**entry.event, "turn": game.turns.get(entry.n)}


def announced(announcement: Announcement | None, phrases: Phrases) -> Json | None:
    """An announcement with its sentence."""
    return None if announcement is None else announcement.as_json(phrases)


def whole(
    seq: int,
    game: RunningGame | None,
    doubts: Doubts,
    sources: Mapping[str, Source],
    announcement: Announcement | None,
    night: Json,
    phrases: Phrases,
) -> Json:
    """The whole snapshot; its deadline is filled in when it is asked for."""
    part = without_game() if game is None else of_game(game, phrases)
    known = {
        "seq": seq,
        **part,
        "questions": [doubt.as_json(phrases) for doubt in doubts],
        "sources": {name: source.as_json(phrases) for name, source in sources.items()},
        "announcement": announced(announcement, phrases),
        "night": night,
    }
    # Through JSON once: plain values that share nothing with the table's own.
    plain: Json = msgspec.json.decode(msgspec.json.encode(known))
    return plain

"""Journals as others read them: scripts for `companion replay`, CSV tables, links for BG Stats."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import msgspec

from companion.store.rows import GameRow, Line

SOURCE_NAME = "Tabletop Companion"
"""BG Stats identifies games and players by this name: it must never change."""
BGSTATS = "https://app.bgstatsapp.com/createPlay.html?data="
"""One play per link, as documented at bgstatsapp.com/support (push plays to BG Stats)."""
LINK_CHARACTERS = 8000
"""Longest link in characters: longer ones are cut off by apps. Comments are dropped first."""

COLUMNS = ("night", "game_id", "game", "started", "ended", "player", "seat", "score", "place", "winner")
"""Columns of the CSV table, one row for each player of each game."""


def script(game: GameRow, lines: Iterable[Line]) -> str:
    """The game as a script: its header, then every judged event, rejected ones too, so that numbers agree."""
    objects: list[Mapping[str, Any]] = [game.header(), *(line.event for line in lines)]
    return "".join(msgspec.json.encode(one).decode() + "\n" for one in objects)


def table(games: Iterable[tuple[GameRow, Mapping[str, int]]]) -> str:
    """Every player of every game with score and place, as CSV (RFC 4180)."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for game, place in games:
        for seat, player in enumerate(game.players, 1):
            score = (game.scores or {}).get(player)
            won = player in (game.winner or [])
            writer.writerow(
                [
                    game.night,
                    game.id,
                    game.name,
                    game.started,
                    game.ended or "",
                    _harmless(player),
                    seat,
                    "" if score is None else score,
                    place[player],
                    "yes" if won else "no",
                ]
            )
    return target.getvalue()


def bgstats_link(
    game: GameRow, title: str, place: Mapping[str, int], *, highest_wins: bool, comments: str = ""
) -> str:
    """A link that enters the game into BG Stats.

    Ids are stable; `winner` and `startPlayer` are always there, because the Android app asks for them.
    """
    first = game.settings.get("first_player") or game.players[0]
    scores = game.scores or {}
    players = [
        {
            "name": player,
            "sourcePlayerId": hashlib.sha256(player.encode()).hexdigest()[:16],
            "startPlayer": player == first,
            "winner": player in (game.winner or []),
            "rank": place[player],
            **({"score": str(scores[player])} if player in scores else {}),
        }
        for player in game.players
    ]
    play: dict[str, Any] = {
        "sourceName": SOURCE_NAME,
        "sourcePlayId": game.key,
        "playDate": _moment(game.started).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {
            "name": title,
            "sourceGameId": game.name,
            "highestWins": highest_wins,
            "noPoints": False,
        },
        "players": players,
    }
    if game.ended is not None:
        minutes = (_moment(game.ended) - _moment(game.started)).total_seconds() / 60
        play["durationMin"] = max(1, round(minutes))
    link = _link({**play, "comments": comments} if comments else play)
    return link if len(link) <= LINK_CHARACTERS else _link(play)


def file_name(game: GameRow) -> str:
    """A name for the game's script that sorts by time: `2026-11-21_1930_nasty_7_12.jsonl`."""
    return f"{_moment(game.started):%Y-%m-%d_%H%M}_{game.name}_{game.id}.jsonl"


def _link(play: Mapping[str, Any]) -> str:
    return BGSTATS + quote(msgspec.json.encode(play).decode(), safe="")


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _harmless(name: str) -> str:
    """A name that a spreadsheet does not interpret as a formula."""
    return "'" + name if name[:1] in "=+-@\t\r" else name

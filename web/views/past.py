"""What has been played: results, records, and files for spreadsheets, `companion replay` and bug reports."""

from __future__ import annotations

import re

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.game_steps import GameSteps
from companion.api.replies import OpenedFile
from web import bodies
from web.context import host, pages
from web.errors import Refused
from web.views.board import boot
from web.words import _, language, written

blueprint = Blueprint("past", __name__)
AROUND = 20
"""So many steps before the one that the address names come with the page."""
EVIDENCE = re.compile(r"[A-Za-z0-9_-]{1,120}\.zip")


@blueprint.get("/past")
def past() -> str:
    """Every game with its result, the latest first, and the players' records over all evenings."""
    known = host().history.state()
    senses = replace(known.senses, advice=tuple(written(one) for one in known.senses.advice))
    return render_template("past.html", boot=replace(boot(), past=replace(known, senses=senses)))


@blueprint.get("/past/<int:game>")
def replay(game: int) -> str:
    """A past game, event by event; `step` in the address names the event."""
    steps = _steps(game, request.args.get("step", 0, type=int) - AROUND)
    return render_template("replay.html", boot=replace(boot(), replay=steps), shown_game=steps.game)


@blueprint.get("/past/file/<key>")
def opened_file(key: str) -> str:
    """A game that was opened from a file, event by event; `step` in the address names the event."""
    first = request.args.get("step", 0, type=int) - AROUND
    steps = _written(host().history.file_steps(key, first))
    return render_template("replay.html", boot=replace(boot(), replay=steps), shown_game=steps.game)


@blueprint.post("/api/past/file")
def open_file() -> ResponseReturnValue:
    """Opens a game from a file, to step through it. Stores nothing."""
    sent = bodies.read(requests.GameFile)
    return jsonify(OpenedFile(host().history.open_file(sent.name, sent.text)))


@blueprint.get("/api/past/file/<key>/steps")
def file_steps(key: str) -> ResponseReturnValue:
    """Steps of a game that was opened from a file."""
    return jsonify(_written(host().history.file_steps(key, request.args.get("first", 0, type=int))))


@blueprint.get("/players")
def players() -> str:
    """Who wins what, who calls how fast, who finishes above whom; `name` in the address chooses a player."""
    return render_template("players.html", boot=replace(boot(), players=host().history.players()))


@blueprint.get("/api/players")
def player_reports() -> ResponseReturnValue:
    """What the page shows."""
    return jsonify(host().history.players())


@blueprint.get("/api/past/<int:game>/steps")
def steps(game: int) -> ResponseReturnValue:
    """Steps of a past game with their sentences in the phone's language."""
    return jsonify(_steps(game, request.args.get("first", 0, type=int)))


def _steps(game: int, first: int) -> GameSteps:
    return _written(host().history.steps(game, first))


def _written(found: GameSteps) -> GameSteps:
    """Steps with their sentences in the phone's language."""
    entries = [one.entry for one in found.steps if one.entry is not None]
    written_entries = iter(pages().writer.entries(entries, found.game.name, language()))
    return replace(
        found,
        steps=tuple(
            one if one.entry is None else replace(one, entry=next(written_entries)) for one in found.steps
        ),
    )


@blueprint.get("/past/results.csv")
def results() -> Response:
    """All results as a table."""
    return _file("results.csv", "text/csv; charset=utf-8", host().history.table().encode())


@blueprint.get("/past/<int:game>.jsonl")
def script(game: int) -> Response:
    """A game as the script that `companion replay` reads."""
    name, text = host().history.script(game)
    return _file(name, "application/x-ndjson", text.encode())


@blueprint.get("/evidence/<name>")
def evidence(name: str) -> Response:
    """A file of kept evidence: pictures and sound, so for the referee only."""
    if not EVIDENCE.fullmatch(name):
        raise Refused(404, "not_found", _("There is nothing here. Perhaps the address is mistyped."))
    return _file(name, "application/zip", host().evidence(name))


def _file(name: str, kind: str, content: bytes) -> Response:
    """A response that the phone stores as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, content_type=kind, headers=headers)

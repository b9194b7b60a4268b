"""Stored data: what is kept about people and games, and deleting it. The referee's only."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from web import bodies
from web.context import host, is_referee
from web.views.board import boot

blueprint = Blueprint("stored", __name__)


@blueprint.get("/stored")
def stored() -> str:
    """Everything that is stored; a guest reads that only the referee may see it."""
    found = host().stored_data.state() if is_referee() else None
    return render_template("stored.html", boot=replace(boot(), stored=found))


@blueprint.get("/api/stored")
def state() -> ResponseReturnValue:
    """What the page shows."""
    return jsonify(host().stored_data.state())


@blueprint.get("/backup.zip")
def backup() -> Response:
    """All games, decks and settings in one file."""
    name, content = host().stored_data.backup()
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, content_type="application/zip", headers=headers)


@blueprint.post("/api/stored/game")
def forget_game() -> ResponseReturnValue:
    """Deletes a game."""
    return jsonify(host().stored_data.forget_game(bodies.read(requests.GameNumber).game))


@blueprint.post("/api/stored/player")
def forget_player() -> ResponseReturnValue:
    """Deletes a player's name and voice."""
    return jsonify(host().stored_data.forget_player(bodies.read(requests.PlayerName).player))


@blueprint.post("/api/stored/file")
def forget_file() -> ResponseReturnValue:
    """Deletes kept evidence, a damaged journal, or data that a backup has replaced."""
    asked = bodies.read(requests.StoredFileName)
    return jsonify(host().stored_data.forget_file(asked.kind, asked.name))

"""Start of a game, state of the senses, and table set-up."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.replies import SeenReply, SetupReply
from web import bodies
from web.context import host, is_referee
from web.errors import Refused
from web.views.board import boot
from web.words import _

blueprint = Blueprint("setup", __name__)


STEPS = {
    "state": "state",
    "reset": "reset",
    "mat": "from_mat",
    "remember": "remember",
    "relock": "relock",
    "lens": "learn_lens",
    "forget_lens": "forget_lens",
}
"""Steps that need only the game -> the host's methods for them."""


@blueprint.get("/new")
def new_game() -> str:
    """Choose the game, the players in seating order, and the house rules."""
    return render_template("new.html", boot=replace(boot(), games=host().games(settings=True)))


@blueprint.get("/setup")
def setup() -> str:
    """The sources with their faults; for the referee also the picture with zones."""
    table = host().table_setup.state() if is_referee() else None
    return render_template("setup.html", boot=replace(boot(), setup=table))


@blueprint.get("/live.jpg")
def live() -> Response:
    """What the camera sees now."""
    return Response(host().live(), mimetype="image/jpeg")


@blueprint.post("/api/setup/<step>")
def act(step: str) -> ResponseReturnValue:
    """One step of the set-up; answers with the new state of the page."""
    table = host().table_setup
    if step == "draw":
        asked = bodies.read(requests.DrawnZones)
        return jsonify(SetupReply(table.draw(asked.game, asked.zones)))
    game = bodies.read(requests.SetupGame).game
    if step == "look":
        return jsonify(SeenReply(table.look(game)))
    if step not in STEPS:
        raise Refused(404, "unknown_command", _("There is no command of that name."))
    return jsonify(SetupReply(getattr(table, STEPS[step])(game)))

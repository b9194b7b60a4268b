"""Starting a game, and seeing whether the senses are there."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from web.context import host, need_referee
from web.views.board import boot

blueprint = Blueprint("setup", __name__)


@blueprint.get("/new")
def new_game() -> str:
    """Choose the game, the players in their seats, and the house rules."""
    return render_template("new.html", boot={**boot(), "games": host().games()})


@blueprint.get("/setup")
def setup() -> str:
    """The sources: what sees and hears, what is down and why."""
    return render_template("setup.html", boot=boot())


@blueprint.get("/live.jpg")
def live() -> Response:
    """What the camera sees now."""
    need_referee()
    return Response(host().live(), mimetype="image/jpeg")

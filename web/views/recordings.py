"""Recorded evenings: the switch, the list, and deleting."""

from __future__ import annotations

from flask import Blueprint, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from web import bodies
from web.context import host, is_referee
from web.views.board import boot

blueprint = Blueprint("recordings", __name__)


@blueprint.get("/recordings")
def recordings() -> str:
    """The recorded evenings; the referee may record this one, or delete one."""
    state = host().recordings.state() if is_referee() else None
    return render_template("recordings.html", boot=replace(boot(), recordings=state))


@blueprint.get("/api/recordings")
def state() -> ResponseReturnValue:
    """What the page shows now."""
    return jsonify(host().recordings.state())


@blueprint.post("/api/recordings/start")
def start() -> ResponseReturnValue:
    """Records this evening from now on."""
    bodies.read(requests.NoFields)
    return jsonify(host().recordings.start())


@blueprint.post("/api/recordings/stop")
def stop() -> ResponseReturnValue:
    """Ends the recording and keeps it."""
    bodies.read(requests.NoFields)
    return jsonify(host().recordings.stop())


@blueprint.post("/api/recordings/forget")
def forget() -> ResponseReturnValue:
    """Deletes an evening."""
    return jsonify(host().recordings.forget(bodies.read(requests.EveningName).name))

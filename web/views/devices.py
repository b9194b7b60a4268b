"""Trying the devices out: buttons, buzzer, lamps, voice, microphone, and what `companion doctor` finds."""

from __future__ import annotations

import msgspec
from flask import Blueprint, jsonify, render_template
from flask.typing import ResponseReturnValue

from web import bodies
from web.context import host, is_referee, need_referee
from web.views.board import boot

blueprint = Blueprint("devices", __name__)


class Output(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to give a sign: `buzzer`, `lamps` or `voice`."""

    name: str


@blueprint.get("/devices")
def devices() -> str:
    """Each device as it is found, with what to do about it; the referee may try them."""
    state = host().trying.state() if is_referee() else None
    return render_template("devices.html", boot={**boot(), "devices": state})


@blueprint.get("/api/devices")
def state() -> ResponseReturnValue:
    """What the page shows now; asked for again and again while it is open."""
    need_referee()
    return jsonify(host().trying.state())


@blueprint.post("/api/devices/try")
def try_out() -> ResponseReturnValue:
    """Lets one of them give a sign."""
    need_referee()
    host().trying.try_out(bodies.read(Output).name)
    return jsonify({"ok": True})


@blueprint.post("/api/devices/loop")
def loop_back() -> ResponseReturnValue:
    """Whether the microphone hears the buzzer."""
    need_referee()
    bodies.read(bodies.Nothing)
    return jsonify({"ok": True, **host().trying.loop_back()})

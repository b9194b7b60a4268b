"""Test of the devices: buttons, buzzer, lamps, voice, microphone, and the findings of `companion doctor`."""

from __future__ import annotations

from flask import Blueprint, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.devices import DeviceChecks, DeviceState
from companion.api.replies import Done
from web import bodies
from web.context import host, is_referee
from web.findings import described
from web.views.board import boot

blueprint = Blueprint("devices", __name__)


@blueprint.get("/devices")
def devices() -> str:
    """Each device with its finding and remedy; the referee may test them."""
    state = _now() if is_referee() else None
    return render_template("devices.html", boot=replace(boot(), devices=state))


@blueprint.get("/api/devices")
def state() -> ResponseReturnValue:
    """What the page shows now; the open page polls it."""
    return jsonify(_now())


@blueprint.get("/api/checks")
def checks() -> ResponseReturnValue:
    """What the service has found, for `companion doctor` on this machine."""
    return jsonify(DeviceChecks(tuple(described(one) for one in host().checks())))


@blueprint.post("/api/devices/try")
def test_output() -> ResponseReturnValue:
    """Tests one output."""
    host().device_test.test_output(bodies.read(requests.OutputChoice).name)
    return jsonify(Done())


@blueprint.post("/api/devices/loop")
def loop_back() -> ResponseReturnValue:
    """Whether the microphone hears the buzzer."""
    bodies.read(requests.NoFields)
    return jsonify(host().device_test.loop_back())


def _now() -> DeviceState:
    """What the page shows, its findings in the phone's language; what is missing comes first."""
    state = host().device_test.state()
    found = sorted(state.findings, key=lambda one: one.there)
    return replace(state, findings=tuple(described(one) for one in found))

"""Training of a player's voice or an invented sound: the table's microphone is used while the page is
open."""

from __future__ import annotations

from flask import Blueprint, abort, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.devices import VoiceState
from companion.api.replies import Done
from web import bodies
from web.context import host, is_referee
from web.views.board import boot
from web.words import written

blueprint = Blueprint("voices", __name__)


@blueprint.get("/voices")
def voices() -> str:
    """The trained voices; the referee may train or delete one."""
    if not is_referee():
        return render_template("voices.html", boot=replace(boot(), voices=None, seats=None))
    known = host().seat_training.state()
    return render_template("voices.html", boot=replace(boot(), voices=_now(), seats=known))


@blueprint.get("/api/voices")
def state() -> ResponseReturnValue:
    """What the page shows now; a lesson goes on while the page polls it."""
    return jsonify(_now())


def _now() -> VoiceState:
    """What the page shows, in the phone's language."""
    now = host().voice_training.state()
    if now.outcome is None:
        return now
    return replace(now, outcome=replace(now.outcome, text=written(now.outcome.text)))


@blueprint.post("/api/voices/begin")
def begin() -> ResponseReturnValue:
    """Listens for a player's words."""
    host().voice_training.begin(bodies.read(requests.PlayerName).player)
    return jsonify(Done())


@blueprint.post("/api/voices/stop")
def stop() -> ResponseReturnValue:
    """Ends a lesson; nothing of it is kept."""
    bodies.read(requests.NoFields)
    host().voice_training.stop()
    return jsonify(Done())


@blueprint.post("/api/voices/forget")
def forget() -> ResponseReturnValue:
    """Deletes a voice."""
    host().voice_training.forget(bodies.read(requests.PlayerName).player)
    return jsonify(Done())


@blueprint.get("/api/seats")
def seats() -> ResponseReturnValue:
    """The known seats; listening for a name goes on while the page polls this."""
    return jsonify(host().seat_training.state())


@blueprint.post("/api/seats/begin")
def begin_seat() -> ResponseReturnValue:
    """Listens for a player's name."""
    host().seat_training.begin(bodies.read(requests.PlayerName).player)
    return jsonify(Done())


@blueprint.post("/api/seats/stop")
def stop_seat() -> ResponseReturnValue:
    """Stops listening; nothing of it is kept."""
    bodies.read(requests.NoFields)
    host().seat_training.stop()
    return jsonify(Done())


@blueprint.post("/api/seats/forget")
def forget_seat() -> ResponseReturnValue:
    """Deletes a seat."""
    host().seat_training.forget(bodies.read(requests.PlayerName).player)
    return jsonify(Done())


@blueprint.get("/api/sound")
def sound() -> ResponseReturnValue:
    """The repetitions of the invented sound that are still to come."""
    return jsonify(host().sound_training.state())


@blueprint.post("/api/sound/<step>")
def train_sound(step: str) -> ResponseReturnValue:
    """`begin`: sounds are repetitions of the invented sound, three times in all; `stop` ends the training."""
    bodies.read(requests.NoFields)
    if step not in ("begin", "stop"):
        abort(404)
    training = host().sound_training
    return jsonify(training.begin() if step == "begin" else training.stop())

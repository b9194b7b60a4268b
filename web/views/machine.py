"""This machine: its state, backups and restoring, a report for somebody who helps. The referee's only."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.machine import MachineState, UpdateRequest, UploadPiece
from companion.api.replies import Done
from web import bodies
from web.context import host, is_referee
from web.errors import Refused
from web.findings import described
from web.sessions import phone_secret
from web.views.board import boot
from web.words import _, written

blueprint = Blueprint("machine", __name__)


@blueprint.get("/machine")
def machine() -> str:
    """The state of the machine; a guest reads that only the referee may see it."""
    found = _now() if is_referee() else None
    return render_template("machine.html", boot=replace(boot(), machine=found))


@blueprint.get("/api/machine")
def state() -> ResponseReturnValue:
    """What the page shows."""
    return jsonify(_now())


@blueprint.post("/api/upload")
def upload() -> ResponseReturnValue:
    """Takes a piece of a file."""
    return jsonify(host().owner.uploads.take(bodies.read(UploadPiece)))


@blueprint.post("/api/restore/examine")
def examine() -> ResponseReturnValue:
    """What the backup that was sent holds."""
    bodies.read(requests.NoFields)
    return jsonify(host().owner.restoration.examine())


@blueprint.post("/api/restore")
def restore() -> ResponseReturnValue:
    """Restores the backup that was sent."""
    bodies.read(requests.NoFields)
    return jsonify(host().owner.restoration.restore())


@blueprint.post("/api/update")
def update() -> ResponseReturnValue:
    """Updates the machine, for a phone that was made the referee's, also where everybody decides."""
    action = bodies.read(UpdateRequest).action
    if not host().pairing.is_referee(phone_secret()):
        raise Refused(403, "referee_only", _("For an update enter the code on the join page."))
    host().owner.updates.request(action)
    return jsonify(Done())


@blueprint.get("/report.zip")
def report() -> Response:
    """A report as a file."""
    name, content = host().owner.report.report()
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, content_type="application/zip", headers=headers)


def _now() -> MachineState:
    found = host().owner.machine()
    restored = found.restored
    return replace(
        found,
        health=tuple(described(one) for one in found.health),
        restored=None if restored is None else replace(restored, why=written(restored.why)),
    )

"""Commands: everything that changes the game."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from web import bodies, roles
from web.context import host, pages, told
from web.errors import Refused
from web.words import _

blueprint = Blueprint("api", __name__, url_prefix="/api")


@blueprint.post("/why")
def why() -> ResponseReturnValue:
    """Keeps the pictures and the sound round an entry: nothing is written unless somebody asks."""
    if roles.role(pages().gate) != roles.REFEREE:
        raise Refused(403, "referee_only", _("Only the referee can do that. Enter the PIN on the join page."))
    return jsonify({"ok": True, **host().why(bodies.read(bodies.Entry).n)})


@blueprint.post("/command/<name>")
def command(name: str) -> ResponseReturnValue:
    """Hands a command to the host.

    200 {"ok": true, ...}; 409 {"ok": false, "code", "text"} if the rules or the table say no; 400, 403, 404,
    413 for what never gets that far.
    """
    data = bodies.command(name)
    role = roles.role(pages().gate)
    snapshot = {} if role == roles.REFEREE else host().snapshot()
    roles.check(role, roles.me(), name, data, snapshot)
    reply = told(host().command(name, data, role))
    return jsonify(reply), 200 if reply.get("ok") else 409

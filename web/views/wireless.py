"""The appliance's wireless network, and the page of its first start."""

from __future__ import annotations

import io

from flask import Blueprint, Response, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.replies import Done, RoleReply
from companion.api.wireless import FirstSettings, WirelessJoin
from web import bodies, roles
from web.context import host, is_referee
from web.errors import Refused
from web.hotspot import in_hotspot
from web.sessions import new_secret, phone_name
from web.views.board import boot
from web.words import _, known

blueprint = Blueprint("wireless", __name__)


@blueprint.get("/welcome")
def welcome() -> str:
    """Language and network of a new appliance; later it says that nothing is left to do."""
    due = host().owner.first_start.due
    wireless = host().owner.wireless.state() if due and is_referee() else None
    return render_template("welcome.html", boot=replace(boot(), first_start=due, wireless=wireless))


@blueprint.get("/api/wireless")
def state() -> ResponseReturnValue:
    """What is known of wireless networks."""
    return jsonify(host().owner.wireless.state())


@blueprint.get("/wifi.svg")
def qr() -> Response:
    """The hotspot as a QR code, as phones read it."""
    from segno import helpers  # imported late: a fifth of the time of all imports of the service

    hotspot = host().owner.wireless.state().hotspot
    if hotspot is None:
        raise Refused(404, "no_hotspot", _("The companion has no wireless network of its own now."))
    picture = io.BytesIO()
    code = helpers.make_wifi(hotspot.name, hotspot.password or None, "WPA" if hotspot.password else None)
    code.save(picture, kind="svg", scale=8, border=4, light="white", dark="black")
    return Response(picture.getvalue(), mimetype="image/svg+xml")


@blueprint.post("/api/wireless/join")
def join() -> ResponseReturnValue:
    """Joins a network."""
    host().owner.wireless.join(bodies.read(WirelessJoin))
    return jsonify(Done())


@blueprint.post("/api/welcome/claim")
def claim() -> ResponseReturnValue:
    """Makes this phone the referee's, on a new machine and in its own network only."""
    bodies.read(requests.NoFields)
    new = host().owner.first_start.due and in_hotspot()
    if not new or not host().pairing.claim_new_machine(new_secret(), phone_name()):
        raise Refused(
            409, "not_new", _("This machine has an owner already. Enter the code on the join page.")
        )
    return jsonify(RoleReply(roles.REFEREE))


@blueprint.post("/api/welcome")
def finish() -> ResponseReturnValue:
    """Takes language and network over; the page is not shown again."""
    first = bodies.read(FirstSettings)
    if first.language not in known():
        raise Refused(409, "unknown_language", _("Nobody has translated the pages into that language."))
    return jsonify(host().owner.first_start.finish(first))

"""Joining: the QR code, the phone's player, and the referee's PIN."""

from __future__ import annotations

import io

from flask import Blueprint, Response, jsonify, render_template, request, session
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.replies import LanguageReply, OwnerReply, RoleReply
from web import bodies, roles
from web.context import host, pages
from web.errors import Refused
from web.views.board import boot
from web.words import CHOSEN, _, known

blueprint = Blueprint("join", __name__)


@blueprint.get("/join")
def join() -> str:
    """The code to scan, the address to type, who you are, and the PIN."""
    return render_template(
        "join.html", boot=replace(boot(), open=pages().gate.open_to_all()), url=host().join_url()
    )


@blueprint.get("/qr.svg")
def qr() -> Response:
    """The join address as a QR code: dark on white with its quiet zone, so that every phone reads it."""
    import segno  # imported late: a fifth of the time of all imports of the service

    picture = io.BytesIO()
    code = segno.make(host().join_url(), error="m", micro=False)
    code.save(picture, kind="svg", scale=8, border=4, light="white", dark="black")
    return Response(picture.getvalue(), mimetype="image/svg+xml")


@blueprint.post("/api/role")
def become_referee() -> ResponseReturnValue:
    """The right PIN makes this phone the referee's."""
    pin = bodies.read(requests.PinEntry).pin.strip()
    if not pin or not pages().gate.enter(request.remote_addr or "", pin):
        raise Refused(403, "wrong_pin", _("That is not the PIN."))
    session.permanent = True
    session["role"] = roles.REFEREE
    return jsonify(RoleReply(roles.REFEREE))


@blueprint.post("/api/leave")
def become_guest() -> ResponseReturnValue:
    """Makes this phone a guest's again."""
    bodies.read(requests.NoFields)
    session.pop("role", None)
    return jsonify(RoleReply(roles.role(pages().gate)))


@blueprint.post("/api/language")
def speak() -> ResponseReturnValue:
    """Sets this phone's language; null: the one its browser asks for."""
    chosen = bodies.read(requests.LanguageChoice).language
    if chosen is None:
        session.pop(CHOSEN, None)
    elif chosen not in known():
        raise Refused(409, "unknown_language", _("Nobody has translated the pages into that language."))
    else:
        session.permanent = True
        session[CHOSEN] = chosen
    return jsonify(LanguageReply(chosen))


@blueprint.post("/api/me")
def say_who_i_am() -> ResponseReturnValue:
    """Sets this phone's player: one of the running game, or none."""
    player = bodies.read(requests.PhoneOwner).player
    game = host().snapshot().game
    if player is None:
        session.pop("me", None)
    elif game is None or player not in [seat.name for seat in game.players]:
        raise Refused(409, "unknown_player", _("Nobody of that name sits at the table."))
    else:
        session.permanent = True
        session["me"] = player
    return jsonify(OwnerReply(player))

"""Joining: the QR code, the phone's player, and how a phone becomes the referee's."""

from __future__ import annotations

import io

from flask import Blueprint, Response, jsonify, render_template, request, session
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.pairing import PairedPhones
from companion.api.replies import Done, LanguageReply, OwnerReply, RoleReply
from web import bodies, roles
from web.context import host, is_referee, pages
from web.errors import Refused
from web.sessions import new_secret, phone_name, phone_secret
from web.views.api import limit_guests
from web.views.board import boot
from web.words import CHOSEN, _, known

blueprint = Blueprint("join", __name__)


@blueprint.get("/join")
def join() -> str:
    """The code to scan, the address to type, who you are, and the referee's code."""
    return render_template(
        "join.html",
        boot=replace(boot(), open=host().pairing.open_to_all()),
        url=host().join_url(request.host),
    )


@blueprint.get("/qr.svg")
def qr() -> Response:
    """The join address as a QR code: dark on white with its quiet zone, so that every phone reads it."""
    import segno  # imported late: a fifth of the time of all imports of the service

    picture = io.BytesIO()
    code = segno.make(host().join_url(request.host), error="m", micro=False)
    code.save(picture, kind="svg", scale=8, border=4, light="white", dark="black")
    return Response(picture.getvalue(), mimetype="image/svg+xml")


@blueprint.post("/api/role")
def become_referee() -> ResponseReturnValue:
    """The right code makes this phone the referee's."""
    code, address = bodies.read(requests.CodeEntry).code.strip(), request.remote_addr or ""
    pages().gate.check(address)
    right = bool(code) and host().pairing.enter(code, new_secret(), phone_name())
    pages().gate.tried(address, right)
    if not right:
        raise Refused(403, "wrong_code", _("That is not the code."))
    return jsonify(RoleReply(roles.REFEREE))


@blueprint.get("/api/pairing/role")
def role() -> ResponseReturnValue:
    """The role of this phone; a phone that has asked for a press learns here that it was made."""
    return jsonify(RoleReply(roles.role(host().pairing)))


@blueprint.post("/api/pairing/ask")
def ask_for_press() -> ResponseReturnValue:
    """Asks for a press on the companion that makes this phone the referee's."""
    bodies.read(requests.NoFields)
    limit_guests()
    host().pairing.ask(new_secret(), phone_name())
    return jsonify(Done())


@blueprint.post("/api/pairing/code")
def code() -> ResponseReturnValue:
    """A code for another phone."""
    bodies.read(requests.NoFields)
    return jsonify(host().pairing.fresh())


@blueprint.get("/api/pairing/shown")
def shown_code() -> ResponseReturnValue:
    """The present code, for a screen at the table."""
    return jsonify(host().pairing.shown())


@blueprint.get("/phones")
def phones() -> str:
    """The phones that the table knows; the referee may revoke one and let another one decide."""
    found = _phones() if is_referee() else None
    return render_template("phones.html", boot=replace(boot(), phones=found))


@blueprint.get("/api/phones")
def known_phones() -> ResponseReturnValue:
    """What the page shows."""
    return jsonify(_phones())


@blueprint.post("/api/phones/revoke")
def revoke() -> ResponseReturnValue:
    """Forgets a phone: it is a guest's then, and nobody's."""
    host().pairing.revoke(bodies.read(requests.PhoneNumber).number)
    return jsonify(_phones())


def _phones() -> PairedPhones:
    return PairedPhones(host().pairing.phones(phone_secret()))


@blueprint.post("/api/leave")
def become_guest() -> ResponseReturnValue:
    """Makes this phone a guest's again."""
    bodies.read(requests.NoFields)
    host().pairing.leave(phone_secret())
    return jsonify(RoleReply(roles.role(host().pairing)))


@blueprint.post("/api/language")
def speak() -> ResponseReturnValue:
    """Sets this phone's language; null: the one its browser asks for."""
    chosen = bodies.read(requests.LanguageChoice).language
    if chosen is None:
        session.pop(CHOSEN, None)
    elif chosen not in known():
        raise Refused(409, "unknown_language", _("Nobody has translated the pages into that language."))
    else:
        session[CHOSEN] = chosen
    return jsonify(LanguageReply(chosen))


@blueprint.post("/api/me")
def say_who_i_am() -> ResponseReturnValue:
    """Sets this phone's player: one of the running game, or none."""
    player = bodies.read(requests.PhoneOwner).player
    game = host().snapshot().game
    if player is not None and (game is None or player not in [seat.name for seat in game.players]):
        raise Refused(409, "unknown_player", _("Nobody of that name sits at the table."))
    if player is None and not phone_secret():
        return jsonify(OwnerReply(None))
    limit_guests()
    if not host().pairing.claim(player, new_secret(), phone_name()):
        text = _("Another phone is %(name)s's. The referee can give it free on the page Phones.", name=player)
        raise Refused(409, "player_taken", text)
    return jsonify(OwnerReply(player))

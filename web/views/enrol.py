"""Learning a deck: cards on the table are found, shown, and named by tapping. The referee's only."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.replies import DeckCheckReply, EnrolmentReply
from web import bodies
from web.context import host, is_referee
from web.errors import Refused
from web.views.board import boot
from web.views.photo import PICTURES
from web.words import _

blueprint = Blueprint("enrol", __name__)
ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


STEPS: dict[str, type[Any]] = {
    "state": requests.NoFields,
    "open": requests.DeckChosen,
    "name": requests.CardNamed,
    "turn": requests.CardTurned,
    "more": requests.NoFields,
    "order": requests.NoFields,
    "rename": requests.CardRenamed,
    "drop": requests.CardDropped,
    "close": requests.NoFields,
}
"""What the page may ask for, and the shape of its fields."""


@blueprint.get("/enrol")
def enrol() -> str:
    """The enrolment page: the session for the referee; a guest reads that only the referee may enrol."""
    enrolment = host().enrolment.state() if is_referee() else None
    return render_template("enrol.html", boot=replace(boot(), enrolment=enrolment))


@blueprint.get("/enrol/picture/<name>.jpg")
def picture(name: str) -> Response:
    """The session's picture, or one of its cards."""
    if not ID.fullmatch(name):
        raise Refused(404, "not_found", _("There is no such photograph."))
    return Response(host().enrolment.picture(name), mimetype="image/jpeg")


@blueprint.post("/api/enrol/look")
def look() -> ResponseReturnValue:
    """Looks at the table; with a form field `picture`, at that picture."""
    upload = request.files.get("picture")
    data = upload.read() if upload is not None else None
    if data is not None and not any(kind.match(data) for kind in PICTURES):
        raise Refused(415, "no_picture", _("I can read JPEG, PNG and WebP pictures. This is none."))
    return jsonify(EnrolmentReply(host().enrolment.look(data)))


@blueprint.post("/api/enrol/check")
def check() -> ResponseReturnValue:
    """What should be corrected in the deck."""
    bodies.read(requests.NoFields)
    return jsonify(DeckCheckReply(host().enrolment.check()))


@blueprint.post("/api/enrol/<step>")
def act(step: str) -> ResponseReturnValue:
    """One step of STEPS; answers with the state of the session."""
    if step not in STEPS:
        raise Refused(404, "unknown_command", _("There is no command of that name."))
    asked, enrolment = bodies.read(STEPS[step]), host().enrolment
    match asked:
        case requests.DeckChosen(deck):
            state = enrolment.open(deck)
        case requests.CardNamed(card, label):
            state = enrolment.name(card, label)
        case requests.CardTurned(card):
            state = enrolment.turn(card)
        case requests.CardRenamed(old, new):
            state = enrolment.rename(old, new)
        case requests.CardDropped(label):
            state = enrolment.drop(label)
        case _:
            plain = {
                "more": enrolment.more_looks,
                "order": enrolment.name_in_order,
                "close": enrolment.close,
                "state": enrolment.state,
            }
            state = plain[step]()
    return jsonify(EnrolmentReply(state))

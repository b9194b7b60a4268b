"""Commands: everything that changes the game."""

from __future__ import annotations

import math
from collections.abc import Mapping

from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from companion.api import requests
from companion.api.commands import Refusal
from companion.api.replies import LogReply, MayReply, OffersReply
from web import bodies, roles
from web.context import host, pages
from web.errors import Refused
from web.words import _, language

blueprint = Blueprint("api", __name__, url_prefix="/api")


STATUSES: Mapping[str, int] = {"referee_only": 403, "key_reused": 422}
"""Code of a refused command -> HTTP status; every other one is 409."""


def limit_guests() -> None:
    """Counts a request of a guest's phone that costs other phones something.

    Raises:
        Refused: they come too often.
    """
    context = pages()
    if roles.role(context.host.pairing) == roles.REFEREE:
        return
    if wait := context.guests_commands.wait_s(request.remote_addr or ""):
        seconds = math.ceil(wait)
        text = _("That was too often. Wait %(n)s seconds.", n=seconds)
        raise Refused(429, "wait", text, {"Retry-After": str(seconds)})


@blueprint.post("/why")
def why() -> ResponseReturnValue:
    """Writes the pictures and the sound of an entry; without such a request nothing is written."""
    return jsonify(host().why(bodies.read(requests.LogNumber).n))


@blueprint.get("/may")
def may() -> ResponseReturnValue:
    """What may be done now, in sentences of the phone's language."""
    return jsonify(MayReply(host().may(language())))


@blueprint.get("/log")
def log() -> ResponseReturnValue:
    """The entries of the log before entry `before`, up to a thousand."""
    game = host().snapshot().game
    entries = host().log(request.args.get("before", 1, type=int))
    return jsonify(LogReply(pages().writer.entries(entries, game.name if game else "", language())))


@blueprint.get("/log/<int:n>/offers")
def offers_at(n: int) -> ResponseReturnValue:
    """What could have happened instead of entry `n`."""
    return jsonify(OffersReply(host().offers_at(n)))


@blueprint.post("/command/<name>")
def command(name: str) -> ResponseReturnValue:
    """Hands a command to the host.

    200 if it was carried out; 403 if it is for the referee only; 409 if the rules or the table refuse it;
    422 if its key belongs to another command; 400, 404, 413 if it is not a command.
    """
    context = pages()
    sender = roles.caller(context.host.pairing)
    limit_guests()
    reply = context.host.command(bodies.command(name), sender, bodies.key())
    status = STATUSES.get(reply.code, 409) if isinstance(reply, Refusal) else 200
    return jsonify(context.writer.reply(reply, language())), status

"""Scoring a display or tiles from a photograph: upload, what was recognised, corrections, points."""

from __future__ import annotations

import re

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.replies import LatticeReply, PhotoReply
from web import bodies, roles
from web.context import host, may_see_pictures
from web.errors import Refused
from web.views.board import boot
from web.words import _, written

blueprint = Blueprint("photo", __name__)

PICTURES = (
    re.compile(rb"\xff\xd8\xff"),
    re.compile(rb"\x89PNG\r\n\x1a\n"),
    re.compile(rb"RIFF....WEBP", re.DOTALL),
)
"""First bytes of the pictures that OpenCV reads: JPEG, PNG, WebP."""

ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@blueprint.get("/photo")
def photo_page() -> str:
    """Choose the player, take the picture, correct misread cards, confirm."""
    started = boot()
    game = started.snapshot.game
    tiles = {one.name for one in started.games if one.photographed == "tiles"}
    template = "tiles.html" if game is not None and game.name in tiles else "photo.html"
    return render_template(template, boot=replace(started, player=request.args.get("player")))


@blueprint.get("/photo/<photo_id>.jpg")
def picture(photo_id: str) -> Response:
    """The photograph with what was recognised drawn on it."""
    if not ID.fullmatch(photo_id):
        raise Refused(404, "not_found", _("There is no such photograph."))
    if not may_see_pictures():
        raise Refused(403, "referee_only", _("Only the referee and the players can do that."))
    return Response(host().photo(photo_id), mimetype="image/jpeg")


@blueprint.post("/api/photo")
def read_photo() -> ResponseReturnValue:
    """Form fields `player` and `picture`: what the photograph shows, see `Host.read_photo`."""
    player = request.form.get("player", "")
    if roles.role(host().pairing) != roles.REFEREE and player != roles.me(host().pairing):
        raise Refused(403, "referee_only", _("Only the referee and the player can do that."))
    reading = host().read_photo(player, _uploaded())
    return jsonify(PhotoReply(replace(reading, unsure=tuple(written(one) for one in reading.unsure))))


@blueprint.post("/api/dice")
def read_dice() -> ResponseReturnValue:
    """Form fields `picture` and `count` (optional): the dice that a photograph shows. Changes nothing."""
    count = request.form.get("count", type=int)
    if count is not None and not 1 <= count <= 60:
        raise Refused(400, "bad_field", _("That number of dice makes no sense."))
    reading = host().read_dice(_uploaded(), count)
    return jsonify(replace(reading, unsure=tuple(written(one) for one in reading.unsure)))


def _uploaded() -> bytes:
    """The picture of the form. Refuses anything else."""
    upload = request.files.get("picture")
    data = upload.read() if upload is not None else b""
    if not data:
        raise Refused(400, "no_picture", _("There was no picture in that. Take one and try again."))
    if not any(kind.match(data) for kind in PICTURES):
        raise Refused(415, "no_picture", _("I can read JPEG, PNG and WebP pictures. This is none."))
    return data


@blueprint.post("/api/lattice")
def read_lattice() -> ResponseReturnValue:
    """Form field `picture`: the table of triangles that a photograph shows, see `Host.read_lattice`."""
    return jsonify(LatticeReply(host().read_lattice(_uploaded())))


@blueprint.post("/api/points")
def points() -> ResponseReturnValue:
    """What a corrected display would score. Changes nothing; POST because it carries the display."""
    asked = bodies.read(requests.DisplayAsked)
    for column, held in asked.display.items():
        if not 0 <= held.jokers <= held.cards <= 1000:
            raise Refused(400, "bad_display", _("The column %(name)s makes no sense.", name=column))
    if not 0 <= asked.aside <= 1000:
        raise Refused(400, "bad_display", _("That number of jokers makes no sense."))
    return jsonify(host().points(asked.display, asked.aside))


@blueprint.post("/api/tile_points")
def tile_points() -> ResponseReturnValue:
    """What corrected tiles would score. Changes nothing; POST because it carries the tiles."""
    asked = bodies.read(requests.TilesAsked)
    return jsonify(host().tile_points(asked.player, asked.tiles))

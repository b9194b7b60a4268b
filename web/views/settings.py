"""Settings: the configuration as a form. The referee's only."""

from __future__ import annotations

from flask import Blueprint, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api import requests
from companion.api.settings import OwnerSettings, SettingsChange
from web import bodies
from web.context import host, is_referee
from web.views.board import boot
from web.words import _, written

blueprint = Blueprint("settings", __name__)


@blueprint.get("/settings")
def settings() -> str:
    """The settings; a guest reads that only the referee may see them."""
    found = _now() if is_referee() else None
    return render_template("settings.html", boot=replace(boot(), settings=found))


@blueprint.get("/api/settings")
def state() -> ResponseReturnValue:
    """What the page shows."""
    return jsonify(_now())


@blueprint.post("/api/settings/check")
def check() -> ResponseReturnValue:
    """What a change would do."""
    found = host().owner.settings.check(bodies.read(SettingsChange))
    problems = tuple(replace(one, text=written(one.text)) for one in found.problems)
    return jsonify(replace(found, problems=problems))


@blueprint.post("/api/settings/save")
def save() -> ResponseReturnValue:
    """Writes a change; the service starts again."""
    return jsonify(host().owner.settings.save(bodies.read(SettingsChange)))


@blueprint.post("/api/settings/back")
def put_back() -> ResponseReturnValue:
    """Puts the earlier settings back; the service starts again."""
    bodies.read(requests.NoFields)
    return jsonify(host().owner.settings.put_back())


def _now() -> OwnerSettings:
    return host().owner.settings.state(_)

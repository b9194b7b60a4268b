"""What has been played: results, records, and files for spreadsheets, `companion replay` and bug reports."""

from __future__ import annotations

import re

from flask import Blueprint, Response, render_template
from msgspec.structs import replace

from web.context import host
from web.errors import Refused
from web.views.board import boot
from web.words import _, written

blueprint = Blueprint("past", __name__)
EVIDENCE = re.compile(r"[A-Za-z0-9_-]{1,120}\.zip")


@blueprint.get("/past")
def past() -> str:
    """Every game with its result, the latest first, and the players' records over all evenings."""
    known = host().history.state()
    senses = replace(known.senses, advice=tuple(written(one) for one in known.senses.advice))
    return render_template("past.html", boot=replace(boot(), past=replace(known, senses=senses)))


@blueprint.get("/past/results.csv")
def results() -> Response:
    """All results as a table."""
    return _file("results.csv", "text/csv; charset=utf-8", host().history.table().encode())


@blueprint.get("/past/<int:game>.jsonl")
def script(game: int) -> Response:
    """A game as the script that `companion replay` reads."""
    name, text = host().history.script(game)
    return _file(name, "application/x-ndjson", text.encode())


@blueprint.get("/evidence/<name>")
def evidence(name: str) -> Response:
    """A file of kept evidence: pictures and sound, so for the referee only."""
    if not EVIDENCE.fullmatch(name):
        raise Refused(404, "not_found", _("There is nothing here. Perhaps the address is mistyped."))
    return _file(name, "application/zip", host().evidence(name))


def _file(name: str, kind: str, content: bytes) -> Response:
    """A response that the phone stores as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, content_type=kind, headers=headers)

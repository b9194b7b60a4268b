"""The pages that show the game: the board, the large table view, the log and what may be done now."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from companion.api.pages import PageData
from companion.api.wireless import WirelessState
from web import roles
from web.context import host, is_referee, snapshot
from web.hotspot import may_begin
from web.words import language

blueprint = Blueprint("board", __name__)


def boot() -> PageData:
    """The data of every page: the snapshot, the phone's role and player, and the facts of all games."""
    return PageData(snapshot(), roles.role(host().pairing), roles.me(host().pairing), host().games())


@blueprint.get("/")
def board() -> ResponseReturnValue:
    """Scores, whose turn it is, the latest verdict, and what this phone may enter. A new appliance shows the
    page of its first start."""
    if may_begin() and host().owner.first_start.due:
        return redirect("/welcome")
    return kept_by_browser(render_template("board.html", boot=boot()))


def kept_by_browser(page: str) -> ResponseReturnValue:
    """A page that the browser may show again without the table when somebody goes back to it, or when it has
    closed the tab to save memory. The page's script then shows what the phone knew last."""
    response = make_response(page)
    response.headers["Cache-Control"] = "no-cache"
    return response


@blueprint.get("/table")
def table() -> ResponseReturnValue:
    """The same for a television or a tablet: large, for everybody to read, without entries."""
    shown = replace(
        boot(),
        open=host().pairing.open_to_all(),
        join_url=host().join_url(),
        wireless=_without_password() if roles.on_the_companion() or is_referee() else None,
    )
    return kept_by_browser(render_template("table.html", boot=shown))


def _without_password() -> WirelessState:
    """The wireless network for a page that the browser keeps: the QR code is asked for each time."""
    state = host().owner.wireless.state()
    return replace(state, hotspot=None if state.hotspot is None else replace(state.hotspot, password=""))


@blueprint.get("/overlay")
def overlay() -> str:
    """Scores and turn on a transparent background, for a stream; docs/streaming.md has the parameters."""
    return render_template("overlay.html", boot=boot())


@blueprint.get("/history")
def history() -> str:
    """Every event of the game with its verdicts and their reasons, and the way to put one right."""
    return render_template("history.html", boot=with_rules())


@blueprint.get("/help")
def help_page() -> str:
    """What may I do now?"""
    return render_template("help.html", boot=with_rules())


@blueprint.get("/rules")
def rules() -> str:
    """The rules of the game that is asked for (`game=`), of the running one otherwise."""
    return render_template("rules.html", boot=with_rules(request.args.get("game", "")))


def with_rules(name: str = "") -> PageData:
    """What a page starts from that names rules, or shows those of a game."""
    page = boot()
    running = page.snapshot.game
    wanted = name or (running.name if running is not None else "")
    known = any(game.name == wanted for game in page.games)
    return replace(page, rules=host().rules(wanted, language()) if known else None)


@blueprint.get("/position")
def position() -> str:
    """How things stand: scores, stacks and turns are put right, or a game is taken up in the middle."""
    return render_template("position.html", boot=boot())

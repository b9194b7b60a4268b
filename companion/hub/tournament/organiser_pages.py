"""The organiser's pages of a tournament. Every change is a form with the token of the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from flask import Flask, abort, redirect, render_template, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from companion.hub.access import is_organiser, require_organiser
from companion.hub.standings import HallReader
from companion.hub.tournament.desk import DeskRefused, TournamentDesk
from companion.hub.tournament.model import TournamentPlan
from companion.hub.tournament.public_pages import REFUSALS, TournamentViews, game_titles, qr_code
from companion.hub.tournament.registration import RegistrationRefused
from companion.hub.tournament.rounds import PlannedRound, RoundImpossible, next_round
from companion.hub.words import N_, _

WHY_NOT: Mapping[str, str] = {
    "unknown": N_("This is not there any more."),
    "not_now": N_("This is not possible now."),
    "bad_plan": N_("This does not fit together: check tables, games and players at a table."),
    "bad_ranks": N_("These are not the places of a game. Equal places are allowed: 1, 2, 2, 4."),
    "too_few_players": N_("There are too few players for a table."),
    "too_few_tables": N_("There are too few tables."),
    "round_open": N_("Results of this round are missing."),
    "over": N_("All rounds have been played."),
} | {code: text for code, text in REFUSALS.items() if code in ("bad_name", "name_taken", "closed", "full")}
"""Code of a refusal -> its sentence."""

Action = Callable[[str, "MultiDict[str, str]"], None]


def add_organiser_pages(app: Flask, views: TournamentViews, desk: TournamentDesk, hall: HallReader) -> None:
    """Adds the pages to the app."""
    actions = _actions(desk)

    @app.get("/organiser/tournaments/new")
    def new_tournament() -> str | AnyResponse:
        return _new_page(hall, {}, "") if is_organiser() else redirect("/organiser")

    @app.post("/organiser/tournaments/new")
    def create() -> AnyResponse | tuple[str, int]:
        require_organiser()
        try:
            id_ = desk.create(plan_of(request.form))
        except (msgspec.ValidationError, DeskRefused):
            return _new_page(hall, request.form.to_dict(), _why("bad_plan")), 409
        return redirect(f"/t/{id_}/organise", 303)

    @app.get("/t/<id_>/organise")
    def organise(id_: str) -> str | AnyResponse:
        return _organise_page(views, desk, id_, "") if is_organiser() else redirect("/organiser")

    @app.post("/t/<id_>/organise/<action>")
    def act(id_: str, action: str) -> AnyResponse | tuple[str, int]:
        require_organiser()
        if action not in actions:
            abort(404)
        try:
            actions[action](id_, request.form)
        except (DeskRefused, RoundImpossible, RegistrationRefused) as error:
            return _organise_page(views, desk, id_, _why(error.code)), 409
        except ValueError:
            return _organise_page(views, desk, id_, _why("not_now")), 400
        return redirect(f"/t/{id_}/organise", 303)


def _actions(desk: TournamentDesk) -> Mapping[str, Action]:
    """Last part of the address -> what it does with the form."""
    return {
        "close": lambda id_, form: desk.open_registration(id_, False),
        "open": lambda id_, form: desk.open_registration(id_, True),
        "add": lambda id_, form: _ignored(desk.add(id_, form.get("name", ""))),
        "start": lambda id_, form: desk.start_round(id_),
        "correct": lambda id_, form: desk.correct(
            id_, int(form["round"]), int(form["table"]), ranks_of(form)
        ),
        "again": lambda id_, form: desk.play_again(id_, int(form["round"]), int(form["table"])),
        "count": lambda id_, form: desk.count_earlier(id_, int(form["table"]), form["game"]),
        "absent": lambda id_, form: desk.absent(id_, int(form["player"])),
        "withdraw": lambda id_, form: desk.withdraw(id_, int(form["player"]), True),
        "return": lambda id_, form: desk.withdraw(id_, int(form["player"]), False),
        "finish": lambda id_, form: desk.finish(id_, True),
        "resume": lambda id_, form: desk.finish(id_, False),
    }


def _why(code: str) -> str:
    return _(WHY_NOT[code])


def _ignored(_number: int) -> None:
    """The page shows the new player anyway."""


def ranks_of(form: MultiDict[str, str]) -> dict[int, int]:
    """The places in the fields `rank-<player>`.

    Raises:
        ValueError: a field is no number.
    """
    return {
        int(name.removeprefix("rank-")): int(value)
        for name, value in form.items()
        if name.startswith("rank-") and value.strip()
    }


def plan_of(form: MultiDict[str, str]) -> TournamentPlan:
    """The plan in the form.

    Raises:
        ValidationError: a field is impossible.
    """
    fields: dict[str, Any] = {
        name: form.get(name, "") for name in ("form", "rounds", "least", "most", "other_tables", "advance")
    }
    fields |= {"title": " ".join(form.get("title", "").split())[:100], "tables": form.getlist("tables")}
    known = game_titles()
    fields["games"] = [game for game in form.getlist("games") if game in known]
    return msgspec.convert(fields, TournamentPlan, strict=False)


def _new_page(hall: HallReader, given: Mapping[str, str], refusal: str) -> str:
    tables = [one.name for one in hall.tables() if one.online]
    return render_template(
        "new_tournament.html", games=game_titles(), tables=tables, given=given, refusal=refusal
    )


def _organise_page(views: TournamentViews, desk: TournamentDesk, id_: str, refusal: str) -> str:
    shown = views.shown(id_)
    planned: PlannedRound | None = None
    why_not = ""
    if shown.known.phase in ("registration", "closed", "running"):
        try:
            planned = next_round(shown.known)
        except RoundImpossible as error:
            why_not = _why(error.code)
    return render_template(
        "organise.html",
        shown=shown,
        planned=planned,
        why_not=why_not,
        refusal=refusal,
        earlier=desk.earlier_results(id_),
        titles=game_titles(),
        code=qr_code(views.register_address(id_)),
    )

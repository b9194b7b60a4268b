"""The pages of a tournament that everybody may read, and the registration of players with their phones."""

from __future__ import annotations

from flask import Flask, Response, abort, make_response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.core.clock import Clock
from companion.games import games
from companion.hub.access import AddressLimit
from companion.hub.database import HubDatabase
from companion.hub.kept import KeptValues
from companion.hub.tournament.reading import TournamentReader
from companion.hub.tournament.registration import Registered, Registration, RegistrationRefused, hashed
from companion.hub.tournament.shown import ShownTournament, seats_csv, shown_tournament, standings_csv
from companion.hub.words import N_, _

REGISTRATIONS = 12
"""Most registrations and sign-ins of one address in a minute."""
COOKIE_S = 14 * 24 * 3600
"""For how long a phone knows its player, in seconds."""
REFUSALS = {
    "bad_name": N_("Please enter a name of at most 40 characters."),
    "name_taken": N_("This name is taken. Is it you? Then open your page with your PIN."),
    "closed": N_("The registration is closed. Ask the organiser."),
    "full": N_("The tournament is full."),
    "bad_pin": N_("A PIN has 4 to 8 digits."),
    "wrong_pin": N_("Name and PIN do not fit together."),
    "too_often": N_("That was too often. Wait a minute."),
}
"""Code of a refusal -> its sentence."""


class TournamentViews:
    """What the pages of tournaments need; shown values are kept until something changes.

    Args:
        address: where phones reach the pages, e.g. `http://hub.local:8090/`; empty: as the browser did.
    """

    def __init__(self, database: HubDatabase, clock: Clock, address: str = "") -> None:
        self.reader = TournamentReader(database)
        self.registration = Registration(database, clock)
        self.limit = AddressLimit(REGISTRATIONS, clock)
        self._kept = KeptValues(database)
        self._address = address

    def shown(self, id_: str) -> ShownTournament:
        """The tournament; ends the request with 404 if there is none."""
        found = self._kept.get(id_, lambda: self._made(id_))
        if found is None:
            abort(404)
        return found

    def _made(self, id_: str) -> ShownTournament | None:
        known = self.reader.read(id_)
        return None if known is None else shown_tournament(known)

    def register_address(self, id_: str) -> str:
        """What the QR code says."""
        return f"{(self._address or request.host_url).rstrip('/')}/t/{id_}/register"


def add_public_pages(app: Flask, views: TournamentViews) -> None:
    """Adds the pages to the app."""

    @app.get("/tournaments")
    def tournaments() -> str:
        return render_template("tournaments.html", tournaments=views.reader.all())

    @app.get("/t/<id_>")
    def tournament(id_: str) -> str:
        return render_template("tournament.html", shown=views.shown(id_), me=_number(views, id_))

    @app.get("/t/<id_>/screen")
    def screen(id_: str) -> str:
        shown = views.shown(id_)
        return render_template("screen.html", shown=shown, code=qr_code(views.register_address(id_)))

    @app.get("/t/<id_>/print")
    def printed(id_: str) -> str:
        return render_template("print.html", shown=views.shown(id_))

    @app.get("/t/<id_>/standings.csv")
    def standings_table(id_: str) -> Response:
        return _table(standings_csv(views.shown(id_).known))

    @app.get("/t/<id_>/seats.csv")
    def seats_table(id_: str) -> Response:
        return _table(seats_csv(views.shown(id_).known))

    @app.get("/t/<id_>/me")
    def own_page(id_: str) -> str | AnyResponse:
        number = _number(views, id_)
        if number is None:
            return redirect(f"/t/{id_}/register")
        shown = views.shown(id_)
        return render_template("me.html", shown=shown, own=shown.own(number))

    @app.get("/t/<id_>/register")
    def register_page(id_: str) -> str:
        return render_template("register.html", shown=views.shown(id_), refusal="", name="")

    @app.post("/t/<id_>/register")
    def register(id_: str) -> AnyResponse | tuple[str, int]:
        return _entered(views, id_, new=True)

    @app.post("/t/<id_>/sign-in")
    def sign_in(id_: str) -> AnyResponse | tuple[str, int]:
        return _entered(views, id_, new=False)


def _entered(views: TournamentViews, id_: str, new: bool) -> AnyResponse | tuple[str, int]:
    """Registers or signs in, and gives the phone its secret."""
    shown = views.shown(id_)
    name, pin = request.form.get("name", ""), request.form.get("pin", "").strip()
    try:
        if not views.limit.allows(request.remote_addr or ""):
            raise RegistrationRefused("too_often")
        found: Registered = (
            views.registration.register(id_, name, pin) if new else views.registration.sign_in(id_, name, pin)
        )
    except RegistrationRefused as error:
        page = render_template(
            "register.html", shown=shown, refusal=_(REFUSALS[error.code]), name=name[:40], pin_asked=not new
        )
        return page, 429 if error.code == "too_often" else 409
    answer = make_response(redirect(f"/t/{id_}/me", 303))
    answer.set_cookie(
        _cookie(id_), found.secret, max_age=COOKIE_S, httponly=True, samesite="Lax", path=f"/t/{id_}"
    )
    return answer


def _number(views: TournamentViews, id_: str) -> int | None:
    """The player of this phone."""
    secret = request.cookies.get(_cookie(id_), "")
    return views.reader.entrant_of(id_, hashed(secret)) if secret else None


def _cookie(id_: str) -> str:
    return f"player-{id_}"


def qr_code(address: str) -> dict[str, object]:
    """The modules of a QR code as a path of SVG, dark on light with its quiet zone."""
    import segno  # imported late: it is needed by few pages

    code = segno.make(address, error="m", micro=False)
    path = "".join(
        f"M{x + 4},{y + 4}h1v1h-1z" for y, row in enumerate(code.matrix) for x, dark in enumerate(row) if dark
    )
    return {"size": len(code.matrix) + 8, "path": path, "address": address}


def _table(text: str) -> Response:
    return Response(text, content_type="text/csv; charset=utf-8")


def game_titles() -> dict[str, str]:
    """Name -> title of every game."""
    return {game.rulebook.name: game.rulebook.title for game in games()}

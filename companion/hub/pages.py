"""The hub's pages: everybody reads, the organiser may leave a result out of the standings.

Pages fetch themselves again every two seconds; an unchanged one is answered with 304. They work without
scripts, too.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Flask, Response, abort, redirect, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.errors import Unavailable
from companion.core.languages import LANGUAGES
from companion.hub.access import is_organiser, refuse_other_origins, require_organiser
from companion.hub.csv_table import csv_text
from companion.hub.ratings import RatingReader
from companion.hub.standings import Filter, HallReader, title_of
from companion.hub.words import COOKIE, add_languages, written

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
LARGEST_FORM = 10_000
"""Longest body of a request in bytes."""
ROWS = 200
"""Most tables or players on one page."""
YEAR_S = 365 * 24 * 3600
WRONG_PASSWORD_S = 1.0
"""Seconds that a wrong password costs."""


def create_hub_pages(
    reader: HallReader,
    ratings: RatingReader,
    seasons: Mapping[str, tuple[str, str]],
    password: str,
    metrics: Callable[[], str],
    *,
    secret: str = "",
    pause: Callable[[float], None] = time.sleep,
) -> Flask:
    """The pages as a WSGI application.

    Args:
        password: the organiser's; empty: nobody is the organiser.
        metrics: the text for Prometheus.
        secret: signs the session of the organiser's browser; empty: a new one.
        pause: waits some seconds after a wrong password.
    """
    app = Flask(__name__)
    app.secret_key = secret or secrets.token_hex(32)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_FORM, SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_HTTPONLY=True
    )
    add_languages(app)
    refuse_other_origins(app)
    _add_language_choice(app)
    _add_reading(app, reader, ratings, seasons)
    _add_organiser(app, reader, password, pause)

    @app.get("/metrics")
    def metrics_page() -> Response:
        return Response(metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")

    @app.errorhandler(Unavailable)
    def unavailable(error: Unavailable) -> tuple[str, int]:
        return render_template("failed.html", why=written(error.message)), 503

    @app.context_processor
    def known_everywhere() -> dict[str, Any]:
        return {
            "organiser": is_organiser(),
            "token": session.get("token", ""),
            "title_of": title_of,
        }

    @app.after_request
    def finished(response: Response) -> Response:
        response.headers.update(HEADERS)
        if request.method == "GET" and response.status_code == 200 and not response.direct_passthrough:
            response.set_etag(hashlib.blake2b(response.get_data(), digest_size=12).hexdigest())
            response.make_conditional(request)
        return response

    return app


def _add_reading(
    app: Flask, reader: HallReader, ratings: RatingReader, seasons: Mapping[str, tuple[str, str]]
) -> None:
    """The pages that everybody may read."""

    @app.get("/")
    def tables() -> str:
        return render_template("tables.html", part=_part(reader.tables()))

    @app.get("/standings")
    def standings() -> str:
        which, season = _filter(seasons)
        return render_template(
            "standings.html",
            part=_part(reader.standings(which)),
            ratings=ratings.of_game(which.name) if which.name else {},
            seasons=seasons,
            season=season,
            which=which,
            names=reader.game_names(),
        )

    @app.get("/evenings")
    def evenings() -> str:
        return render_template("evenings.html", evenings=reader.evenings())

    @app.get("/games")
    def games() -> str:
        which, _season = _filter(seasons)
        return render_template("games.html", games=reader.games(which), which=which)

    @app.get("/standings.csv")
    def table() -> Response:
        which, _season = _filter(seasons)
        head = ["place", "player", "points", "games", "won"]
        rows = [[one.place, one.player, one.points, one.games, one.won] for one in reader.standings(which)]
        return Response(csv_text([head, *rows]), content_type="text/csv; charset=utf-8")


def _add_organiser(app: Flask, reader: HallReader, password: str, pause: Callable[[float], None]) -> None:
    """What only the organiser may do. A form carries the token of its session."""

    @app.get("/organiser")
    def organiser() -> str:
        return render_template("organiser.html", wrong=False, possible=bool(password))

    @app.post("/organiser")
    def log_in() -> AnyResponse | tuple[str, int]:
        given = request.form.get("password", "")
        if not password or not hmac.compare_digest(given.encode(), password.encode()):
            pause(WRONG_PASSWORD_S)
            return render_template("organiser.html", wrong=True, possible=bool(password)), 403
        session["organiser"], session["token"] = True, secrets.token_urlsafe(16)
        return redirect("/organiser", 303)

    @app.post("/games/<table>/<game>")
    def leave_out(table: str, game: str) -> AnyResponse:
        require_organiser()
        if not reader.leave_out(table, game, request.form.get("counts") != "yes"):
            abort(404)
        return redirect("/games")


def _add_language_choice(app: Flask) -> None:
    @app.post("/language")
    def choose_language() -> AnyResponse:
        chosen, back = request.form.get("language", ""), request.form.get("back", "/")
        if chosen not in LANGUAGES:
            abort(404)
        inside = back.startswith("/") and not back.startswith(("//", "/\\"))
        answer = redirect(back if inside else "/", 303)
        answer.set_cookie(COOKIE, chosen, max_age=YEAR_S, samesite="Lax")
        return answer


class ListPart(NamedTuple):
    """The part of a long list that one page shows. Addresses are empty where there is nothing more."""

    rows: Sequence[Any]
    first: int
    last: int
    all: int
    before: str
    after: str


def _part(rows: Sequence[Any]) -> ListPart:
    """The rows from number `from` of the address on, at most ROWS."""
    start = max(0, request.args.get("from", 1, type=int) - 1)

    def address(position: int) -> str:
        return f"{request.path}?{urlencode({**request.args.to_dict(), 'from': position + 1})}"

    shown = rows[start : start + ROWS]
    return ListPart(
        shown,
        start + 1,
        start + len(shown),
        len(rows),
        address(max(0, start - ROWS)) if start else "",
        address(start + ROWS) if start + ROWS < len(rows) else "",
    )


def _filter(seasons: Mapping[str, tuple[str, str]]) -> tuple[Filter, str]:
    """Which games the address asks for, and the name of its season."""
    season = request.args.get("season", "")
    if season and season not in seasons:
        abort(404)
    first, last = seasons.get(season, ("", ""))
    day = request.args.get("evening", "")
    return (
        Filter(day or first, day or last, request.args.get("game", ""), request.args.get("player", "")),
        season,
    )

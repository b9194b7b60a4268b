"""The hub's pages: everybody reads, the organiser may leave a result out of the standings.

Pages fetch themselves again every two seconds; an unchanged one is answered with 304. They work without
scripts, too.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, Response, abort, redirect, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.errors import Unavailable
from companion.hub.ratings import RatingReader
from companion.hub.standings import Filter, HallReader, title_of

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
LARGEST_FORM = 10_000
"""Longest body of a request in bytes."""
WRONG_PASSWORD_S = 1.0
"""Seconds that a wrong password costs."""


def create_hub_pages(
    reader: HallReader,
    ratings: RatingReader,
    seasons: Mapping[str, tuple[str, str]],
    password: str,
    metrics: Callable[[], str],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> Flask:
    """The pages as a WSGI application.

    Args:
        password: the organiser's; empty: nobody is the organiser.
        metrics: the text for Prometheus.
        pause: waits some seconds after a wrong password.
    """
    app = Flask(__name__)
    app.secret_key = secrets.token_bytes(32)
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_FORM, SESSION_COOKIE_SAMESITE="Strict", SESSION_COOKIE_HTTPONLY=True
    )
    _add_reading(app, reader, ratings, seasons)
    _add_organiser(app, reader, password, pause)

    @app.get("/metrics")
    def metrics_page() -> Response:
        return Response(metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")

    @app.errorhandler(Unavailable)
    def unavailable(error: Unavailable) -> tuple[str, int]:
        return render_template("failed.html", why=str(error)), 503

    @app.context_processor
    def known_everywhere() -> dict[str, Any]:
        return {
            "organiser": bool(session.get("organiser")),
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
        return render_template("tables.html", tables=reader.tables())

    @app.get("/standings")
    def standings() -> str:
        which, season = _filter(seasons)
        return render_template(
            "standings.html",
            standings=reader.standings(which),
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
        lines = ["place,player,points,games,won"]
        for one in reader.standings(which):
            name = '"' + harmless(one.player).replace('"', '""') + '"'
            lines.append(f"{one.place},{name},{one.points},{one.games},{one.won}")
        return Response("\r\n".join(lines) + "\r\n", content_type="text/csv; charset=utf-8")


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
        return redirect("/games")

    @app.post("/games/<table>/<game>")
    def leave_out(table: str, game: str) -> AnyResponse:
        token = str(session.get("token", ""))
        right = hmac.compare_digest(request.form.get("token", "").encode(), token.encode())
        if not session.get("organiser") or not token or not right:
            abort(403)
        if not reader.leave_out(table, game, request.form.get("counts") != "yes"):
            abort(404)
        return redirect("/games")


def harmless(name: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return "'" + name if name[:1] in "=+-@\t\r" else name


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

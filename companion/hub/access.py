"""Who may do what on the hub's pages: the organiser by password, a player by the secret in the phone."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Flask, abort, request, session

from companion.core.clock import Clock

WINDOW_S = 60.0


def is_organiser() -> bool:
    """Whether this browser is the organiser's."""
    return bool(session.get("organiser"))


def require_organiser() -> None:
    """Ends the request with 403 unless it is the organiser's and carries the token of the session."""
    token = str(session.get("token", ""))
    right = hmac.compare_digest(request.form.get("token", "").encode(), token.encode())
    if not is_organiser() or not token or not right:
        abort(403)


def refuse_other_origins(app: Flask) -> None:
    """Nothing is changed by a form of another site."""

    def check() -> None:
        origin = request.headers.get("Origin")
        if request.method == "POST" and origin is not None and urlsplit(origin).netloc != request.host:
            abort(403)

    app.before_request(check)


class AddressLimit:
    """At most so many requests of one address in WINDOW_S.

    Args:
        most: requests of one address.
    """

    def __init__(self, most: int, clock: Clock) -> None:
        self._most = most
        self._clock = clock
        self._seen: dict[str, list[float]] = {}

    def allows(self, address: str) -> bool:
        """Whether one more is allowed; it is counted."""
        now = self._clock()
        self._seen = {one: times for one, times in self._seen.items() if now - times[-1] < WINDOW_S}
        times = [moment for moment in self._seen.get(address, []) if now - moment < WINDOW_S]
        if len(times) >= self._most:
            return False
        self._seen[address] = [*times, now]
        return True


Pause = Callable[[float], None]

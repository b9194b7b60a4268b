"""The cookie of a phone: signed, without a time, so that no step of the wall clock ends it.

It holds a secret by which the host knows the phone, and its language. Which phone is the referee's is
stored on the server (companion.store.phones) and can be revoked there. Another key makes all cookies void.
"""

from __future__ import annotations

import secrets
from typing import cast

from flask import Flask, Request, Response, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeSerializer

SECRET = "phone"
"""The session's key for the phone's secret."""
AGE_S = 400 * 86400
"""Seconds for which a browser keeps the cookie by its own clock: the longest that browsers allow."""


class TimelessSessions(SecureCookieSessionInterface):
    """Flask's signed cookie without a time in it."""

    def _serializer(self, app: Flask) -> URLSafeSerializer | None:
        if not app.secret_key:
            return None
        keep = {"key_derivation": self.key_derivation, "digest_method": self.digest_method}
        return URLSafeSerializer(app.secret_key, "companion phone", self.serializer, signer_kwargs=keep)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """The session of the request's cookie; an empty one without a valid cookie."""
        serializer = self._serializer(app)
        if serializer is None:
            return None
        value = request.cookies.get(self.get_cookie_name(app), "")
        try:
            found = serializer.loads(value) if value else {}
        except BadSignature:
            found = {}
        return self.session_class(found if isinstance(found, dict) else {})

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Sends the cookie if it has changed."""
        serializer = self._serializer(app)
        if serializer is None or not session.modified:
            return
        response.vary.add("Cookie")
        response.set_cookie(
            self.get_cookie_name(app),
            str(serializer.dumps(dict(cast(SecureCookieSession, session)))),
            max_age=AGE_S,
            path="/",
            httponly=True,
            samesite="Lax",
        )


def phone_secret() -> str:
    """The secret of the phone that sent the present request; "": it has none."""
    found = session.get(SECRET, "")
    return found if isinstance(found, str) else ""


def new_secret() -> str:
    """The phone's secret, a new one if it has none."""
    if not phone_secret():
        session[SECRET] = secrets.token_urlsafe(24)
    return phone_secret()


def phone_name() -> str:
    """What kind of phone sent the present request, for people who tell phones apart."""
    agent = request.user_agent.string
    kinds = ("iPhone", "iPad", "Android", "Macintosh", "Windows", "Linux")
    return next((kind for kind in kinds if kind in agent), "?")

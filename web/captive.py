"""The page that a phone opens by itself when it joins the companion's own wireless network.

A phone asks a well-known address of its maker whether the internet can be reached. In that network every name
leads to the companion; any answer but the expected one makes the phone show what it got: the pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, redirect, request

from web.context import host

if TYPE_CHECKING:
    from werkzeug.wrappers import Response

PROBES = frozenset(
    {
        "/generate_204",
        "/gen_204",
        "/mobile/status.php",
        "/hotspot-detect.html",
        "/library/test/success.html",
        "/connecttest.txt",
        "/redirect",
        "/ncsi.txt",
        "/success.txt",
        "/canonical.html",
        "/check_network_status.txt",
    }
)
"""Paths that Android, iOS, Windows, Firefox and NetworkManager ask for; none is a page of the companion."""


def guard(app: Flask) -> None:
    """Answers these requests before the name of the host is checked: it is that of the phone's maker."""
    app.before_request(_sign_in)


def _sign_in() -> Response | None:
    if request.method in ("GET", "HEAD") and request.path in PROBES:
        return redirect(host().join_url(), 302)
    return None

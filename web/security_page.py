"""Writes docs/security.md: who may see and do what, from the table of routes.

python -m web.security_page > docs/security.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from web.route import Route
from web.routes import FORM_BYTES, ROUTES, body_limit

HEAD = """# Who may see and do what

Written by `python -m web.security_page > docs/security.md` from `web/routes.py`; do not edit it. A test asks
for every address with each kind of phone.

- **Everybody**: any phone or program in the house's network.
- **Player**: a phone whose owner has said on the page *Join* which player it belongs to. One phone for each
  player; the referee may take a player away from a phone. It acts for that player only.
- **Screen**: a browser on the companion itself, such as that of a television which is plugged in there, and
  the referee's phone. Only they are shown the code for another phone. A proxy on the same machine must add
  `X-Forwarded-For` or `Via`, otherwise all its visitors count as this screen.
- **Referee**: a phone that was made the referee's by a code, or by a press on the companion. The code is for
  one phone, valid for ten minutes, and void after ten wrong tries, which the table is told. The page *Phones*
  lists these phones and forgets them. With `pages.open_to_all` every phone is the referee's.

HTML pages are for everybody. They hold what the table may see; what only the referee may see is left out for
others. Pictures of the camera, also those of questions, are for players and the referee.

| method | address | for | longest body |
|---|---|---|---|
"""
WHO = {
    "everybody": "everybody",
    "player": "player, referee",
    "screen": "screen, referee",
    "referee": "referee",
}

TAIL = """
## What is checked before that

- The `Host` header must be an address, a name without dots, a name of the home network, or the one in
  `pages.url`: a page on the internet that points its name here (DNS rebinding) gets 421.
- A POST must come from a page of this server (`Sec-Fetch-Site`, `Origin`), otherwise 403.
- A body longer than in the table is refused with 413 before it is stored anywhere. A request must arrive at a
  minimal speed; connections and event streams are shared fairly between addresses.
- Commands of a guest's phone: 20 at once, then one every two seconds (429). What the rules refuse leaves no
  entry.
- A picture is decoded in a process of its own with limits of memory and time, one at a time (503: try again).
- The cookie is signed, kept from scripts (`HttpOnly`) and other sites (`SameSite`); another key in the
  data folder makes all of them void.
"""


def page() -> str:
    """docs/security.md."""
    return HEAD + "".join(_rows()) + TAIL


def _rows() -> Iterator[str]:
    for route in ROUTES:
        yield f"| {route.method} | `{route.path}` | {WHO[route.access]} | {_longest(route)} |\n"


def _longest(route: Route) -> str:
    if route.method == "GET":
        return ""
    most = body_limit(route.method, route.path)
    return "20 MB" if most == FORM_BYTES else f"{most // 1024} KB"


if __name__ == "__main__":
    sys.stdout.write(page())

"""Cleans players' names that phones send, and refuses names that cannot be read.

A script may use any names; names entered at the table must be readable and distinct on every page.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from companion.core.errors import BadHeader

LONGEST = 40
"""Most characters of a name. The pages allow 24 visible ones; one visible sign may be several characters."""
_JOINERS = "\u200c\u200d"
"""Zero-width characters that join or separate letters of some scripts and the parts of some emoji."""


def tidied(players: Any) -> Any:
    """The names without invisible characters and with single blanks. Anything but a list of names is returned
    unchanged: the check of the header refuses it.

    Raises:
        BadHeader: `bad_players`: a name has no visible character, or it is too long.
    """
    if not isinstance(players, list):
        return players
    return [_tidied(name) if isinstance(name, str) else name for name in players]


def _tidied(name: str) -> str:
    composed = " ".join(unicodedata.normalize("NFC", name).split())
    kept = "".join(sign for sign in composed if sign in _JOINERS or unicodedata.category(sign)[0] != "C")
    kept = " ".join(kept.split())
    if len(kept) > LONGEST or not any(unicodedata.category(sign)[0] in "LNPS" for sign in kept):
        raise BadHeader("bad_players", "header.name_length", longest=LONGEST)
    return kept

"""Players' names as phones send them: tidied, and refused where nobody could read them.

A script may name its players as it likes; what is typed at the table has to be told apart on every page.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from companion.core.errors import BadHeader

LONGEST = 40
"""Characters. The pages offer 24; what is one sign to the eye may be several."""
_JOINERS = "\u200c\u200d"
"""They hold letters of some scripts, and the parts of some emoji, together or apart."""


def tidied(players: Any) -> Any:
    """The names without invisible characters, each blank a single one. What is no list of names stays as it
    is, to be refused with everything else that a header may be.

    Raises:
        BadHeader: `bad_players`: nothing of a name can be seen, or it is too long.
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

"""A sentence about the game without a language: a code, its parameters and the rules behind it.

A rulebook's `story` says with such sentences what an accepted event meant. The words stand in the game's
folder `story`, one file a language; `companion.table.story` puts both together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class Sentence(msgspec.Struct, frozen=True):
    """One sentence of the story.

    `code` is a key of the game's story files or of the common one. `params` fill its blanks: names, numbers,
    cards in the notation of events, and lists of them.
    """

    code: str
    params: Mapping[str, Any] = {}
    rules: tuple[str, ...] = ()
    """Ids of the rules it rests on."""


def counted(code: str, n: int, params: Mapping[str, Any], rules: tuple[str, ...] = ()) -> Sentence:
    """A sentence that counts something: `code` for several, `code_one` for one."""
    return Sentence(f"{code}_one" if n == 1 else code, {**params, "n": n}, rules)

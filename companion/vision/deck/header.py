"""The header of a deck's file: the names of its cards, without its pictures.

The table wants only the names. Reading them takes neither NumPy nor the eyes, which a service that is started
again in mid-game would otherwise wait for. The file is a zip of arrays as NumPy writes them (its format is
described in NEP 1); the array `meta` is JSON as bytes.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from companion.core.errors import Unreadable

FILE = "deck.npz"
KIND = "companion deck"
VERSION = 1
MAGIC = b"\x93NUMPY"
LENGTH_AT = len(MAGIC) + 2
"""Where an array's file says how long the text is that describes the array (two bytes, lowest first): behind
MAGIC and two bytes that state the version."""


def card_names(folder: Path) -> tuple[str, ...]:
    """The cards of the deck in a folder, each once, in order.

    Raises:
        Unreadable: there is none, or it is another kind.
    """
    file = folder / FILE
    try:
        with zipfile.ZipFile(file) as arrays:
            array = arrays.read("meta.npy")
    except FileNotFoundError:
        raise no_deck_error(folder) from None
    except (OSError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise damaged_error(file) from error
    begin = LENGTH_AT + 2 + int.from_bytes(array[LENGTH_AT : LENGTH_AT + 2], "little")
    if not array.startswith(MAGIC):
        raise damaged_error(file)
    return tuple(dict.fromkeys(str(label) for label in parse_meta(array[begin:], file)["labels"]))


def parse_meta(text: bytes, file: Path) -> dict[str, Any]:
    """The header of a deck: `name`, `labels` (one for each look) and `aspect`.

    Raises:
        Unreadable: it is no deck, or one of another version.
    """
    try:
        found: dict[str, Any] = json.loads(text.decode())
        if found["kind"] != KIND or not isinstance(found["labels"], list) or not found["labels"]:
            raise ValueError("kind")
        version = found["version"]
    except (KeyError, TypeError, ValueError, UnicodeDecodeError) as error:
        raise damaged_error(file) from error
    if version != VERSION:
        raise Unreadable("deck.other_version", file=file)
    return found


def no_deck_error(path: Path) -> Unreadable:
    """There is no deck."""
    return Unreadable("deck.missing", path=path)


def damaged_error(file: Path) -> Unreadable:
    """The error that a file is no deck, or not a whole one."""
    return Unreadable("deck.damaged", file=file)

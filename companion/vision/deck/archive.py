"""One file that carries a deck to another table: features only, no artwork.

A ZIP of `about.json` (kind, version, name, counts, checksum) and `deck.npz`. It is read with suspicion: sizes
are bounded before anything is unpacked, the checksum must fit, and the deck is validated like any other.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from companion.core.archives import Budget, TooLarge, member
from companion.core.errors import Unreadable, UsageError
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import valid_label
from companion.vision.deck.header import FILE

SUFFIX = ".companion-deck"
KIND = "companion shared deck"
VERSION = 1
ABOUT = "about.json"
MOST_BYTES = 256 * 2**20
"""No deck is larger, packed or unpacked: a thousand cards take about 70 MB."""


def pack_deck(deck: Deck, game: str | None) -> bytes:
    """The deck as one file for others; `game` is what it is played with, if that is known."""
    with TemporaryDirectory(prefix="deck-") as folder:
        data = deck.save(Path(folder)).read_bytes()
    about = {
        "kind": KIND,
        "version": VERSION,
        "name": deck.name,
        "game": game,
        "cards": len(deck.names),
        "looks": len(deck.labels),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        file.writestr(ABOUT, json.dumps(about, ensure_ascii=False, indent=1))
        file.writestr(FILE, data)
    return out.getvalue()


def unpack_deck(path: Path) -> tuple[Deck, str | None]:
    """The deck in a shared file, and the game it is played with.

    Raises:
        Unreadable: it is no such file, is damaged, or was written by a newer companion.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Unreadable("deck_file.too_large", path=path)
        with zipfile.ZipFile(path) as file:
            about = json.loads(_member(file, ABOUT, 64 * 1024, path))
            _check_about(about, path)
            data = _member(file, FILE, MOST_BYTES, path)
    except FileNotFoundError:
        raise Unreadable("deck_file.missing", path=path) from None
    except OSError as error:
        raise Unreadable("picture.unreadable", path=path, why=error.strerror) from error
    except (zipfile.BadZipFile, RuntimeError, ValueError, EOFError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable("deck_file.no_deck", path=path) from error
    if hashlib.sha256(data).hexdigest() != about.get("sha256"):
        raise Unreadable("deck_file.checksum", path=path)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as arrays:
            Budget(MOST_BYTES, entries=100).check(arrays)
            for item in arrays.infolist():
                _check_array(arrays, item)
    except TooLarge as error:
        raise Unreadable("deck_file.too_large", path=path) from error
    except (zipfile.BadZipFile, ValueError) as error:
        raise Unreadable("deck_file.no_deck", path=path) from error
    return _validated_deck(data, path), about.get("game")


def _check_array(arrays: zipfile.ZipFile, item: zipfile.ZipInfo) -> None:
    """Checks that an array states no more elements than its file can hold: numpy takes the memory for what is
    stated before it reads.

    Raises:
        ValueError: it states more, or is no array of numpy.
    """
    with arrays.open(item) as packed:
        version = np.lib.format.read_magic(packed)
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        if version not in read:
            raise ValueError(item.filename)
        shape, _, kind = read[version](packed)
    if math.prod(shape) * kind.itemsize > item.file_size:
        raise ValueError(item.filename)


def _member(file: zipfile.ZipFile, name: str, most: int, path: Path) -> bytes:
    try:
        return member(file, name, most)
    except KeyError as error:
        raise Unreadable("deck_file.no_deck", path=path) from error
    except TooLarge as error:
        raise Unreadable("deck_file.too_large", path=path) from error


def _check_about(about: Any, path: Path) -> None:
    if not isinstance(about, dict) or about.get("kind") != KIND:
        raise Unreadable("deck_file.no_deck", path=path)
    version = about.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise Unreadable("deck_file.newer", path=path, version=version)
    if not isinstance(about.get("game"), str | None):
        raise Unreadable("deck_file.no_deck", path=path)


def _validated_deck(data: bytes, path: Path) -> Deck:
    with TemporaryDirectory(prefix="deck-") as folder:
        inner = Path(folder) / FILE
        inner.write_bytes(data)
        try:
            deck = Deck.load(inner)
            if any(valid_label(label) != label for label in deck.names):
                raise Unreadable("deck_file.bad_label", path=path)
        except (Unreadable, UsageError) as error:
            raise Unreadable.of(error.message.replacing(str(inner), str(path))) from error
    if not 0.3 <= deck.aspect <= 3.0:
        raise Unreadable("deck_file.shape", path=path)
    return deck

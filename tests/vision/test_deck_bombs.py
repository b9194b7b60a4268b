"""Shared decks that unpack to more than they should: refused, with little memory."""

import hashlib
import io
import json
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from companion.core.errors import Unreadable
from companion.vision.deck import archive
from companion.vision.deck.archive import pack_deck, unpack_deck
from companion.vision.deck.deck import Deck

LITTLE = 24 * 2**20
"""Bytes that refusing a bomb may take."""


@pytest.fixture(scope="module")
def shared() -> dict[str, bytes]:
    """The two files in a good shared deck."""
    folder = Path(__file__).parents[2] / "models"
    packed = pack_deck(Deck.load(next(folder.rglob("deck.npz"))), None)
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        return {name: file.read(name) for name in file.namelist()}


def repacked(target: Path, shared: dict[str, bytes], change: Callable[[str, bytes], bytes]) -> Path:
    """A deck file with each array changed, and the checksum that fits it."""
    inner = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(shared["deck.npz"])) as arrays,
        zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as changed,
    ):
        for name in arrays.namelist():
            changed.writestr(name, change(name, arrays.read(name)))
    about = {**json.loads(shared["about.json"]), "sha256": hashlib.sha256(inner.getvalue()).hexdigest()}
    with zipfile.ZipFile(target, "w") as file:
        file.writestr("about.json", json.dumps(about))
        file.writestr("deck.npz", inner.getvalue())
    return target


def refused(path: Path, match: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(Unreadable, match=match):
            unpack_deck(path)
        assert tracemalloc.get_traced_memory()[1] < LITTLE
    finally:
        tracemalloc.stop()


def test_a_good_deck_is_read(tmp_path: Path, shared: dict[str, bytes]) -> None:
    deck, _ = unpack_deck(repacked(tmp_path / "good", shared, lambda name, data: data))
    assert len(deck.labels) > 3


def test_a_deck_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, shared: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 4 * 2**20)
    path = repacked(tmp_path / "bomb", shared, lambda name, data: bytes(8 * 2**20))
    refused(path, "too large for a deck")


def test_a_file_of_zeros_inside_is_counted_while_it_unpacks(
    tmp_path: Path, shared: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 4 * 2**20)
    with zipfile.ZipFile(tmp_path / "bomb", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("about.json", shared["about.json"])
        file.writestr("deck.npz", bytes(64 * 2**20))
    refused(tmp_path / "bomb", "too large for a deck")


@pytest.mark.parametrize("count", [2_000_000_000, 10_000_000_000_000])
def test_an_array_that_states_more_than_it_holds_is_refused(
    tmp_path: Path, shared: dict[str, bytes], count: int
) -> None:
    def forged(name: str, data: bytes) -> bytes:
        if name != "descriptors.npy":
            return data
        header = io.BytesIO()
        about = {"descr": "|u1", "fortran_order": False, "shape": (count,)}
        np.lib.format.write_array_header_1_0(header, about)
        return header.getvalue() + bytes(100)

    refused(repacked(tmp_path / "bomb", shared, forged), "no shared deck")

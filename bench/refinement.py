"""Decks of a bench refined as the companion refines those that are enrolled. What was learned is kept in
build/refined, by what it was learned from: a deck takes two minutes once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bench.paths import ROOT
from companion.vision.deck.deck import Deck
from companion.vision.verifier.network import judge_version
from models.vision.namer import camera, views
from models.vision.verifier import light, pairing, refine, trainable

FOLDER = ROOT / "build" / "refined"

Prepare = Callable[[Deck], Deck]
"""What is done to an enrolled deck before pictures are read with it."""


def as_it_is(deck: Deck) -> Deck:
    """The deck itself."""
    return deck


def refined(deck: Deck) -> Deck:
    """The deck refined; itself if it cannot be, or is already."""
    if not deck.can_be_refined or deck.judge is not None:
        return deck
    file = FOLDER / f"{_key(deck)}.npz"
    if not file.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".half")
        half.write_bytes(refine.refined_deck(deck).packed())
        half.rename(file)
    return replace(deck, judge=Deck.load(file).judge)


def _key(deck: Deck) -> str:
    """What the outcome depends on: the cards, the networks, the programs that refine."""
    parts = [deck.looks.tobytes(), deck.cards.tobytes(), judge_version().encode()]
    if deck.verifier_features is not None:
        parts.append(deck.verifier_features.tobytes())
    parts += [
        Path(module.__file__).read_bytes() for module in (refine, trainable, pairing, light, views, camera)
    ]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:24]

"""The verifier's training data: the cards of many decks as they were enrolled, and views of them, made once.

    python -m models.vision.verifier.data --work DIR [--made N] [--marked N] [--alike N] [--views N]

DIR is that of models.vision.namer.data, whose decks these are; here cards are seen in more pixels. A third of
the views show a strip that sticks out from under other cards, as in a display.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.match.descriptor import HEIGHT as LOOK_HEIGHT
from companion.vision.match.descriptor import WIDTH as LOOK_WIDTH
from companion.vision.match.descriptor import describe
from companion.vision.match.reconstruction import reconstruct
from companion.vision.verifier.network import FRAME
from models.vision.namer.camera import Rng
from models.vision.namer.data import (
    ALIKE,
    FIRST_LEFT_OUT,
    MARKED,
    DeckData,
    enrolled_picture,
    made_cards,
    printed_decks,
    sources_of,
)
from models.vision.namer.made_decks import DeckSources
from models.vision.namer.views import view
from models.vision.verifier.pairing import IN_COLUMNS

LEFT, LEFT_ALIKE = "verifier_left.npz", "verifier_left_alike.npz"
"""The files of the decks that are left out of training, the second of those whose cards are similar."""
LEFT_DECKS, LEFT_ALIKE_DECKS, LEFT_COUNT = 16, 12, 4
"""How many of each are made, and views of each of their cards."""
DECKS_A_FILE = 60
FEWEST_CARDS = 8
RECONSTRUCTED = 0.2
"""Share of the decks of which only descriptors are known, as of those that were enrolled before."""


@dataclass(frozen=True, eq=False)
class VerifierViews:
    """A deck: references (n, ...), views (m, ...) with their corners (m, 8), what is known to be hidden of
    them as packed bits (m, bytes), their visible shares (m,) and the card of each (m,)."""

    references: Bytes
    views: Bytes
    corners: Floats
    hidden: Bytes
    visible: Floats
    cards: Array


def hidden_of(packed: Bytes) -> Array:
    """What is hidden (rows, columns) of a view, from its packed bits."""
    bits = np.unpackbits(packed, count=FRAME.width * FRAME.height)
    return bits.reshape(FRAME.height, FRAME.width).astype(bool)


def enrolled_reference(card: Image, rng: Rng, *, reconstructed: bool) -> Image:
    """A card as the verifier knows it: a fair photograph, or what a descriptor keeps of one."""
    if reconstructed:
        look = describe(enrolled_picture(card, rng, LOOK_WIDTH, LOOK_HEIGHT))
        return FRAME.framed(reconstruct(look))
    return FRAME.framed(enrolled_picture(card, rng, *FRAME.card))


_SOURCES: DeckSources | None = None


def _start(found: DeckSources) -> None:
    global _SOURCES
    cv2.setNumThreads(1)
    _SOURCES = found


def _deck_views(job: tuple[DeckData | int, int]) -> VerifierViews | None:
    """A deck with `count` views of each of its cards; None for a poor deck."""
    which, count = job
    assert _SOURCES is not None
    seed = which if isinstance(which, int) else sum(which.name.encode())
    cards = made_cards(which, _SOURCES, large=True) if isinstance(which, int) else which.cards
    if len(cards) < FEWEST_CARDS:
        return None
    rng = np.random.default_rng([seed, 5])
    reconstructed = rng.random() < RECONSTRUCTED
    made = [
        view(card, rng, _SOURCES.photographs, cards, frame=FRAME, in_columns=IN_COLUMNS)
        for card in cards
        for _ in range(count)
    ]
    return VerifierViews(
        np.stack([enrolled_reference(card, rng, reconstructed=reconstructed) for card in cards]),
        np.stack([one.picture for one in made]),
        np.stack([one.corners.reshape(8) for one in made]),
        np.stack([np.packbits(one.hidden) for one in made]),
        np.array([one.visible for one in made], np.float32),
        np.repeat(np.arange(len(cards)), count),
    )


def read_decks(file: Path) -> Iterator[VerifierViews]:
    """The decks of a file of `write_decks`."""
    with np.load(file) as arrays:
        references, views, corners, hidden, visible, cards, deck, deck_of_view = (
            arrays[name] for name in (*VerifierViews.__dataclass_fields__, "deck", "deck_of_view")
        )
    for number in range(int(deck.max()) + 1):
        own = deck_of_view == number
        yield VerifierViews(
            references[deck == number], views[own], corners[own], hidden[own], visible[own], cards[own]
        )


def write_decks(target: Path, found: DeckSources, jobs: Sequence[tuple[DeckData | int, int]]) -> None:
    """Writes `target` (npz): the arrays of VerifierViews of these decks, one after the other, and which deck
    a reference and a view belong to."""
    with multiprocessing.Pool(2, _start, (found,)) as pool:
        made = [one for one in pool.imap(_deck_views, jobs, 2) if one is not None]
    parts = {
        name: np.concatenate([getattr(one, name) for one in made])
        for name in VerifierViews.__dataclass_fields__
    }
    deck = np.repeat(np.arange(len(made)), [len(one.references) for one in made])
    deck_of_view = np.repeat(np.arange(len(made)), [len(one.views) for one in made])
    half = target.with_suffix(".half.npz")
    np.savez(half, **parts, deck=deck, deck_of_view=deck_of_view)
    half.rename(target)
    print(f"{target}: {len(made)} decks, {len(deck)} cards, {len(deck_of_view)} views", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--made", type=int, default=600, help="decks made by code")
    parser.add_argument("--marked", type=int, default=120, help="decks with marks in the corners alone")
    parser.add_argument("--alike", type=int, default=600, help="decks of cards that are hard to tell apart")
    parser.add_argument("--views", type=int, default=5, help="views of each card")
    options = parser.parse_args()
    found, views = sources_of(options.work), options.views
    left: list[DeckData | int] = [*printed_decks(options.work, left_out=True, large=True)]
    left += range(FIRST_LEFT_OUT, FIRST_LEFT_OUT + LEFT_DECKS)
    write_decks(options.work / LEFT, found, [(deck, LEFT_COUNT) for deck in left])
    similar = ALIKE[-LEFT_ALIKE_DECKS:]
    write_decks(options.work / LEFT_ALIKE, found, [(deck, LEFT_COUNT) for deck in similar])
    jobs: list[tuple[DeckData | int, int]] = [
        (deck, 2 * views) for deck in printed_decks(options.work, left_out=False, large=True)
    ]
    seeds = [*range(options.made), *MARKED[: options.marked], *ALIKE[: options.alike]]
    jobs += [(int(seed), views) for seed in np.random.default_rng(1).permutation(seeds)]
    for first in range(0, len(jobs), DECKS_A_FILE):
        target = options.work / f"verifier_{first:05d}.npz"
        if not target.exists():
            write_decks(target, found, jobs[first : first + DECKS_A_FILE])


if __name__ == "__main__":
    main()

"""The training data: decks, views of their cards and pictures with cards in them, made once and kept as
arrays.

python -m models.vision.namer.data --work DIR [--made N] [--views N] [--scenes N] [--only views|scenes]
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

from companion.art.decks.registry import card_labels, draw_card
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.match.descriptor import HEIGHT as LOOK_HEIGHT
from companion.vision.match.descriptor import WIDTH as LOOK_WIDTH
from companion.vision.match.descriptor import describe
from companion.vision.namer.network import reference_view
from models.vision.namer import sources
from models.vision.namer.alike_decks import alike_deck
from models.vision.namer.camera import Rng
from models.vision.namer.made_decks import HEIGHT, WIDTH, DeckSources, H, W, made_deck
from models.vision.namer.scenes import scene
from models.vision.namer.views import view

LEFT_OUT = ("dondorf", "egypt", "oxygen", "future")
"""Printed decks that nothing is trained on; limits are fitted on them."""
OWN = ("seven_merry_monsters", "nasty_7", "thirteen_monsters")
LEFT_VIEWS = "views_left.npz"
"""The file of the views of decks that are left out."""
DECKS_A_FILE = 100
"""Decks made by code whose views are one file."""
FIRST_LEFT_OUT = 100_000
"""Decks made from seeds from here on are for fitting limits."""
MARKED = range(50_000, 60_000)
"""Decks made from these seeds differ by the marks in their corners alone; the verifier learns from them."""
ALIKE = range(60_000, 70_000)
"""Decks made from these seeds are alike_decks; the verifier learns from them too."""
SAME, SAME_MARK = 4.0, 50.0
"""Mean difference in grey levels below which two cards are one; the largest difference anywhere, if the cards
of a deck differ by their marks alone."""
MADE_CARDS = 32


@dataclass(frozen=True)
class DeckData:
    """Cards (n, HEIGHT, WIDTH, 3) as printed."""

    name: str
    cards: list[Image]


def sources_of(work: Path) -> DeckSources:
    """Everything that decks are made of."""
    return DeckSources(
        sources.photographs(work), sources.stamps(work), sources.typefaces(work), sources.symbol_faces(work)
    )


def printed_decks(work: Path, *, left_out: bool, large: bool = False) -> list[DeckData]:
    """The decks of packages and our own; `left_out`: those that nothing is trained on; `large`: cards as they
    are drawn, twice WIDTH x HEIGHT."""
    width, height = (W, H) if large else (WIDTH, HEIGHT)
    found = [
        DeckData(name, cards)
        for name, cards in sources.printed_decks(work, width, height).items()
        if cards and (name in LEFT_OUT) == left_out
    ]
    if not left_out:
        for game in OWN:
            drawn = [draw_card(game, label, 2 * HEIGHT) for label in card_labels(game)]
            small = [cv2.resize(one, (width, height), interpolation=cv2.INTER_AREA) for one in drawn]
            found.append(DeckData(game, [np.asarray(one, np.uint8) for one in small]))
    return [DeckData(deck.name, distinct(deck.cards)) for deck in found]


def distinct(cards: Sequence[Image], *, marked: bool = False) -> list[Image]:
    """The cards of a deck without those that look like one before; `marked`: they may differ by a mark."""
    kept: list[Image] = []
    small: list[Floats] = []
    size = (40, 60) if marked else (20, 30)
    for card in cards:
        own = cv2.resize(card, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        if own.std() > 4 and all(_differ(own, other, marked) for other in small):
            kept.append(card)
            small.append(own)
    return kept


def _differ(one: Floats, other: Floats, marked: bool) -> bool:
    apart = np.abs(one - other)
    return bool(apart.max() > SAME_MARK if marked else apart.mean() > SAME)


def enrolled_picture(card: Image, rng: Rng, width: int, height: int) -> Floats:
    """A card (height, width, 3) as somebody enrols it: a fair photograph."""
    picture = card.astype(np.float32) * float(np.exp(rng.normal(-0.15, 0.25)))
    picture = picture * np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    field = cv2.resize(rng.normal(1, 0.06, (2, 2)).astype(np.float32), card.shape[1::-1])
    picture = np.clip(picture * field[..., None], 0, 255)
    if rng.random() < 0.4:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.2)))
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def enrolled_look(card: Image, rng: Rng) -> Bytes:
    """The descriptor of a card as somebody enrols it."""
    return describe(enrolled_picture(card, rng, LOOK_WIDTH, LOOK_HEIGHT))


_SOURCES: DeckSources | None = None


def _start(found: DeckSources) -> None:
    global _SOURCES
    cv2.setNumThreads(1)
    _SOURCES = found


def _deck_views(job: tuple[DeckData | int, int]) -> tuple[Bytes, Bytes, Floats, Floats] | None:
    """References (n, ...), views (n, per card, ...), their corners and visible shares; None for a poor
    deck."""
    which, count = job
    assert _SOURCES is not None
    seed = which if isinstance(which, int) else sum(which.name.encode())
    cards = made_cards(which, _SOURCES) if isinstance(which, int) else which.cards
    if len(cards) < 8:
        return None
    rng = np.random.default_rng([seed, 3])
    references = np.stack([reference_view(enrolled_look(card, rng)) for card in cards])
    made = [[view(card, rng, _SOURCES.photographs, cards) for _ in range(count)] for card in cards]
    return (
        references,
        np.stack([[one.picture for one in row] for row in made]),
        np.stack([[one.corners.reshape(8) for one in row] for row in made]),
        np.array([[one.visible for one in row] for row in made], np.float32),
    )


def made_cards(seed: int, found: DeckSources, *, large: bool = False) -> list[Image]:
    """The cards of a deck made by code that can be told apart."""
    if seed in ALIKE:
        return distinct(alike_deck(seed, found, MADE_CARDS, large=large), marked=True)
    marked = seed in MARKED
    return distinct(made_deck(seed, found, MADE_CARDS, large=large, marked=marked), marked=marked)


def _scenes(job: tuple[int, int]) -> tuple[Bytes, Floats, Floats, np.ndarray]:
    seed, count = job
    assert _SOURCES is not None
    rng = np.random.default_rng([seed, 9])
    cards = [card for index in range(3) for card in made_deck(seed * 3 + index, _SOURCES, 12)]
    made = [scene(cards, rng, _SOURCES.photographs) for _ in range(count)]
    return (
        np.stack([one.picture for one in made]),
        np.stack([one.visible for one in made]).astype(np.float16),
        np.stack([one.quads for one in made]).astype(np.float16),
        np.stack([one.inside for one in made]),
    )


@dataclass(frozen=True, eq=False)
class DeckArrays:
    """What `write_views` wrote of one deck: references (n, ...), views (m, ...) with their corners (m, 8),
    the visible share of each view and its card, 0 to n - 1."""

    references: Bytes
    views: Bytes
    corners: Floats
    visible: Floats
    cards: Array


def read_views(file: Path) -> Iterator[DeckArrays]:
    """The decks of a file of `write_views`."""
    with np.load(file) as arrays:
        references, views, corners, visible, deck, card = (
            arrays[name] for name in ("references", "views", "corners", "visible", "deck", "card")
        )
    for number in range(int(deck.max()) + 1):
        cards = np.flatnonzero(deck == number)
        own = np.flatnonzero(deck[card] == number)
        yield DeckArrays(references[cards], views[own], corners[own], visible[own], card[own] - cards[0])


def write_views(
    target: Path, found: DeckSources, seeds: range, count: int, printed: Sequence[DeckData] = ()
) -> None:
    """Writes `target` (npz): references, views, corners, visible, and which deck a card belongs to, of the
    decks made from the seeds, `count` views of a card, and of printed decks, twice as many."""
    jobs: list[tuple[DeckData | int, int]] = [(seed, count) for seed in seeds]
    jobs += [(deck, 2 * count) for deck in printed]
    with multiprocessing.Pool(2, _start, (found,)) as pool:
        made = [one for one in pool.imap(_deck_views, jobs, 4) if one is not None]
    parts = {
        "references": np.concatenate([one[0] for one in made]),
        "views": np.concatenate([one[1].reshape(-1, *one[1].shape[2:]) for one in made]),
        "corners": np.concatenate([one[2].reshape(-1, 8) for one in made]),
        "visible": np.concatenate([one[3].reshape(-1) for one in made]),
        "deck": np.concatenate([np.full(len(one[0]), index) for index, one in enumerate(made)]),
        "card": np.concatenate(list(_owners(made))),
    }
    np.savez(target, **parts)
    print(
        f"{target}: {len(made)} decks, {len(parts['deck'])} cards, {len(parts['card'])} views",
        file=sys.stderr,
    )


def _owners(made: Sequence[tuple[Bytes, Bytes, Floats, Floats]]) -> Iterator[np.ndarray]:
    first = 0
    for references, views, _, _ in made:
        yield first + np.repeat(np.arange(len(references)), views.shape[1])
        first += len(references)


def write_scenes(target: Path, found: DeckSources, seeds: range, count: int) -> None:
    """Writes `target` (npz): pictures, visible, quads, inside; `count` for each seed."""
    with multiprocessing.Pool(2, _start, (found,)) as pool:
        made = list(pool.imap(_scenes, [(seed, count) for seed in seeds]))
    names = ("pictures", "visible", "quads", "inside")
    np.savez(target, **{name: np.concatenate([one[i] for one in made]) for i, name in enumerate(names)})
    print(f"{target}: {sum(len(one[0]) for one in made)} scenes", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--made", type=int, default=900, help="decks made by code")
    parser.add_argument("--views", type=int, default=5, help="views of each of their cards")
    parser.add_argument("--scenes", type=int, default=12_000)
    parser.add_argument("--only", choices=("views", "scenes"))
    options = parser.parse_args()
    work, found = options.work, sources_of(options.work)
    left = range(FIRST_LEFT_OUT, FIRST_LEFT_OUT + 16)
    if options.only != "scenes":
        write_views(work / LEFT_VIEWS, found, left, 4, printed_decks(work, left_out=True))
        for first in range(0, options.made, DECKS_A_FILE):
            target = work / f"views_{first:05d}.npz"
            if not target.exists():
                seeds = range(first, min(first + DECKS_A_FILE, options.made))
                printed = [] if first else printed_decks(work, left_out=False)
                write_views(target, found, seeds, options.views, printed)
    if options.only != "views":
        if not (work / "scenes_left.npz").exists():
            write_scenes(work / "scenes_left.npz", found, left[:5], 100)
        for first in range(0, options.scenes // 100, 10):
            if not (work / f"scenes_{first:04d}.npz").exists():
                write_scenes(work / f"scenes_{first:04d}.npz", found, range(first, first + 10), 100)


if __name__ == "__main__":
    main()

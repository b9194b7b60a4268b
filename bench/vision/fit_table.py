"""Fits from which log odds of the verifier a name on a table stands, on development decks and their halves
(bench.vision.half_decks), and on decks made by code whose cards are similar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.surrogates.camera import reference
from bench.vision.half_decks import DEVELOPMENT_NAMES, KINDS, PrintedDeck, composites, printed_deck
from bench.vision.real import Instance, Photo
from companion.vision.cards.recognise import CardSearch, worked_on
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Floats
from companion.vision.verifier.verify import place_log_odds
from models.vision.namer.alike_decks import alike_deck
from models.vision.namer.data import FIRST_LEFT_OUT, sources_of

TABLES = {kind: KINDS[kind] for kind in ("table", "overlapping")}
SIMILAR_DECKS, FEWEST_CARDS = 4, 12
LOST = 0.01
"""Share of right names that do not count: those of least log odds."""
SIMILAR = np.arange(-4.0, 2.01, 0.25)
"""Likenesses of a deck that are tried."""
NEAR = 0.25
"""Widths of the picture's card by which the middle of a right name may be off."""


@dataclass(frozen=True)
class TableName:
    """A name on a table before the verifier is asked: its log odds, whether it is right, and the likeness of
    the deck."""

    log_odds: float
    right: bool
    likeness: float


def table_names(work: Path, shared: Path, count: int, seed: int) -> Iterator[TableName]:
    """The names in `count` pictures of each kind of each deck, read with both halves and the whole deck."""
    for name, printed in printed_decks(work, shared, seed).items():
        halves = printed.halves(name)
        whole = enrol_pictures(name, list(printed.references), list(printed.references.values())).deck
        for half, photo in composites(name, printed, count, seed, kinds=TABLES):
            for deck in (halves[half], whole):
                yield from _names_in(photo, deck)


def _names_in(photo: Photo, deck: Deck) -> Iterator[TableName]:
    image, _ = worked_on(photo.load())
    search = CardSearch(image, deck)
    named = search.unconfirmed()
    poses = [(match.look, match.quad) for match in named]
    odds = place_log_odds(search.evaluator.scene, deck.pictures, poses)
    for match, one in zip(named, odds, strict=True):
        same = (card for card in photo.instances if card.label == match.label)
        right = any(_is_at(card, match.quad, image.shape) for card in same)
        yield TableName(float(one), right, deck.pictures.likeness)


def printed_decks(work: Path, shared: Path, seed: int) -> Mapping[str, PrintedDeck]:
    """The development decks, and some of similar cards."""
    decks = {name: printed_deck(name, seed, shared) for name in DEVELOPMENT_NAMES}
    found, rng = sources_of(work), np.random.default_rng(seed)
    for number in range(SIMILAR_DECKS):
        drawn = alike_deck(FIRST_LEFT_OUT + number, found, large=True)
        cards = {f"{index:02d}": card for index, card in enumerate(drawn)}
        if len(cards) >= FEWEST_CARDS:
            references = {label: reference(card, rng) for label, card in cards.items()}
            decks[f"alike {number}"] = PrintedDeck(cards, references)
    return decks


def _is_at(card: Instance, quad: Floats, shape: tuple[int, ...]) -> bool:
    """Whether a card of the truth lies where it was named."""
    middle = quad.mean(axis=0)
    away = np.hypot(card.x * shape[1] - middle[0], card.y * shape[0] - middle[1])
    return bool(away < NEAR * float(np.linalg.norm(quad[1] - quad[0])))


def fit_table(found: Sequence[TableName]) -> dict[str, object]:
    """The limits in the middle between false names and right ones, for decks of a likeness up to one of
    SIMILAR and for others: the one with the widest gap between them, of equal ones the middle one."""
    gaps = {float(similar): _gaps(found, float(similar)) for similar in SIMILAR}
    widest = {similar: min(gap.width for gap in both) for similar, both in gaps.items()}
    best = [similar for similar, width in widest.items() if width == max(widest.values())]
    similar = best[len(best) // 2]
    different, alike = gaps[similar]
    return {
        "similar": similar,
        "different": round(different.middle, 2),
        "alike": round(alike.middle, 2),
        "gap": [round(gap.width, 2) for gap in (different, alike)],
        "right": [gap.right for gap in (different, alike)],
        "false": [gap.false for gap in (different, alike)],
    }


def _gaps(found: Sequence[TableName], similar: float) -> tuple[LogOddsGap, LogOddsGap]:
    """Those of decks of a likeness up to `similar`, and of the others."""
    different = _gap_between([one for one in found if one.likeness <= similar])
    return different, _gap_between([one for one in found if one.likeness > similar])


@dataclass(frozen=True)
class LogOddsGap:
    """The log odds between false names and right ones, and how many of both there are."""

    middle: float
    width: float
    right: int
    false: int


def _gap_between(some: Sequence[TableName]) -> LogOddsGap:
    right = [one.log_odds for one in some if one.right]
    false = [one.log_odds for one in some if not one.right]
    if not right or not false:
        return LogOddsGap(0.0, -np.inf, len(right), len(false))
    low, high = max(false), float(np.quantile(right, LOST))
    return LogOddsGap((low + high) / 2, high - low, len(right), len(false))

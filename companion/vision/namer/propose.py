"""Which card of a deck a place may show: the namer's embedding of it beside those of the enrolled cards."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Array, Bytes, Floats, Image
from companion.vision.models import shipped_network
from companion.vision.namer.locate import locate_cards
from companion.vision.namer.network import (
    FRAME,
    NAMER,
    as_input,
    reference_view,
    straightened,
)

SIZES, SHIFTS = (0.84, 1.0, 1.2), ((0.0, 0.0), (-0.14, 0.0), (0.14, 0.0), (0.0, -0.1), (0.0, 0.1))
TURNS = (-0.2, 0.2)
"""Sizes, shifts (in widths and heights) and turns (radians) of the quads from which a place is searched."""
KEPT = (9, 4, 2)
"""Quads that are moved in each round, those most like any card."""
AT_ONCE = 16


@dataclass(frozen=True)
class NamerAnswer:
    """What the namer says of m quads: `likeness` (m, 2, n) to each look, upright and upside down; `corners`
    (m, 8), how far off they are in card widths."""

    likeness: Floats
    corners: Floats

    def taken(self, which: Array) -> NamerAnswer:
        """The answer for some of the quads."""
        return NamerAnswer(self.likeness[which], self.corners[which])


@dataclass(frozen=True)
class DeckEmbeddings:
    """What the namer makes of the looks of a deck: `values` (2 n, ...), upright, then upside down."""

    values: Floats

    @staticmethod
    def of(looks: Bytes) -> DeckEmbeddings:
        """The embeddings of looks."""
        views = np.stack([reference_view(look) for look in looks])
        both = as_input(np.concatenate([views, views[:, ::-1, ::-1]]))
        network = shipped_network(NAMER)
        parts = [network.forward_all(both[at : at + AT_ONCE]) for at in range(0, len(both), AT_ONCE)]
        values = np.concatenate([part["embedding"] for part in parts])
        return DeckEmbeddings(values.reshape(len(values), -1))

    def answer(self, image: Image, quads: Floats) -> NamerAnswer:
        """What the namer says of quads (m, 4, 2) of a picture."""
        found = shipped_network(NAMER).forward_all(as_input(straightened(image, quads)))
        likeness = found["embedding"] @ self.values.T
        return NamerAnswer(likeness.reshape(len(quads), 2, -1), found["corners"])


@dataclass(frozen=True)
class NamedPlace:
    """A place that looks like a card. `quad`: its corners, either end first; `likeness` (2, n): to each look
    upright in the quad, and upside down, -1 to 1."""

    quad: Floats
    likeness: Floats

    def ranked(self, cards: Array) -> list[tuple[int, int]]:
        """The likeliest look of each card with its orientation (look, over), likeliest first; `cards[i]` is
        the card of look i."""
        first: dict[int, tuple[int, int]] = {}
        for index in np.argsort(-self.likeness.ravel()):
            over, look = divmod(int(index), self.likeness.shape[1])
            first.setdefault(int(cards[look]), (look, over))
        return list(first.values())


def name_place(image: Image, quad: Floats, deck: DeckEmbeddings) -> NamedPlace:
    """How much what is in `quad` looks like each look of a deck, where it does so most.

    The quad may be off by a seventh of the card, so the search begins from several quads about it; each is
    moved as the namer says, and those go on that look most like any card."""
    quads = _starts(quad)
    answer = deck.answer(image, quads)
    for kept in KEPT:
        best = np.argsort(-answer.likeness.max(axis=(1, 2)))[:kept]
        quads, answer = quads[best], answer.taken(best)
        moved = _moved(quads, answer.corners)
        after = deck.answer(image, moved)
        quads = np.concatenate([quads, moved])
        answer = NamerAnswer(
            np.concatenate([answer.likeness, after.likeness]), np.concatenate([answer.corners, after.corners])
        )
    first = int(answer.likeness.max(axis=(1, 2)).argmax())
    return NamedPlace(quads[first], answer.likeness[first])


def _starts(quad: Floats) -> Floats:
    """The quad (4, 2) and those about it (n, 4, 2): shifted, larger and smaller, turned."""
    quads = [
        np.asarray(geometry.UNIT * size + (1 - size) / 2 + np.array(shift), np.float32)
        for size in SIZES
        for shift in SHIFTS
    ]
    onto = geometry.homography(geometry.UNIT, np.asarray(quad, np.float32))
    found = [geometry.transform(one, onto) for one in quads]
    middle = quad.mean(axis=0)
    for turn in TURNS:
        spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        found.append(np.asarray((quad - middle) @ spin.T + middle, np.float32))
    return np.stack(found)


def _moved(quads: Floats, errors: Floats) -> Floats:
    """Quads (n, 4, 2) moved as the namer says (n, 8); as they were where that makes no card."""
    moved = []
    for quad, error in zip(quads, errors, strict=True):
        frame = FRAME.corners + FRAME.card[0] * error.reshape(4, 2)
        corners = geometry.transform(frame, geometry.homography(FRAME.corners, np.asarray(quad, np.float32)))
        moved.append(corners if geometry.is_card_like(corners, 8.0, (0.8, 2.8)) else quad)
    return np.stack(moved)


def name_places(image: Image, deck: DeckEmbeddings) -> list[NamedPlace]:
    """The places in a whole picture that look like cards."""
    return [name_place(image, place.quad, deck) for place in locate_cards(image)]

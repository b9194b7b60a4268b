"""Reads a photographed display: which cards lie in which column.

Labels are "<monster> <number>"; a joker has a label of its own. Cards that overlap or lie in line form a
column; a joker belongs to the column whose cards it touches. A doubtful card is reported and never counted
silently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.message import Message, Param, message
from companion.core.observations import Sighting
from companion.vision.cards.evaluator import Evaluator
from companion.vision.cards.recognise import LONGEST, CardSearch, to_sighting
from companion.vision.cards.unlabelled import has_visible_edge
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image, shrunk, validated
from companion.vision.match.score import CardMatch

UNSURE_CONFIDENCE = 0.6
"""Confidence below which a card is reported as unsure."""
CARD_LIKE_COST = 0.65
"""Cost below which an outline without a label looks like a card of the deck."""
UNNAMED_AREA = (0.75, 1.33)
"""Area of such an outline, as a share of the median area of the named cards."""
UNNAMED_OVERLAP = 0.1
"""Largest share of such an outline that lies on a named card."""
COLUMN_ACROSS, COLUMN_ALONG, COLUMN_OVERLAP = 0.5, 1.05, 0.05
"""Two cards lie in one column if their centres are at most so many widths and heights apart, measured in the
axes of one of them, and if they share more than the last share of its area."""


@dataclass(frozen=True)
class DisplayReading:
    """What a display shows.

    `display` is {monster: {"cards": n, "jokers": n}}; jokers are included in cards. `monsters[i]` names the
    column of `cards[i]` (None: in no column). A display is scored only if `unsure` is empty.
    """

    display: dict[str, dict[str, int]]
    cards: tuple[Sighting, ...]
    monsters: tuple[str | None, ...]
    unsure: tuple[Message, ...]


def read_display(image: Image, deck: Deck, joker: str) -> DisplayReading:
    """Reads the columns of one display.

    Args:
        image: BGR, uint8, the display seen from above; at least 90 pixels a card.
        deck: the enrolled cards.
        joker: label of the cards that join any column; empty: there are none.

    Returns:
        The columns, the cards (from left to right), and what is unsure.

    Raises:
        Unreadable: it is no picture.
    """
    small, scale = shrunk(validated(image), LONGEST)
    search = CardSearch(small, deck, thorough=True)
    found, hidden = search.read()
    sightings = [to_sighting(match, scale) for match in found]
    cards = tuple(sorted(sightings, key=lambda card: (card.centre[0], card.centre[1])))
    unsure = _uncertainties(cards, joker)
    unnamed = _count_unnamed(search.evaluator, search.outlines, found) + hidden
    if unnamed:
        unsure.append(message("display.strangers", count=unnamed))
    monsters, mixed = assign_columns(cards, joker)
    display: dict[str, dict[str, int]] = {}
    for card, monster in zip(cards, monsters, strict=True):
        if monster is not None:
            column = display.setdefault(monster, {"cards": 0, "jokers": 0})
            column["cards"] += 1
            column["jokers"] += card.label == joker
    unsure.extend(mixed)
    if not cards:
        unsure.append(message("display.no_card"))
    return DisplayReading(display, cards, monsters, tuple(unsure))


def _count_unnamed(evaluator: Evaluator, outlines: Sequence[Floats], found: Sequence[CardMatch]) -> int:
    """Number of outlines as large as the named cards, not on any of them, that look like a card of the deck
    and have a visible edge or still look like a card after refinement."""
    median_area = float(np.median([geometry.area(match.quad) for match in found])) if found else 0.0
    taken = [match.quad for match in found]
    soft = np.asarray(cv2.blur(evaluator.scene.image, (5, 5)), np.uint8)
    count = 0
    for quad in outlines:
        if found and not UNNAMED_AREA[0] < geometry.area(quad) / median_area < UNNAMED_AREA[1]:
            continue
        most = UNNAMED_OVERLAP * geometry.area(quad)
        if any(cv2.intersectConvexConvex(quad, other)[0] >= most for other in taken):
            continue
        candidates = evaluator.rank_outlines([quad])[0]
        if candidates[0].cost < CARD_LIKE_COST and (
            has_visible_edge(soft, quad) or evaluator.evaluate(candidates) is not None
        ):
            taken.append(quad)
            count += 1
    return count


def monster_of(label: str, joker: str) -> str | None:
    """The monster of a card: its label without the number; None for a joker."""
    return None if label == joker else label.rsplit(" ", 1)[0]


def assign_columns(cards: Sequence[Sighting], joker: str) -> tuple[tuple[str | None, ...], list[Message]]:
    """The column of each card, and what is doubtful about the arrangement."""
    monsters: list[str | None] = [monster_of(card.label, joker) for card in cards]
    doubts: list[Message] = []
    for group in _connected_groups(cards):
        present = sorted({m for m in (monsters[i] for i in group) if m is not None})
        for i in group:
            if cards[i].label != joker:
                continue
            if len(present) == 1:
                monsters[i] = present[0]
            elif present:
                near = [k for k in group if cards[k].label != joker]
                nearest = min(near, key=lambda k: _distance(cards[i], cards[k]))
                monsters[i] = monster_of(cards[nearest].label, joker)
                doubts.append(_about("display.joker_touches", cards[i], monsters=tuple(present)))
            else:
                doubts.append(_about("display.joker_alone", cards[i]))
    return tuple(monsters), doubts


def _connected_groups(cards: Sequence[Sighting]) -> list[list[int]]:
    """Groups of cards that overlap or lie in line, directly or through others."""
    quads = [np.asarray(card.corners, np.float32) for card in cards]
    group = list(range(len(cards)))
    for i in range(len(cards)):
        for k in range(i):
            if _in_column(quads[i], quads[k]):
                old, new = group[i], group[k]
                group = [new if g == old else g for g in group]
    return [[i for i, g in enumerate(group) if g == name] for name in dict.fromkeys(group)]


def _in_column(first: Floats, second: Floats) -> bool:
    """Whether the second card lies in line with the length of the first one and overlaps it (see
    COLUMN_ACROSS)."""
    local = geometry.transform(
        geometry.diagonal_crossing(second)[None], geometry.homography(first, geometry.UNIT)
    )[0] - 0.5  # fmt: skip
    along, across = abs(float(local[1])), abs(float(local[0]))
    if across > COLUMN_ACROSS or along > COLUMN_ALONG:
        return False
    shared, _ = cv2.intersectConvexConvex(first, second)
    return float(shared) > COLUMN_OVERLAP * abs(geometry.area(first))


def _distance(first: Sighting, second: Sighting) -> float:
    return float(np.hypot(first.centre[0] - second.centre[0], first.centre[1] - second.centre[1]))


def _uncertainties(cards: Sequence[Sighting], joker: str) -> list[Message]:
    found = [
        _about("display.maybe", card, label=card.label)
        for card in cards
        if card.confidence < UNSURE_CONFIDENCE
    ]
    labels = [card.label for card in cards if card.label != joker]
    for label in dict.fromkeys(label for label in labels if labels.count(label) > 1):
        found.append(message("display.seen_again", label=label, count=labels.count(label)))
    return found


def _about(code: str, card: Sighting, **params: Param) -> Message:
    """A doubt about a card, with its place in pixels."""
    x, y = card.centre
    return message(code, x=round(x), y=round(y), **params)

"""Reads a photographed display: how many cards lie in which column.

Labels are "<monster> <number>"; a joker has a label of its own and counts for the column that it lies in. The
score depends on the columns and on how many cards each has, so these are certain or asked: every place where
a card may lie uncounted, or where what was counted may be none, is an `UnsurePlace`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.errors import UsageError
from companion.core.message import Message, message
from companion.core.observations import Point, Sighting
from companion.vision.deck.deck import Deck
from companion.vision.display.columns import left_over
from companion.vision.display.comparer import PartComparer
from companion.vision.display.counting import counted_display
from companion.vision.display.limits import column_limits, display_limits
from companion.vision.display.naming import ComparedPart, DeckMonsters, NamedColumn, NamedPart, name_columns
from companion.vision.display.straight import CardPart
from companion.vision.image import geometry
from companion.vision.image.picture import LONGEST, Floats, Image, shrunk, validated
from companion.vision.match.descriptor import PicturePyramid
from companion.vision.match.suppression import ExplainedMap

Corners = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class UnsurePlace:
    """A place of the picture that somebody must look at before the display can be scored.

    `likely`: the labels that may lie there, likeliest first; `column`: the monster of the column that the
    place belongs to, None if it is in none. `card`: the index of the card that was counted there, None if
    none was. `reason`: the question in words.
    """

    corners: Corners
    likely: tuple[str, ...]
    column: str | None
    card: int | None
    reason: Message


@dataclass(frozen=True)
class DisplayReading:
    """What a display shows.

    `display` is {monster: {"cards": n, "jokers": n}}; jokers are included in cards. `monsters[i]` names the
    column of `cards[i]` (None: in no column). A card whose number is not sure has the monster of its column
    as label, and the probability of its likeliest name as confidence. `visible[i]` is the part of it that is
    seen, the end that sticks out first. A display is scored only if `unsure` is empty.
    """

    display: dict[str, dict[str, int]]
    cards: tuple[Sighting, ...]
    monsters: tuple[str | None, ...]
    unsure: tuple[UnsurePlace, ...]
    visible: tuple[Corners, ...]


def read_display(image: Image, deck: Deck, joker: str) -> DisplayReading:
    """Reads the columns of one display.

    Args:
        image: BGR, uint8, the display seen from above; at least 90 pixels a card.
        deck: the enrolled cards.
        joker: label of the cards that join any column; empty: there are none.

    Returns:
        The columns, the cards (from left to right), and the places that are unsure.

    Raises:
        Unreadable: it is no picture.
        UsageError: no card of a monster is enrolled.
    """
    small, scale = shrunk(validated(image), LONGEST)
    monsters = DeckMonsters.of(deck.names, joker, display_limits().cards)
    if not monsters.cards:
        raise UsageError("display.no_monster", deck=deck.name)
    limits = display_limits().limits
    found = counted_display(small, deck.aspect, limits.leftover)
    if found is None:
        height, width = small.shape[:2]
        corners = _corners(geometry.rectangle(0, 0, width - 1, height - 1), scale)
        nothing = UnsurePlace(corners, (), None, None, message("display.no_card"))
        return DisplayReading({}, (), (), (nothing,), ())
    scene, explained = PicturePyramid(small), ExplainedMap(small.shape[:2])
    comparer = PartComparer(scene, deck, explained, monsters)
    compared = [comparer.column(column, limits) for column in found.columns]
    named = name_columns(compared, monsters)
    places = left_over(found.maps, [one.quad for one in compared], found.card_area)
    leftover = [comparer.leftover(place.quad) for place in places if place.area > limits.leftover]
    return _reading(named, leftover, joker, scale)


def _reading(
    named: Sequence[NamedColumn], leftover: Sequence[ComparedPart], joker: str, scale: float
) -> DisplayReading:
    """What the columns count, and everything about them that is unsure."""
    places = [(part, column) for column in named for part in column.parts]
    places.sort(key=lambda place: tuple(place[0].quad.mean(axis=0)))
    display: dict[str, dict[str, int]] = {}
    unsure: list[UnsurePlace] = []
    for at, (part, column) in enumerate(places):
        own = display.setdefault(column.monster, {"cards": 0, "jokers": 0})
        own["cards"] += 1
        own["jokers"] += part.name == joker
        code = _doubt_about(part, column, joker)
        if code:
            unsure.append(_place(code, part.compared.part, scale, part.likely, column.monster, at))
    for column in named:
        for doubt in column.doubts:
            if doubt not in column.parts:
                place = doubt.compared.part
                unsure.append(_place("display.maybe_more", place, scale, doubt.likely, column.monster))
    unsure += [_place("display.maybe_card", one.part, scale, one.likeliest, None) for one in leftover]
    cards = tuple(_sighting(part, column, joker, scale) for part, column in places)
    monsters = tuple(column.monster for _, column in places)
    visible = tuple(_corners(part.compared.part.visible, scale) for part, _ in places)
    return DisplayReading(display, cards, monsters, tuple(unsure), visible)


def _doubt_about(part: NamedPart, column: NamedColumn, joker: str) -> str:
    """Why a part that was counted must be asked about; empty if it need not. A column of which every part is
    likelier to be none of the deck's cards may be no column."""
    if part in column.doubts or not any(one.compared.is_known for one in column.parts):
        return "display.maybe_none"
    if part is not column.parts[-1]:
        return ""
    if column.same > column_limits().cards.same_monster:
        return "display.same_monster"
    return "display.joker_alone" if all(one.name == joker for one in column.parts) else ""


def _sighting(part: NamedPart, column: NamedColumn, joker: str, scale: float) -> Sighting:
    """A card with its name, or with the monster of its column alone if the name is not sure. A joker, which
    has no number, stays what `display` counts it as."""
    limits = display_limits().names
    likely = limits.likely(part.lead, column.probability, part.compared.known)
    label = part.name if likely >= limits.named or part.name == joker else column.monster
    return Sighting(label, round(likely, 4), _corners(part.quad, scale))


def _place(
    code: str,
    part: CardPart,
    scale: float,
    likely: Sequence[str],
    column: str | None,
    card: int | None = None,
) -> UnsurePlace:
    """The visible part of a card as a place that is asked about, with the question of that code."""
    corners = _corners(part.visible, scale)
    x, y = (round(sum(point[i] for point in corners) / 4) for i in (0, 1))
    return UnsurePlace(corners, tuple(likely), column, card, message(code, x=x, y=y))


def _corners(quad: Floats, scale: float) -> Corners:
    """Corners in pixels of the picture before that was shrunk by `scale`."""
    return geometry.corner_points(geometry.to_original(quad, scale))

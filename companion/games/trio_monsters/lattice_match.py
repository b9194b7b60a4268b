"""A table of triangles that was seen, laid upon the one that is known.

A picture counts its places from a card of its own choice and may see the table from any side. Of all ways to
turn (by sixths of a circle) and move what was seen, the one is sought on which most cards agree with what is
known. A camera that has matched before stands where it stood, unless that contradicts what is seen.

Of several equally good ways any will do if all known cards are seen: what lies there is the same whichever of
two equal cards is taken for the new one, and so is what it catches (a chain that was not there before holds
both). If some are not seen, two ways may mean different tables: that is no match, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist, floor, inf, sqrt

import msgspec

from companion.core.observations import LatticeCard, Point, View
from companion.games.trio_monsters.lattice import Place, corners, points_up, sides

Table = Mapping[Place, str]

CONTRADICTS = 1.5
"""A card that contradicts what is known weighs so many that agree."""
MOST_WRONG = 0.4
"""Share of the cards seen at known places that may contradict what is known."""
TALL = sqrt(3) / 2
STAYED = 0.25
"""A card lies at a place if it is nearer to its middle than so many sides."""


class Pose(msgspec.Struct, frozen=True):
    """How a picture's places become the table's: turned by sixths of a circle, then moved."""

    sixths: int = 0
    rows: int = 0
    columns: int = 0

    def of(self, at: Place) -> Place:
        """The table's place of a picture's place."""
        r, c = turned(at, self.sixths)
        return r + self.rows, c + self.columns

    def back(self, place: Place) -> Place:
        """The picture's place of a table's place."""
        return turned((place[0] - self.rows, place[1] - self.columns), -self.sixths)


class Stand(msgspec.Struct, frozen=True):
    """Where a camera stood when it matched last: how it saw its places, and which they were."""

    view: View
    pose: Pose

    def place(self, card: LatticeCard) -> Place | None:
        """The table's place at which a card lies if the camera stands there still; None between places."""
        point = _back(self.view, card.centre)
        at = min(_round(point), key=lambda one: dist(_middle(one), point), default=None)
        return self.pose.of(at) if at is not None and dist(_middle(at), point) < STAYED else None

    def away(self, place: Place, view: View, pose: Pose) -> float:
        """How far, in pixels, a place of the table is from where it was if `view` sees it in this pose."""
        was, now = _middle(self.pose.back(place)), _middle(pose.back(place))
        return dist(_forth(self.view, was), _forth(view, now))


class Matched(msgspec.Struct, frozen=True):
    """What was seen against what is known. Places are the table's."""

    pose: Pose
    agree: dict[Place, LatticeCard]
    """Known cards that lie where they should."""
    new: dict[Place, LatticeCard]
    """Sure cards where nothing is known to lie."""
    unsure: dict[Place, LatticeCard]
    """Cards that are not sure, or may be none, where nothing is known to lie and a card might."""
    differs: dict[Place, LatticeCard]
    """Sure cards that contradict what is known."""
    missing: tuple[Place, ...]
    """Known cards of which nothing was seen."""


def turned(at: Place, sixths: int) -> Place:
    """The place after turning the table clockwise by sixths of a circle about the corner (1, 0)."""
    points = [((x - 1 - y) // 2, y) for x, y in corners(at)]
    for _ in range(sixths % 6):
        points = [(-j, i + j) for i, j in points]
    return min(j for _, j in points), min(1 + 2 * i + j for i, j in points)


def matched(
    cards: Iterable[LatticeCard],
    unsure: Iterable[LatticeCard],
    known: Table,
    stand: Stand | None = None,
    view: View | None = None,
) -> Matched | None:
    """Lays what was seen upon what is known; None if nothing fits, or several ways fit equally well.

    Args:
        cards: the cards seen for sure.
        unsure: those that are not.
        known: what lies on the table; if nothing does, the picture is taken as it counts.
        stand: where this camera stood when it matched last.
        view: how it sees its places now; it tells which way round a single card lies.
    """
    sure = {card.at: card for card in cards}
    perhaps = {card.at: card for card in unsure}
    if not known:
        return _laid(Pose(), sure, perhaps, known)
    worth = {pose: _worth(pose, sure, known) for pose in _poses(sure, known)}
    where = {at: place for at, card in sure.items() if stand and (place := stand.place(card)) is not None}
    stayed = {pose: value for pose, value in worth.items() if _stays(pose, where)}
    if stand and view and len(stayed) > 1:
        # cards that lie alone fit three ways; the other places are seen where they were in one of them
        round_them = {*known, *(side for place in known for side in sides(place))}
        away = {pose: max(stand.away(place, view, pose) for place in round_them) for pose in stayed}
        unturned = min(stayed, key=lambda pose: away[pose])
        stayed = {unturned: stayed[unturned]}
    found = _best(stayed, sure, perhaps, known)
    return found if found is not None else _best(worth, sure, perhaps, known)


def _best(
    worth: Mapping[Pose, float],
    sure: Mapping[Place, LatticeCard],
    perhaps: Mapping[Place, LatticeCard],
    known: Table,
) -> Matched | None:
    """The way that is worth most, if it is worth something and no other one means another table."""
    best = max(worth.values(), default=0.0)
    if best <= 0:
        return None
    equal = [pose for pose, value in worth.items() if value == best]
    equal.sort(key=lambda pose: (min(pose.sixths, 6 - pose.sixths), pose.sixths))
    ways = [_laid(pose, sure, perhaps, known) for pose in equal]
    found = ways[0]
    complete = all(len(way.agree) == len(known) for way in ways)
    if not complete and any(not _same(found.pose, way.pose, known) for way in ways[1:]):
        return None
    return None if len(found.differs) > MOST_WRONG * (len(found.agree) + len(found.differs)) else found


def _poses(sure: Mapping[Place, LatticeCard], known: Table) -> set[Pose]:
    """The ways that bring a card upon one of its own name."""
    found = set()
    for sixths in range(6):
        for at, card in sure.items():
            r, c = turned(at, sixths)
            for (row, column), name in known.items():
                if name == card.card and points_up((r, c)) == points_up((row, column)):
                    found.add(Pose(sixths, row - r, column - c))
    return found


def _worth(pose: Pose, sure: Mapping[Place, LatticeCard], known: Table) -> float:
    """Cards that agree, less those that contradict."""
    value = 0.0
    for at, card in sure.items():
        name = known.get(pose.of(at))
        if name is not None:
            value += 1.0 if name == card.card else -CONTRADICTS
    return value


def _stays(pose: Pose, where: Mapping[Place, Place]) -> bool:
    """Whether the camera stands where it stood: what lies at a place lay there before."""
    return len(where) > 0 and all(pose.of(at) == place for at, place in where.items())


def _middle(at: Place) -> Point:
    """The middle of a place, in sides."""
    points = corners(at)
    return sum(x for x, _ in points) / 6, sum(y for _, y in points) / 3 * TALL


def _round(point: Point) -> list[Place]:
    """The places round a point, in sides."""
    row, column = floor(point[1] / TALL), floor(2 * point[0]) - 1
    return [(r, c) for r in (row - 1, row, row + 1) for c in range(column - 2, column + 4)]


def _forth(view: View, point: Point) -> Point:
    """The point of the picture at which a point of the lattice, in sides, is seen."""
    a, b, c, d, e, f, g, h, i = view
    x, y = point
    depth = g * x + h * y + i
    return ((a * x + b * y + c) / depth, (d * x + e * y + f) / depth) if depth else (inf, inf)


def _back(view: View, point: Point) -> Point:
    """The point of the lattice, in sides, that is seen at a point of the picture (Cramer's rule)."""
    a, b, c, d, e, f, g, h, i = view
    x, y = point
    # x (g u + h v + i) = a u + b v + c, and the same of y: two lines in u and v
    p, q, r = a - g * x, b - h * x, i * x - c
    s, t, w = d - g * y, e - h * y, i * y - f
    cross = p * t - q * s
    return ((r * t - q * w) / cross, (p * w - r * s) / cross) if cross else (inf, inf)


def _same(one: Pose, other: Pose, known: Table) -> bool:
    """Whether two ways mean the same table: the known cards look alike both ways."""
    return all(known.get(one.of(other.back(place))) == name for place, name in known.items())


def _laid(
    pose: Pose, sure: Mapping[Place, LatticeCard], perhaps: Mapping[Place, LatticeCard], known: Table
) -> Matched:
    agree: dict[Place, LatticeCard] = {}
    new: dict[Place, LatticeCard] = {}
    differs: dict[Place, LatticeCard] = {}
    for at, card in sure.items():
        place = pose.of(at)
        name = known.get(place)
        (new if name is None else agree if name == card.card else differs)[place] = card
    seen = {pose.of(at): card for at, card in perhaps.items()}
    there = {*known, *new}
    unsure = {
        place: card
        for place, card in seen.items()
        if place not in there and (not there or any(side in there for side in sides(place)))
    }
    missing = tuple(
        place for place in known if place not in agree and place not in differs and place not in seen
    )
    return Matched(pose, agree, new, unsure, differs, missing)

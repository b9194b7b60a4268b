"""Names the cards in a picture: outlines and features propose, looks decide, each pixel is explained once.

Whatever is no card of the deck gets no label: a foreign object, the back of a card, a card of another deck.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.observations import Point, Sighting
from companion.vision import geometry
from companion.vision.deck import Deck
from companion.vision.judge import Judge, Judged
from companion.vision.picture import Floats, Image, checked, shrunk
from companion.vision.quads import find_quads
from companion.vision.suppress import Explained, by_strength, left_over, same_place

LONGEST = 2400
"""Longer side of the picture that is worked on; a larger one is shrunk."""
HOPELESS = 0.9
"""Cost at first glance above which an outline is not looked at again."""
CLEAR = 0.15
"""Cost below which a whole card is certain enough to stop trying other readings of its place."""
MOST_JUDGED = 60
PER_PLACE = 4


@dataclass(frozen=True)
class Reading:
    """What was read in one picture. `unknown` counts outlines of a card's size that got no label."""

    cards: tuple[Sighting, ...]
    unknown: int


def recognise(image: Image, deck: Deck, expected: frozenset[str] | None = None) -> Reading:
    """The deck's cards in the picture, any number of copies, covered ones included.

    `expected` names the cards that may lie there; it makes others less likely but does not rule them out.
    Raises Unreadable for what is no picture.
    """
    small, scale = shrunk(checked(image), LONGEST)
    judge = Judge(small, deck, expected)
    outlines = find_quads(small)
    accepted = choose(judge_all(small, deck, judge, outlines), small.shape[:2])
    cards = tuple(_sighting(judged, scale) for judged in accepted)
    return Reading(cards, _unlabelled(outlines, accepted))


def judge_all(image: Image, deck: Deck, judge: Judge, outlines: Sequence[Floats]) -> list[Judged]:
    """Judge outlines and feature hypotheses, most promising first, skipping places already certain."""
    glances = sorted((judge.glance(quad) for quad in outlines), key=lambda g: g[0])
    proposals = [(quad, look, 0) for cost, look, quad in glances if cost < HOPELESS]
    done = _judged_in_turn(judge, proposals, [])
    features = [(h.quad, h.look, h.inliers) for h in deck.matcher.hypotheses(image)]
    return _judged_in_turn(judge, features[:MOST_JUDGED], done)


def _judged_in_turn(
    judge: Judge, proposals: Iterable[tuple[Floats, int, int]], done: list[Judged]
) -> list[Judged]:
    done = list(done)
    for quad, look, inliers in proposals:
        here = [j for j in done if same_place(j.quad, quad)]
        if any(j.cost < CLEAR and j.margin > 0.12 for j in here):
            continue
        if sum(j.inliers > 0 for j in here) >= PER_PLACE and inliers:
            continue
        done.append(judge.judge(quad, look, inliers))
    return done


def choose(found: Sequence[Judged], shape: tuple[int, ...]) -> list[Judged]:
    """The readings that stand, strongest first, after each part of the picture has been explained once."""
    explained = Explained(shape)
    accepted: list[Judged] = []
    for judged in by_strength(found):
        if judged.gain <= 0:
            break
        if any(same_place(judged.quad, other.quad) for other in accepted):
            continue
        fresh = left_over(judged, explained.of(judged.quad))
        if fresh.sum() < 0.6 * judged.seen.sum() or not acceptable(judged):
            continue
        accepted.append(judged)
        explained.add(judged)
    return accepted


def acceptable(judged: Judged) -> bool:
    """Whether a reading is good enough to be given a label."""
    share = float(judged.seen.mean())
    if share > 0.75:
        return judged.cost < 0.42 and judged.margin > 0.012
    if share > 0.12:
        return judged.seen_cost < 0.32 and judged.margin > 0.05 and judged.inliers >= 7 and judged.support > 8
    return False


def confidence(judged: Judged) -> float:
    """How sure a reading is, 0 to 1: from the fit, the lead over the next best card and the part seen."""
    share = float(judged.seen.mean())
    odds = (
        3.0
        - 8.0 * (judged.seen_cost - 0.1)
        + 12.0 * min(judged.margin - 0.05, 0.25)
        + 2.0 * min(share - 0.6, 0.3)
    )
    return float(1.0 / (1.0 + np.exp(-odds)))


def _sighting(judged: Judged, scale: float) -> Sighting:
    points = [(float(x), float(y)) for x, y in (judged.quad + 0.5) / scale - 0.5]
    corners: tuple[Point, Point, Point, Point] = (points[0], points[1], points[2], points[3])
    return Sighting(judged.label, round(confidence(judged), 4), corners)


def _unlabelled(outlines: Sequence[Floats], accepted: Sequence[Judged]) -> int:
    """Outlines that might be cards: as large as those recognised, none of them in another or on a card."""
    if accepted:
        usual = float(np.median([geometry.area(j.quad) for j in accepted]))
        likely = [q for q in outlines if 0.6 * usual < geometry.area(q) < 1.6 * usual]
    else:
        likely = list(outlines)
    taken = [j.quad for j in accepted]
    count = 0
    for quad in sorted(likely, key=geometry.area, reverse=True):
        if any(_overlap(quad, other) for other in taken):
            continue
        taken.append(quad)
        count += 1
    return count


def _overlap(first: Floats, second: Floats) -> bool:
    middle = tuple(float(v) for v in geometry.centre(first))
    other = tuple(float(v) for v in geometry.centre(second))
    return geometry.contains(second, (middle[0], middle[1])) or geometry.contains(first, (other[0], other[1]))

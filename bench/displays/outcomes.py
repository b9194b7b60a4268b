"""What became of a display: right, open or wrong, and what it takes to close an open one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from bench.displays.scenes import DisplayScene, LaidCard
from bench.vision.rendered import at
from companion.core.observations import Sighting
from companion.games.game import Game
from companion.vision.display.read import DisplayReading, UnsurePlace
from models.drawn.camera import Floats

TAPS_EACH = 2
"""Taps for a place that was guessed wrongly: the place, and the answer. One more tap takes all other guesses
as they are."""


@dataclass
class Outcomes:
    """Counts over displays. `missed`: of those read wrongly, by monster, cards neither counted nor asked
    about; `unasked`: all of these; `phantoms`: cards counted where none lies, and not asked about; `taps`: of
    each open display that can be closed; `lost`: open displays with a mistake that is not asked about;
    `misnamed`: cards shown with the name of another one (by their monster alone they are not named)."""

    kinds: Counter[str] = field(default_factory=Counter)
    taps: list[int] = field(default_factory=list)
    lost: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    unasked: int = 0
    phantoms: int = 0
    named: int = 0
    misnamed: int = 0
    cards: int = 0
    ms: list[float] = field(default_factory=list)

    def add(self, other: Outcomes) -> None:
        """Adds the counts of other displays."""
        self.kinds += other.kinds
        self.taps += other.taps
        self.lost += other.lost
        self.missed += other.missed
        self.unasked, self.phantoms = self.unasked + other.unasked, self.phantoms + other.phantoms
        self.named, self.misnamed = self.named + other.named, self.misnamed + other.misnamed
        self.cards += other.cards
        self.ms += other.ms

    def row(self, words: str) -> str:
        """A line of the table."""
        total = max(1, self.kinds.total())
        missed = ", ".join(f"{monster} {count}" for monster, count in self.missed.most_common()) or "-"
        taps = f"{np.median(self.taps):.0f} ({max(self.taps)})" if self.taps else "-"
        return (
            f"| {words} | {total} | {self.kinds['right']} | {self.kinds['open']} | {self.kinds['wrong']} | "
            f"{taps} | {self.lost} | {missed} | {self.named / max(1, self.cards):.3f} | {self.misnamed} | "
            f"{np.median(self.ms) / 1000:.2f} |"
        )


HEADER = (
    "| displays | of | right | open | wrong | taps, median (most) | open and lost | cards missed | named | "
    "misnamed | CPU s |\n|---|---|---|---|---|---|---|---|---|---|---|"
)


def outcome(scene: DisplayScene, reading: DisplayReading, game: Game, ms: float) -> Outcomes:
    """The outcome of one display."""
    found = Outcomes(ms=[ms], cards=len(scene.cards))
    truth = Counter(card.monster for card in scene.cards)
    right = game.points_of_display(_counts(reading.display)) == game.points_of_display(
        {monster: {"cards": count, "jokers": 0} for monster, count in truth.items()}
    )
    left, missed = list(reading.cards), []
    for card in scene.cards:
        here = [one for one in left if at(card.corners, one.corners)]
        hit = min(here, key=lambda one: _away(card, one), default=None)
        if hit is None:
            missed.append(card)
            continue
        left.remove(hit)
        found.named += hit.label == card.label
        found.misnamed += hit.label not in (card.label, card.monster)
    unasked = [card for card in missed if not _asked_at(_visible_middle(card, scene.cards), reading.unsure)]
    phantoms = [card for card in left if not _asked_at(_middle(card), reading.unsure)]
    found.unasked, found.phantoms = len(unasked), len(phantoms)
    if not reading.unsure:
        found.kinds["right" if right else "wrong"] += 1
    else:
        found.kinds["open"] += 1
        if right:
            found.taps.append(1)
        elif unasked or phantoms:
            found.lost = 1
        else:
            wrong = min(len(missed) + len(left), len(reading.unsure))
            found.taps.append(TAPS_EACH * wrong + (wrong < len(reading.unsure)))
    if not right:
        found.missed.update(card.monster for card in unasked)
    return found


def _counts(display: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    return {monster: dict(column) for monster, column in display.items()}


def _away(card: LaidCard, seen: Sighting) -> float:
    return float(np.linalg.norm(card.corners.mean(axis=0) - _middle(seen)))


def _middle(card: Sighting) -> tuple[float, float]:
    return card.centre


def _visible_middle(card: LaidCard, cards: Sequence[LaidCard]) -> tuple[float, float]:
    """The middle of what is seen of a card: of a covered one the end beyond its cover."""
    above = next((one for one in cards[cards.index(card) + 1 :] if one.monster == card.monster), None)
    middle: Floats = card.corners.mean(axis=0)
    if above is not None:
        away = card.corners.mean(axis=0) - above.corners.mean(axis=0)
        length = float(np.linalg.norm(card.corners[3] - card.corners[0]))
        step = float(np.linalg.norm(away))
        middle = middle + away / max(step, 1e-6) * (length - step) / 2
    return float(middle[0]), float(middle[1])


def _asked_at(point: tuple[float, float], places: Sequence[UnsurePlace]) -> bool:
    """Whether a place that is asked about lies at a point."""
    return any(
        cv2.pointPolygonTest(np.asarray(place.corners, np.float32).reshape(-1, 1, 2), point, True) > -12.0
        for place in places
    )

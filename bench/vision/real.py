"""Real photographs: decks enrolled from them, readings scored against the truth.

Scored as their SOURCES.md says: a card is found if a detection with its label covers its centre (for uno the
centre of its corner symbol); the instance that a reference was cut from is neutral, neither found nor missed.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.observations import Sighting
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.deck.edit import select_looks
from companion.vision.deck.enrol import enrol
from companion.vision.image.geometry import contains
from companion.vision.image.picture import load_picture

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass
class Score:
    """Found, missed and false cards, and CPU times. `spoilt`: pictures with at least one false card;
    `totals`: how many whole scores of displays were right, wrong or unsure."""

    photos: int = 0
    spoilt: int = 0
    totals: Counter[str] = field(default_factory=Counter)
    found: int = 0
    missed: int = 0
    false: int = 0
    ms: list[float] = field(default_factory=list)
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Count what is in another score too."""
        self.photos += other.photos
        self.spoilt += other.spoilt
        self.totals += other.totals
        self.found += other.found
        self.missed += other.missed
        self.false += other.false
        self.ms.extend(other.ms)
        self.confidences.extend(other.confidences)
        self.notes.extend(other.notes)

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.false)

    @property
    def recall(self) -> float:
        return self.found / max(1, self.found + self.missed)

    def row(self, name: str) -> str:
        """One line of the table."""
        cards = self.found + self.missed
        precision = f"{self.precision:.3f}" if self.found + self.false else "-"
        recall = f"{self.recall:.3f}" if cards else "-"
        figures = f"{self.photos} | {cards} | {precision} | {recall}"
        return f"| {name} | {figures} | {self.false} | {np.median(self.ms):.0f} |"


@dataclass(frozen=True)
class Instance:
    """One card in one photo: where its label is looked for (fractions; nan: anywhere), and whether it is left
    out of the score."""

    label: str
    x: float
    y: float
    neutral: bool


@dataclass(frozen=True)
class Photo:
    """A photograph with its truth; `ground` groups the figures."""

    path: Path
    instances: tuple[Instance, ...]
    ground: str = ""
    image: Image | None = None
    """The picture itself where it is in no file."""

    def load(self) -> Image:
        """The picture, read if it has to be."""
        return load_picture(self.path) if self.image is None else self.image


def enrolled(folder: Path) -> Deck:
    """The deck of a set, learned from its references."""
    return enrol(folder / "refs").deck


def photos(folder: Path, every: int = 1) -> list[Photo]:
    """The photos of a set with their truth; each `every`-th of them."""
    truth = json.loads((folder / "truth.json").read_text())
    cut = {
        (entry["photo"], label) for label, entry in json.loads((folder / "enrol.json").read_text()).items()
    }
    found = []
    for name in sorted(truth)[::every]:
        instances = tuple(
            Instance(entry[0], entry[1], entry[2], (name, entry[0]) in cut) for entry in truth[name]
        )
        found.append(Photo(folder / "photos" / name, instances))
    return found


def held(folder: Path, every: int = 1) -> list[Photo]:
    """Photos of one held card each, of which only the label is known."""
    truth: dict[str, str] = json.loads((folder / "truth.json").read_text())
    return [
        Photo(folder / name, (Instance(truth[name], math.nan, math.nan, neutral=False),))
        for name in sorted(truth)[::every]
    ]


def strangers(folder: Path, every: int = 1) -> list[Photo]:
    """Photos without a card of any enrolled deck."""
    return [
        Photo(path, ())
        for path in sorted(folder.iterdir())[::every]
        if path.suffix.lower() in (".jpg", ".png")
    ]


def likes(
    folder: Path, every: int = 1, prepare: Callable[[Deck], Deck] = lambda deck: deck
) -> Iterator[tuple[Deck, Photo]]:
    """Photographs of one card each, with the half of the deck that lacks it: nothing may be named. `prepare`:
    what is done to each half."""
    deck = enrolled(folder)
    names = sorted(deck.names)
    halves = [prepare(without(deck, frozenset(names[first::2]))) for first in (0, 1)]
    for photo in photos(folder, every):
        on_it = {instance.label for instance in photo.instances}
        if len(on_it) == 1:
            yield halves[names.index(on_it.pop()) % 2], replace(photo, instances=())


def without(deck: Deck, labels: frozenset[str]) -> Deck:
    """The deck as if the cards of these labels had not been enrolled."""
    return select_looks(deck, [look for look, label in enumerate(deck.labels) if label not in labels])


def ground_of(image: Image) -> str:
    """The ground of a uno photo, by the picture's rim: dark, white, check or wood."""
    small = cv2.resize(image, (64, 64), interpolation=cv2.INTER_AREA)
    rim = np.concatenate([small[:4].reshape(-1, 3), small[-4:].reshape(-1, 3)])
    rim = rim[rim.max(axis=1) > 6]
    hue, saturation, value = cv2.cvtColor(rim[None], cv2.COLOR_BGR2HSV).reshape(-1, 3).mean(axis=0)
    if value < 75:
        return "dark cloth"
    if 25 < hue < 90 and saturation > 35:
        return "green check"
    return "white" if saturation < 22 else "wood"


def score(deck: Deck, pictures: Iterable[Photo], *, grounds: bool = False) -> dict[str, Score]:
    """Reads every photo and compares; `all` and, if wanted, one score a ground."""
    scores: dict[str, Score] = defaultdict(Score)
    for photo, image, cards, ms in _readings(deck, pictures):
        height, width = image.shape[:2]
        kinds = ["all", ground_of(image)] if grounds else ["all"]
        used: set[int] = set()
        for instance in photo.instances:
            at = (instance.x * width, instance.y * height)
            hits = [
                i
                for i, card in enumerate(cards)
                if card.label == instance.label
                and (math.isnan(instance.x) or contains(np.asarray(card.corners, np.float32), at))
            ]
            used.update(hits if instance.neutral else hits[:1])
            if not instance.neutral:
                for kind in kinds:
                    scores[kind].found += bool(hits)
                    scores[kind].missed += not hits
                if not hits:
                    scores["all"].notes.append(f"{photo.path.name}: {instance.label} missed")
        for kind in kinds:
            scores[kind].photos += 1
            scores[kind].ms.append(ms)
            scores[kind].false += len(cards) - len(used)
            scores[kind].spoilt += len(cards) > len(used)
        for i, card in enumerate(cards):
            scores["all"].confidences.append((card.confidence, i in used))
            if i not in used:
                scores["all"].notes.append(f"{photo.path.name}: {card.label} is not there")
    return dict(scores)


def _readings(
    deck: Deck, pictures: Iterable[Photo]
) -> Iterator[tuple[Photo, Image, tuple[Sighting, ...], float]]:
    for photo in pictures:
        image = photo.load()
        begun = time.process_time()
        reading = recognise(image, deck)
        yield photo, image, reading.cards, (time.process_time() - begun) * 1000.0

"""How pictures differ from what was enrolled, and the figures of their recognition, real and rendered.

`difference` measures the light and the camera of a card in a picture against its reference: what
the constants of companion.art.scene.calibrated were taken from. `read` gives the recogniser's figures of a
set: recall, precision, confidence, cost and margin of the cards found, and how many have an outline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry
from companion.vision.image.quads import find_quads
from companion.vision.match import descriptor

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Truth = Sequence[tuple[str, float, float]]
"""Label and place (fractions of width and height) of the cards in a picture."""

SIZE = (150, 225)
"""Width and height at which a card is compared with its reference."""


@dataclass
class Likeness:
    """What the recogniser made of a set of pictures; one entry for each card found in the lists."""

    cards: int = 0
    found: int = 0
    false: int = 0
    confidences: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    outlined: list[bool] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """The figures that are compared."""
        return {
            "recall": self.found / max(1, self.cards),
            "precision": self.found / max(1, self.found + self.false),
            "confidence, median": float(np.median(self.confidences)),
            "confidence, 10th percentile": float(np.percentile(self.confidences, 10)),
            "cost, median": float(np.median(self.costs)),
            "cost, 90th percentile": float(np.percentile(self.costs, 90)),
            "margin, median": float(np.median(self.margins)),
            "margin, 10th percentile": float(np.percentile(self.margins, 10)),
            "found by their outline": float(np.mean(self.outlined)),
        }


@dataclass(frozen=True)
class Difference:
    """A card in a picture against its reference, both SIZE: natural logarithm of the gains of blue, green and
    red; exponent of the curve; ratio of sharpness; deviation, in levels, of what no smooth change of light
    explains; level of the card's white in the picture."""

    gains: tuple[float, float, float]
    gamma: float
    sharpness: float
    residue: float
    white: float


def read(deck: Deck, references: dict[str, Image], pictures: Iterable[tuple[Image, Truth]]) -> Likeness:
    """Reads the pictures and compares with the truth."""
    whole = Likeness()
    for image, truth in pictures:
        height, width = image.shape[:2]
        cards = list(recognise(image, deck).cards)
        scene, outlines = descriptor.PicturePyramid(image), find_quads(image)
        for label, x, y in truth:
            whole.cards += 1
            hit = next(
                (
                    card
                    for card in cards
                    if card.label == label
                    and geometry.contains(np.asarray(card.corners, np.float32), (x * width, y * height))
                ),
                None,
            )
            if hit is None:
                continue
            cards.remove(hit)
            quad = np.asarray(hit.corners, np.float32)
            cost, margin = looks(scene, deck, quad, label)
            whole.found += 1
            whole.confidences.append(hit.confidence)
            whole.costs.append(cost)
            whole.margins.append(margin)
            whole.outlined.append(any(near(quad, other) for other in outlines))
            whole.widths.append(geometry.width_of(quad))
            whole.differences.append(difference(image, quad, references[label]))
        whole.false += len(cards)
    return whole


def looks(scene: descriptor.PicturePyramid, deck: Deck, quad: Floats, label: str) -> tuple[float, float]:
    """Mean cost of the card in `quad` against its own look, and how much worse the next card fits."""
    totals = deck.gallery.costs(descriptor.describe(scene.rectified(quad))).mean(axis=1)
    own = np.array([name == label for name in deck.labels])
    return float(totals[own].min()), float(totals[~own].min() - totals[own].min())


def near(quad: Floats, other: Floats) -> bool:
    """Whether two quads are the same within 6 % of the width, whichever way up."""
    slack = 0.06 * geometry.width_of(quad)
    return any(
        float(np.linalg.norm(np.roll(other, turn, axis=0) - quad, axis=1).max()) < slack for turn in range(4)
    )


def difference(image: Image, quad: Floats, reference: Image) -> Difference:
    """Measures a card of a picture against its reference."""
    seen = descriptor.picture_of(image, quad, *SIZE).astype(np.float32)
    known = cv2.resize(reference, SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
    blurred_seen, blurred_known = (cv2.GaussianBlur(p, (0, 0), 3.0) for p in (seen, known))
    inner = (slice(15, -15), slice(12, -12))
    a, b = (p[inner].reshape(-1, 3) for p in (blurred_known, blurred_seen))
    white = np.percentile(b, 92, axis=0) / np.maximum(8.0, np.percentile(a, 92, axis=0))
    light = np.clip(np.c_[a.mean(axis=1), b.mean(axis=1) / max(0.05, float(white.mean()))] / 255.0, 0.02, 1.0)
    top = np.percentile(light[:, 0], 95)
    middling = (light[:, 0] > 0.25 * top) & (light[:, 0] < 0.75 * top)
    ratio = np.log(light[middling] / top)
    gamma = (
        float((ratio[:, 0] @ ratio[:, 1]) / max(1e-6, ratio[:, 0] @ ratio[:, 0]))
        if middling.sum() > 50
        else 1.0
    )
    fit = np.clip((known / 255.0) ** gamma * 255.0 * white, 0, 255)
    fit *= cv2.GaussianBlur(seen.mean(axis=2), (0, 0), 25)[..., None] / np.maximum(
        1.0, cv2.GaussianBlur(fit.mean(axis=2), (0, 0), 25)[..., None]
    )
    residue = float((seen - fit)[inner].std())
    return Difference(
        (float(np.log(white[0])), float(np.log(white[1])), float(np.log(white[2]))),
        gamma,
        sharp(seen[inner]) / max(1e-6, sharp(known[inner]) * float(white.mean())),
        residue,
        float(np.percentile(b, 92)),
    )


def sharp(picture: Floats) -> float:
    """How steep the steepest edges are: 99th percentile of the gradient of light."""
    grey = picture.mean(axis=2)
    gradient = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return float(np.percentile(gradient, 99))


def table(real: Likeness, rendered: Likeness, name: str) -> str:
    """Real beside rendered, one line a figure."""
    ours, theirs = rendered.figures(), real.figures()
    lines = [f"| {name} | real | rendered | difference |", "|---|---|---|---|"]
    lines.append(f"| cards | {real.cards} | {rendered.cards} | |")
    for key, value in theirs.items():
        lines.append(f"| {key} | {value:.3f} | {ours[key]:.3f} | {ours[key] - value:+.3f} |")
    return "\n".join(lines)

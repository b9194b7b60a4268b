"""The colours of everything that is printed: one ink, one paper, seven monsters."""

from __future__ import annotations

from dataclasses import dataclass

INK = "#1f1b2e"
"""Outlines and pupils: a warm near-black."""
PAPER = "#ffffff"
"""The card's border."""
LIGHT = "#fffaf0"
"""Figures, eyes and teeth."""
NIGHT = "#2c2748"
"""The ground of jokers and backs: no monster's colour."""


@dataclass(frozen=True)
class Tones:
    """One monster's colour: `body`, `deep` for its pattern, the card's `ground`, `faint` for that one's."""

    body: str
    deep: str
    ground: str
    faint: str


def mix(one: str, other: str, part: float) -> str:
    """`one` with `part` (0 to 1) of `other` stirred in."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def tones(body: str, deep: str, *, ground: float = 0.55, faint: float = 0.22) -> Tones:
    """Tones whose ground is the body lightened by `ground` of white, the ground's pattern by `faint`."""
    return Tones(body, deep, mix(body, PAPER, ground), mix(body, PAPER, faint))


def _channels(colour: str) -> tuple[int, int, int]:
    value = int(colour[1:], 16)
    return value >> 16, (value >> 8) & 255, value & 255


MONSTERS = {
    "red": tones("#e02f38", "#9c1424"),
    "orange": tones("#f68a1f", "#c65a06"),
    "yellow": tones("#fbd22c", "#d9a400"),
    "green": tones("#35a457", "#1a6e37"),
    "blue": tones("#2f7fd6", "#15509c"),
    "purple": tones("#8049b8", "#532684"),
    "pink": tones("#f58dbd", "#cf5391"),
}

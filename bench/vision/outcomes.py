"""What the report says of the vision sets: the estimates of bench/measures.toml from scores and times."""

from __future__ import annotations

from dataclasses import dataclass, field

from bench.report.estimates import Estimate, median, share
from bench.vision.real import Score
from bench.vision.speed import DeckCosts

EMPTY = ("unknown", "uno_likes", "crossed", "hands_likes", "hands_rough_likes", "half_decks", "foreign")
"""Sets without an enrolled card: every name is false."""
STRIPS = {"1/2": "half", "1/3": "third", "22 %": "22", "1/5": "fifth"}


@dataclass(frozen=True)
class ScoreLine:
    """One printed line: the set, its words and its score."""

    name: str
    words: str
    score: Score


@dataclass
class VisionEstimates:
    """Estimates by measure, and for some measures the values by kind."""

    values: dict[str, Estimate] = field(default_factory=dict)
    details: dict[str, dict[str, float]] = field(default_factory=dict)

    def cards(self, name: str, score: Score) -> None:
        """Precision and recall, as far as there are cards."""
        if score.found + score.false:
            self.values[f"vision/{name}-precision"] = share(score.found, score.found + score.false)
        if score.found + score.missed:
            self.values[f"vision/{name}-recall"] = share(score.found, score.found + score.missed)


def estimates(lines: list[ScoreLine]) -> VisionEstimates:
    """The estimates of these lines; lines of a part of a set, such as one ground of uno, are left out."""
    found = VisionEstimates()
    for line in lines:
        if line.name in ("half_decks_development", "uno_likes"):
            continue
        if line.name in EMPTY and ":" not in line.words:
            found.values[f"vision/{line.name}-false"] = share(line.score.spoilt, line.score.photos)
        elif line.name == line.words:
            found.cards(line.name, line.score)
        elif line.name == "displays":
            totals = line.score.totals
            found.cards("displays", line.score)
            found.values["vision/displays-right"] = share(totals["right"], totals.total())
            found.values["vision/displays-wrong"] = share(totals["wrong"], totals.total())
    for name in ("strips", "strips_uno"):
        _strips(name, [line for line in lines if line.name == name], found)
    for deck in ("poker24", "uno"):
        words = f"{deck}, "
        _retaken(deck, [line for line in lines if line.name == "retaken" and words in line.words], found)
    return found


def _strips(name: str, lines: list[ScoreLine], found: VisionEstimates) -> None:
    whole = Score()
    for line in lines:
        part = line.words.removeprefix(f"{name}: ").removesuffix(" visible")
        score = line.score
        found.values[f"vision/{name}-{STRIPS[part]}"] = share(score.found, score.found + score.missed)
        whole.add(score)
    if whole.found + whole.false:
        found.values[f"vision/{name}-precision"] = share(whole.found, whole.found + whole.false)


def _retaken(deck: str, lines: list[ScoreLine], found: VisionEstimates) -> None:
    whole = Score()
    for line in lines:
        whole.add(line.score)
    if lines:
        found.cards(f"retaken_{deck}", whole)
        by_kind = {line.words.removeprefix(f"{deck}, "): line.score.recall for line in lines}
        found.details[f"vision/retaken_{deck}-recall"] = by_kind


def of_speed(costs: dict[int, DeckCosts]) -> dict[str, Estimate]:
    """CPU times of the decks that the report names: 110 and 1,000 references. A frame on which nothing moves
    costs the same with any deck, and is reported once."""
    found: dict[str, Estimate] = {}
    for count in sorted({110, 1000} & set(costs)):
        one = costs[count]
        for name, ms in (("frame", one.idle), ("landing", one.landing), ("still", one.still)):
            if ms and (name, count) != ("frame", 1000):
                found[f"vision/{name}-{count}"] = median(ms)
    return found

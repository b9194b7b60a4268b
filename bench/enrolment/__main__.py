"""python -m bench.enrolment [--decks reported|development] [--count N] [--seed S] [--shared DIR]

Cards that lie apart on six grounds, as owners take them to enrol a deck: of the cards that can be learned how
many are found with their outline, how many places are taken for cards that are none (or only part of one),
and how many cards that are cut off or mirror a lamp are refused. With --shared also photographs of single
cards of a real deck.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from bench.enrolment.scenes import (
    CUT_OFF,
    DEVELOPMENT_DECKS,
    GROUNDS,
    REPORTED_DECKS,
    EnrolmentScene,
    enrolment_scene,
    printed_cards,
)
from bench.report import options as results_option
from bench.report.estimates import share
from bench.report.results import record
from companion.vision.deck.collect import CollectedCard, collect_cards
from companion.vision.image.geometry import intersection_over_union as overlap

SAME = 0.9
"""Overlap (intersection by union) from which an outline is that of a card."""
REFLECTION = 0.02
"""Share of a card's face from which a mirrored lamp spoils it."""


def outcomes(scene: EnrolmentScene, found: list[CollectedCard]) -> Counter[str]:
    """Counts of one picture: `good` cards that are whole and clear, `learned` those of them that are offered
    with their outline, `refused` those that are refused; `spoiled` cards and `spoiled learned`; `false`
    outlines that are offered and are no card's."""
    counts: Counter[str] = Counter()
    usable = [one for one in found if not one.problem]
    for card in scene.cards:
        spoiled = "cut" if card.outside > CUT_OFF else "mirrored" if card.mirrored > REFLECTION else ""
        best = max((overlap(one.quad, card.quad) for one in usable), default=0.0)
        refused = max((overlap(one.quad, card.quad) for one in found if one.problem), default=0.0)
        counts[spoiled or "good"] += 1
        counts[f"{spoiled or 'good'} learned"] += best > SAME
        counts[f"{spoiled or 'good'} refused"] += best <= SAME and refused > 0.6
    for one in usable:
        counts["false"] += all(overlap(one.quad, card.quad) <= SAME for card in scene.cards)
    return counts


def photographs(shared: Path) -> Counter[str]:
    """Photographs of one card: `single` photographs, `single learned` those in which one outline is offered,
    `single false` outlines beyond one."""
    counts: Counter[str] = Counter()
    for path in sorted((shared / "vision" / "uno" / "photos").glob("*.jpg")):
        image = cv2.imread(str(path))
        assert image is not None
        usable = [one for one in collect_cards(np.asarray(image, np.uint8)) if not one.problem]
        counts["single"] += 1
        counts["single learned"] += len(usable) == 1
        counts["single false"] += max(0, len(usable) - 1)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.enrolment", description=__doc__)
    parser.add_argument("--decks", choices=("reported", "development"), default="reported")
    parser.add_argument("--count", type=int, default=8, help="pictures of each deck on each ground")
    parser.add_argument("--seed", type=int, default=301)
    parser.add_argument("--shared", type=Path, default=Path())
    results_option.add(parser)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    names = REPORTED_DECKS if options.decks == "reported" else DEVELOPMENT_DECKS
    total: Counter[str] = Counter()
    for deck, name in enumerate(names):
        cards = printed_cards(name, options.seed, options.shared)
        for place, ground in enumerate(GROUNDS):
            counts: Counter[str] = Counter()
            for number in range(options.count):
                rng = np.random.default_rng([options.seed, deck, place, number])
                scene = enrolment_scene(cards, ground, rng)
                begun = time.process_time()
                found = collect_cards(scene.image)
                counts["ms"] += round(1000 * (time.process_time() - begun))
                counts["pictures"] += 1
                counts += outcomes(scene, found)
            print(json.dumps({"deck": name, "ground": ground, **counts}), flush=True)
            total += counts
    print(json.dumps({"all": True, **total}))
    offered = sum(total[f"{kind} learned"] for kind in ("good", "mirrored", "cut")) + total["false"]
    results = {
        "setup/enrol-learned": share(total["good learned"], total["good"]),
        "setup/enrol-false": share(total["false"], offered),
        "setup/enrol-spoiled": share(
            total["mirrored learned"] + total["cut learned"], total["mirrored"] + total["cut"]
        ),
    }
    if (options.shared / "vision" / "uno" / "photos").is_dir():
        single = photographs(options.shared)
        print(json.dumps({"photographs": True, **single}))
        results["setup/enrol-single"] = share(single["single learned"], single["single"])
    record(options.results, results)


if __name__ == "__main__":
    main()

"""How well dice and the field of 13 Monsters are read: `python -m bench.dice --shared DIR`.

Real photographs from DIR/vision/dice_mp (left out without them), and rendered ones: dice of eight styles on
four grounds seen up to 42 degrees aside, leaning dice, and whole fields with cards turned over, taken away
and frozen.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bench.dice.development import GRAIN, Truth, close_up, noisy
from bench.dice.scenes import GAP, field_photo
from bench.report import options as results_option
from bench.report.estimates import Estimate, median, share
from bench.report.results import record
from bench.vision.retaken import KINDS, moved, retake
from companion import art
from companion.art.dice import dice_photo
from companion.core.errors import Unreadable
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.dice.read import DiceReading, read_dice
from companion.vision.grid.read import GridPlace, read_grid
from companion.vision.image.picture import Image, load_picture

HEADER = "| dice | photos | precision / recall | whole photo | whole, number known | CPU ms a reading |"


@dataclass
class DiceTally:
    """Counts over a set of photographs."""

    photos: int = 0
    whole: int = 0
    whole_known: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    silent: int = 0
    """Photographs with the number known of which a die was read wrongly and nothing was said."""
    ms: list[float] = field(default_factory=list)
    """CPU of one reading of each photograph."""

    def row(self, name: str) -> str:
        """One line of the table."""
        precision = self.right / max(1, self.right + self.wrong)
        recall = self.right / max(1, self.right + self.missed)
        return (
            f"| {name} | {self.photos} | {precision:.3f} / {recall:.3f} | {self.whole}/{self.photos} "
            f"| {self.whole_known}/{self.photos} | {np.median(self.ms):.0f} |"
        )


def compared(reading: DiceReading, truth: Iterable[Truth]) -> tuple[int, int, int]:
    """Dice right, wrong and missed."""
    left = list(truth)
    right = wrong = 0
    for die in reading.dice:
        found = [t for t in left if t[0] == die.value and math.dist(t[1:3], die.centre) < t[3]]
        if found:
            left.remove(found[0])
            right += 1
        else:
            wrong += 1
    return right, wrong, len(left)


def measure(tally: DiceTally, image: Image, truth: list[Truth]) -> None:
    """Reads one photograph without and with the number of dice."""
    begun = time.process_time()
    free, known = read_dice(image), read_dice(image, len(truth))
    tally.ms.append(500 * (time.process_time() - begun))
    right, wrong, missed = compared(free, truth)
    tally.photos += 1
    tally.right, tally.wrong, tally.missed = tally.right + right, tally.wrong + wrong, tally.missed + missed
    tally.whole += wrong == missed == 0
    of_known = compared(known, truth)
    tally.whole_known += of_known[1:] == (0, 0)
    tally.silent += of_known[1] > 0 and not known.unsure


def labelled(folder: Path, every: int, kind: str | None = None) -> Iterator[tuple[Image, list[Truth]]]:
    """The photographs of dice_mp and their dice, retaken as of a kind if one is given (bench.vision.retaken).
    A die counts as found inside its labelled box (8 pixels at least)."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for number, name in enumerate(sorted(truth)[::every]):
        image = load_picture(folder / "photos" / name)
        height, width = image.shape[:2]
        matrix = np.eye(3)
        if kind is not None:
            places = [(x, y) for _, x, y, _, _ in truth[name]]
            image, matrix = retake(image, kind, np.random.default_rng([number, 7]), places)
        yield (
            image,
            [
                (v, *moved(matrix, x * width, y * height), max(8.0, min(w * width, h * height) / 2))
                for v, x, y, w, h in truth[name]
            ],
        )


def real(folder: Path, every: int, kind: str | None = None) -> DiceTally:
    """The photographs of dice_mp (`labelled`)."""
    tally = DiceTally()
    for image, dice in labelled(folder, every, kind):
        measure(tally, image, dice)
    return tally


def disturbed(folder: Path, every: int, count: int, first: int) -> dict[str, DiceTally]:
    """The photographs of dice_mp in noise and in grain of 16 grey levels; close-ups of rendered dice, from
    the seed `first` on."""
    tallies = {name: DiceTally() for name in ("noise", "grain", "close-up")}
    for number, (image, dice) in enumerate(labelled(folder, every)):
        measure(tallies["noise"], noisy(image, 0.0, number), dice)
        measure(tallies["grain"], noisy(image, GRAIN, number), dice)
    for seed in range(first, first + count):
        near, truth = close_up(*dice_photo(np.random.default_rng(seed), 1 + seed % 5))
        measure(tallies["close-up"], near, list(truth))
    return tallies


def rendered(count: int, first: int) -> DiceTally:
    """Rendered photographs of one to five dice, from the seed `first` on."""
    tally = DiceTally()
    for seed in range(count):
        image, dice = dice_photo(np.random.default_rng(first + seed), 1 + seed % 5)
        measure(tally, image, [(d.value, *d.centre, 0.5 * d.radius) for d in dice])
    return tally


def leaning(count: int, first: int) -> tuple[int, int]:
    """Of so many photographs with one leaning die of five: in how many it is not read, or is said."""
    noticed = 0
    for seed in range(count):
        image, dice = dice_photo(np.random.default_rng(first + 1000 + seed), 5, leaning=1)
        reading = read_dice(image, 5)
        at = next(d for d in dice if d.leaning)
        taken = any(math.dist(at.centre, die.centre) < at.radius for die in reading.dice)
        noticed += bool(reading.unsure) and not taken
    return noticed, count


def fields(count: int, first: int) -> tuple[str, list[int]]:
    """Rendered fields: the row of the table; places right, asked for, wrong, fields refused, wholly right."""
    labels = art.card_labels("thirteen_monsters")
    pictures = [art.draw_card("thirteen_monsters", label, 440) for label in labels]
    deck = enrol_pictures("thirteen_monsters", labels, pictures).deck
    sums = np.zeros(5, int)
    seconds = 0.0
    for seed in range(first, first + count):
        places, took = field_result(seed, labels, deck)
        sums += places
        seconds += took
    right, asked, wrong, refused, whole = sums.tolist()
    figures = f"{right} | {asked} | {wrong} | {refused} | {whole}/{count} | {seconds / max(1, count):.1f}"
    return f"| {count} | {figures} |", sums.tolist()


def field_result(seed: int, labels: list[str], deck: Deck) -> tuple[list[int], float]:
    """One field: places right, asked for, wrong; refused fields; fields wholly right."""
    rng = np.random.default_rng(seed)
    free = [(r, c) for r in range(9) for c in range(9) if (r, c) not in GAP]
    order = [free[i] for i in rng.permutation(len(free))]
    up = dict(zip(order[:2], rng.choice(labels, 2, replace=False).tolist(), strict=True))
    empty = {*GAP, *order[2 : 2 + int(rng.integers(0, 25))]}
    dice = {
        at: int(rng.integers(1, 7)) for at in [at for at in order if at not in up and at not in empty][:3]
    }
    image, _ = field_photo(up, empty, dice, rng, lay=seed, tilt=float(rng.uniform(0, 25)))
    begun = time.process_time()
    try:
        reading = read_grid(image, deck)
    except Unreadable:
        return [0, 0, 0, 1, 0], time.process_time() - begun
    took = time.process_time() - begun
    verdicts = [judged(place, up, empty, dice) for place in reading.places]
    right, asked, wrong = (verdicts.count(kind) for kind in ("right", "asked", "wrong"))
    return [right, asked, wrong, 0, right == 81], took


def judged(
    place: GridPlace,
    up: Mapping[tuple[int, int], str],
    empty: Container[tuple[int, int]],
    dice: Mapping[tuple[int, int], int],
) -> str:
    """How a place of a field was read: `right`, `wrong`, or `asked` about."""
    if place.state in ("unclear", "hidden") or place.die == 0:
        return "asked"
    if place.at in up:
        right = place.state == "up" and place.card is not None and place.card.label == up[place.at]
    elif place.at in empty:
        right = place.state == "empty"
    else:
        right = place.state == "down" and place.die == dice.get(place.at)
    return "right" if right else "wrong"


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, help="folder of the shared photographs")
    parser.add_argument("--every", type=int, default=1, help="each how many-th real photograph")
    parser.add_argument("--retaken", action="store_true", help="only these, in other light, soft, slanted")
    parser.add_argument("--disturbed", action="store_true", help="only these, in noise and grain; close-ups")
    parser.add_argument("--rendered", type=int, default=40)
    parser.add_argument("--fields", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1000, help="of the first rendered picture")
    results_option.add(parser)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    folder = asked.shared / "vision" / "dice_mp" if asked.shared else None
    if asked.retaken or asked.disturbed:
        if folder is None or not folder.is_dir():
            raise SystemExit("this needs --shared DIR with the photographs vision/dice_mp in it")
        print(f"{HEADER} wrong and nothing said |\n|---|---|---|---|---|---|---|")
        if asked.disturbed:
            _report_disturbed(disturbed(folder, asked.every, asked.rendered, asked.seed), asked.results)
        else:
            _report_retaken({kind: real(folder, asked.every, kind) for kind in KINDS}, asked.results)
        return
    print(f"{HEADER}\n|---|---|---|---|---|---|")
    if folder is not None and folder.is_dir():
        tally = real(folder, asked.every)
        print(tally.row("dice_mp, real"), flush=True)
        record(asked.results, _found("real", tally) | {"dice/ms": median(tally.ms)})
    drawn = rendered(asked.rendered, asked.seed)
    print(drawn.row("rendered, 8 styles"), flush=True)
    noticed, of = leaning(max(1, asked.rendered // 4), asked.seed)
    print(f"\nOne of five dice leans by 26 to 46 degrees: said and not read in {noticed} of {of} photos.\n")
    print("| fields | places right | asked | wrong | refused | wholly right | CPU s |")
    print("|---|---|---|---|---|---|---|")
    row, (right, unclear, wrong, refused, _) = fields(asked.fields, asked.seed)
    print(row)
    places = right + unclear + wrong + 81 * refused
    found = {"dice/leaning": share(noticed, of)}
    found |= {"dice/field-right": share(right, places), "dice/field-wrong": share(wrong, places)}
    record(asked.results, _found("rendered", drawn) | found)


def _report_retaken(tallies: dict[str, DiceTally], results: Path | None) -> None:
    """Prints and records the photographs that were retaken, by kind."""
    for kind, tally in tallies.items():
        print(f"{tally.row(kind)} {tally.silent} |")
    photos = sum(tally.photos for tally in tallies.values())
    whole = {kind: tally.whole_known / tally.photos for kind, tally in tallies.items()}
    record(
        results,
        {
            "dice/retaken-whole": share(sum(t.whole_known for t in tallies.values()), photos),
            "dice/retaken-silent": share(sum(t.silent for t in tallies.values()), photos),
        },
        {"dice/retaken-whole": whole},
    )


def _report_disturbed(tallies: dict[str, DiceTally], results: Path | None) -> None:
    """Prints and records the photographs in noise and in grain, and the close-ups."""
    for name, tally in tallies.items():
        print(f"{tally.row(name)} {tally.silent} |")
    found = {f"dice/{name}": share(t.whole_known, t.photos) for name, t in tallies.items()}
    silent, photos = (sum(getattr(t, of) for t in tallies.values()) for of in ("silent", "photos"))
    found["dice/disturbed-silent"] = share(silent, photos)
    found["dice/disturbed-ms"] = median([ms for t in tallies.values() for ms in t.ms])
    record(results, found)


def _found(name: str, tally: DiceTally) -> dict[str, Estimate]:
    """Precision, recall and whole photographs of a set."""
    return {
        f"dice/{name}-precision": share(tally.right, tally.right + tally.wrong),
        f"dice/{name}-recall": share(tally.right, tally.right + tally.missed),
        f"dice/{name}-whole": share(tally.whole_known, tally.photos),
    }


if __name__ == "__main__":
    main()

"""Landings on rendered tables at 30 pictures a second: found, false ones, errors of time, CPU.

    python -m bench.tracking [--only trick,pile] [--clips 8] [--seed 1] [--keep DIR] [--verbose]
    python -m bench.tracking --quiet 60
    python -m bench.tracking --breathing 30

Each clip is drawn at random (bench/tracking/scenes.py): half a minute of one of three games with hands,
knocks and lamps, or some seconds of one kind of trouble. A landing is found if it is reported with the right
card within a second of the truth; every other report is false. `--quiet` watches so many minutes in which
nothing lands, `--breathing` so many in which nothing lands and the focus of the camera changes.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from bench.paths import ROOT
from bench.report import options as results_option
from bench.report.estimates import Estimate, mean, median, rate, share
from bench.report.results import record
from bench.tracking.breathing import breathing
from bench.tracking.quiet import quiet
from bench.tracking.scenes import FPS, KINDS, TableClip, clip, pictures
from companion import art
from companion.core.observations import Landing
from companion.vision.cards.recognise import CardReading, recognise
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Array, Image
from companion.vision.tracking.landing import LandingWatcher
from companion.vision.tracking.place_reader import CardReader

TABLE = {"table": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]}


@dataclass
class LandingTally:
    """What was counted."""

    landings: int = 0
    found: int = 0
    unnamed: int = 0
    false: int = 0
    late: int = 0
    seconds: float = 0.0
    errors: list[float] = field(default_factory=list)
    visible: list[bool] = field(default_factory=list)
    noticed: list[float] = field(default_factory=list)
    quiet_ms: list[float] = field(default_factory=list)
    busy_ms: list[float] = field(default_factory=list)
    landing_ms: list[float] = field(default_factory=list)
    own_ms: list[float] = field(default_factory=list)

    def add(self, other: LandingTally) -> None:
        """Counts what the other has counted."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


class Timed:
    """Recognition with the time it takes."""

    def __init__(self, read: CardReader) -> None:
        self.ms, self._read = 0.0, read

    def __call__(
        self, image: Image, deck: Deck, expected: frozenset[str] | None, changed: Array | None
    ) -> CardReading:
        begun = time.process_time()
        try:
            return self._read(image, deck, expected, changed)
        finally:
            self.ms += (time.process_time() - begun) * 1000


def watch(
    clip: TableClip, kept: Path | None, deck: Deck, tally: LandingTally, read: CardReader = recognise
) -> list[tuple[float, Landing]]:
    """Feeds every picture of a clip; the landings with the moments at which they were reported."""
    timed = Timed(read)
    watcher = LandingWatcher(deck, TABLE, timed)
    reported: list[tuple[float, Landing]] = []
    mark = -1.0
    truths = {math.ceil(truth.t * FPS - 1e-6): truth for truth in clip.shown.landings()}
    for index, (t, image, visible) in enumerate(pictures(clip, kept)):
        timed.ms = 0.0
        begun = time.process_time()
        seen = watcher.feed(image, t)
        spent = (time.process_time() - begun) * 1000
        landings = [one for one in seen if isinstance(one, Landing)]
        if landings:
            tally.landing_ms.append(spent)
            tally.own_ms.append(spent - timed.ms)
        else:
            (tally.quiet_ms if clip.is_quiet(t) else tally.busy_ms).append(spent)
        tally.late += sum(landing.t < mark for landing in landings)
        mark = max([mark, *(one.t for one in seen if not isinstance(one, Landing))])
        reported += [(t, landing) for landing in landings]
        if index in truths:
            tally.visible.append(visible)
    tally.seconds += clip.seconds
    return reported


def score(clip: TableClip, reported: list[tuple[float, Landing]], tally: LandingTally) -> list[str]:
    """Counts; says what went wrong. A landing that is not found has no error of time (nan)."""
    left = list(reported)
    notes: list[str] = []
    for truth in clip.shown.landings():
        tally.landings += 1
        near = [one for one in left if abs(one[1].t - truth.t) < 1.0]
        right = [one for one in near if one[1].sighting and one[1].sighting.label == truth.label]
        if not right:
            nameless = [one for one in near if one[1].sighting is None]
            tally.unnamed += bool(nameless)
            tally.errors.append(np.nan)
            left = [one for one in left if one not in nameless[:1]]
            notes.append(f"  missed{' (unnamed)' if nameless else ''}: {truth.label} at {truth.t:.2f}")
            continue
        best = min(right, key=lambda one: abs(one[1].t - truth.t))
        left.remove(best)
        tally.found += 1
        error = best[1].t - math.ceil(truth.t * FPS - 1e-6) / FPS
        tally.errors.append(error)
        tally.noticed.append(best[0] - truth.t)
        if abs(error) > 0.1:
            notes.append(f"  time: {truth.label} at {truth.t:.2f} reported as {best[1].t:.2f}")
    tally.false += len(left)
    for at, landing in left:
        card = landing.sighting
        notes.append(f"  false: {card.label if card else None} for {landing.t:.2f}, reported at {at:.2f}")
    return notes


def deck_of(game: str) -> Deck:
    folder = ROOT / "models" / "decks" / game
    if (folder / "deck.npz").is_file():
        return Deck.load(folder)
    labels = art.card_labels(game)
    return enrol_pictures(game, labels, [art.draw_card(game, label, 440) for label in labels]).deck


def main() -> None:
    """Prints the tables."""
    options = argparse.ArgumentParser(prog="python -m bench.tracking", description=__doc__.splitlines()[0])
    options.add_argument("--only", default=",".join(KINDS), help=f"of {', '.join(KINDS)}")
    options.add_argument("--clips", type=int, default=8, help="of each kind")
    options.add_argument("--first", type=int, default=0, help="number of the first clip, or table")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hardness", type=float, default=0.4)
    options.add_argument("--keep", type=Path, help="folder for the pictures, so that they are drawn once")
    options.add_argument("--quiet", type=float, default=0.0, help="minutes without a landing to be watched")
    options.add_argument("--breathing", type=float, default=0.0, help="minutes in which the focus changes")
    options.add_argument("--verbose", action="store_true", help="say what went wrong")
    results_option.add(options)
    chosen = options.parse_args()
    cv2.setNumThreads(1)
    decks = {game: deck_of(game) for game in ("seven_merry_monsters", "nasty_7")}
    if chosen.quiet or chosen.breathing:
        _measure_nothing(decks["seven_merry_monsters"], chosen)
        return
    tallies: dict[str, LandingTally] = {}
    for kind in chosen.only.split(","):
        tallies[kind] = LandingTally()
        for number in range(chosen.first, chosen.first + chosen.clips):
            drawn = clip(
                kind, np.random.default_rng([chosen.seed, list(KINDS).index(kind), number]), chosen.hardness
            )
            name = f"{kind.replace(' ', '_')}-{chosen.seed}-{chosen.hardness}-{number}.npz"
            kept = None if chosen.keep is None else chosen.keep / name
            notes = score(drawn, watch(drawn, kept, decks[drawn.game], tallies[kind]), tallies[kind])
            if chosen.verbose and notes:
                light = drawn.shown.scene.conditions
                print(
                    f"{kind} {number}: {light.table}, noise {light.noise:.1f}", *notes, sep="\n", flush=True
                )
    print(_report(tallies))
    whole = LandingTally()
    for tally in tallies.values():
        whole.add(tally)
    record(chosen.results, estimates(whole))


def _measure_nothing(deck: Deck, chosen: argparse.Namespace) -> None:
    """Prints and records how many landings are reported where nothing lands."""
    found: dict[str, Estimate] = {}
    for name, minutes, watch_table in (
        ("quiet", chosen.quiet, quiet),
        ("breathing", chosen.breathing, breathing),
    ):
        if minutes:
            table, false, hours = watch_table(deck, minutes, chosen.seed, chosen.first)
            print(table)
            found[f"tracking/{name}-false"] = rate(false, hours)
    record(chosen.results, found)


def estimates(tally: LandingTally) -> dict[str, Estimate]:
    """What the report says of all clips together."""
    errors = np.abs(np.array(tally.errors))
    seen = errors[~np.isnan(errors) & np.array(tally.visible, bool)]
    found = {
        "tracking/found": share(tally.found, tally.landings),
        "tracking/false": rate(tally.false, tally.seconds / 3600),
    }
    if seen.size:
        found["tracking/error"] = mean((1000 * seen).tolist())
        found["tracking/within"] = share(int((seen <= 0.1 + 1e-6).sum()), seen.size)
    for name, ms in (("quiet-ms", tally.quiet_ms), ("landing-ms", tally.landing_ms)):
        if ms:
            found[f"tracking/{name}"] = median(ms)
    return found


def _report(tallies: dict[str, LandingTally]) -> str:
    """A row for each kind, then the whole."""
    rows = ["| kind | landings | found | false | error median / worst, pictures |", "|---|---|---|---|---|"]
    whole = LandingTally()
    for kind, tally in tallies.items():
        whole.add(tally)
        errors = np.abs(np.array(tally.errors))
        off = (
            "-"
            if np.isnan(errors).all()
            else f"{np.nanmedian(errors) * FPS:.0f} / {np.nanmax(errors) * FPS:.0f}"
        )
        rows.append(f"| {kind} | {tally.landings} | {tally.found} | {tally.false} | {off} |")
    return "\n".join([*rows, "", _whole(whole)])


def _whole(tally: LandingTally) -> str:
    errors = np.abs(np.array(tally.errors))
    known = ~np.isnan(errors)
    seen = errors[known & np.array(tally.visible, bool)]
    errors = errors[known]
    rows = [
        ("played", f"{tally.seconds / 60:.1f} min, {tally.landings} landings"),
        ("found with the right card", f"{tally.found / max(1, tally.landings):.1%}"),
        ("noticed without a name", f"{tally.unnamed}"),
        ("false", f"{tally.false} ({tally.false / tally.seconds * 3600:.1f} an hour)"),
        ("error of time, median",
         f"{np.median(errors) * 1000:.0f} ms ({np.median(errors) * FPS:.1f} pictures)"),
        ("error of time, 95 %", f"{np.percentile(errors, 95) * 1000:.0f} ms"),
        ("within 0.1 s, card visible", f"{(seen <= 0.1 + 1e-6).mean():.1%} of {len(seen)}"),
        ("reported after the landing, median / 95 %",
         f"{np.median(tally.noticed):.2f} s / {np.percentile(tally.noticed, 95):.2f} s"),
        ("reported after the watermark", f"{tally.late}"),
        ("CPU, nothing happens, median / 95 %", _spent(tally.quiet_ms)),
        ("CPU, hands and places that are looked at, median / 95 %", _spent(tally.busy_ms)),
        ("CPU, a landing, median / 95 %", _spent(tally.landing_ms)),
        ("of this without recognition", _spent(tally.own_ms)),
    ]  # fmt: skip
    return "\n".join(
        ["| landings, 30 pictures a second | |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)]
    )


def _spent(ms: list[float]) -> str:
    return f"{np.median(ms):.1f} / {np.percentile(ms, 95):.1f} ms" if ms else "-"


if __name__ == "__main__":
    main()

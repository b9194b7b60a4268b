"""Limits of recognition: recall against visible part, size, blur and light, as plots.

    python -m bench.vision.plots [--out docs/images] [--shared DIR] [--count N] [--seed S] [--data FILE]

Renders N pictures for every point (a card of our own deck, and of uno if the shared folder is there, on a
table drawn at random, lens, noise and JPEG as in models.drawn.camera), reads them and draws eyes.svg.
`--data` keeps the figures in a file and takes from it those of the plots that it holds already. Needs
matplotlib (the extra `bench`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bench.paths import default_shared
from bench.surrogates.sets import own_cards, pictures_of
from bench.vision import real
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from models.drawn.camera import Image, Rng, aged, lay, phone, quad_at, taken
from models.drawn.rooms import ground

SIZE = (560, 420)
WIDE = 110.0
"""Width of the card in pixels where size is not what varies."""
GROUNDS = ("wood", "cloth", "white", "checked", "mat")
COLOURS = {"our deck": "#0072B2", "uno": "#D55E00"}
"""Okabe-Ito."""
Figures = dict[str, dict[str, list[tuple[float, float, int, int]]]]
"""panel -> deck -> (x, recall, false labels, pictures)."""


@dataclass(frozen=True)
class PlotSetting:
    """What a picture is taken under: see Panel."""

    visible: float = 1.0
    wide: float = WIDE
    blur: float = 0.6
    light: float = 200.0


@dataclass(frozen=True)
class Panel:
    """One plot: what varies, its values, its axis."""

    field: str
    values: Sequence[float]
    axis: str
    words: str


PANELS = (
    Panel(
        "visible",
        (0.12, 0.16, 0.2, 0.25, 0.33, 0.42, 0.5, 0.7, 1.0),
        "visible part of the length",
        "Covered cards",
    ),
    Panel("wide", (24, 32, 40, 50, 65, 85, 110, 160), "width of the card (pixels)", "Small cards"),
    Panel("blur", (0.4, 1.0, 1.6, 2.2, 3.0, 4.0, 5.0), "blur (pixels of sigma)", "Blurred cards"),
    Panel(
        "light",
        (8, 14, 24, 40, 80, 160, 240, 330),
        "level of a white card (255 fills the sensor)",
        "Dark and burnt-out cards",
    ),
)


def picture(cards: Mapping[str, Image], setting: PlotSetting, rng: Rng) -> real.Photo:
    """A card on a table; if not all of it is visible, another card of the deck covers its lower end."""
    names = list(cards)
    below, above = (names[int(i)] for i in rng.choice(len(names), 2, replace=False))
    canvas = ground(*SIZE, rng, GROUNDS)
    aspect = cards[below].shape[0] / cards[below].shape[1]
    turn = float(rng.normal(0, 12)) if setting.visible < 1 else float(rng.uniform(0, 360))
    centre = np.array([SIZE[0] / 2, SIZE[1] / 2 - (30 if setting.visible < 1 else 0)]) + rng.normal(0, 12, 2)
    quad = quad_at((float(centre[0]), float(centre[1])), setting.wide, aspect, turn)
    lay(canvas, aged(cards[below], rng), quad, reach=0.02 * setting.wide)
    where = quad.mean(axis=0)
    instances = [(below, where, False)]
    if setting.visible < 1:
        slip = (quad[3] - quad[0]) * setting.visible + (quad[1] - quad[0]) * float(rng.normal(0, 0.02))
        middle = centre + slip
        upper = quad_at(
            (float(middle[0]), float(middle[1])), setting.wide, aspect, turn + float(rng.normal(0, 1.5))
        )
        lay(canvas, aged(cards[above], rng), upper, reach=0.02 * setting.wide)
        instances.append((above, upper.mean(axis=0), True))
    camera = replace(
        phone(rng),
        bend=0.0,
        motion=0.0,
        haze=0.01,
        blur=setting.blur,
        noise=2.5,
        exposure=setting.light / 225,
    )
    truth = tuple(
        real.Instance(label, float(x) / SIZE[0], float(y) / SIZE[1], neutral)
        for label, (x, y), neutral in instances
    )
    return real.Photo(Path(below), truth, image=taken(canvas, camera, rng))


def measure(
    decks: Mapping[str, tuple[Deck, Mapping[str, Image]]], count: int, seed: int, figures: Figures
) -> None:
    """Reads `count` pictures for every point of every plot that `figures` lacks, and adds them there."""
    for panel in [panel for panel in PANELS if panel.field not in figures]:
        for name, (deck, cards) in decks.items():
            points = figures.setdefault(panel.field, {}).setdefault(name, [])
            for value in panel.values:
                setting = replace(PlotSetting(), **{panel.field: float(value)})
                shots = (picture(cards, setting, np.random.default_rng([seed, n])) for n in range(count))
                score = real.score(deck, shots)["all"]
                points.append((float(value), score.recall, score.false, count))
                print(
                    f"{panel.field} {value:g}, {name}: recall {score.recall:.2f}, {score.false} false",
                    flush=True,
                )


def draw(figures: Figures, out: Path) -> None:
    """Draws the four plots into one SVG."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"font.size": 10, "svg.fonttype": "none", "svg.hashsalt": "eyes"})
    from matplotlib import pyplot

    sheet, axes = pyplot.subplots(2, 2, figsize=(9, 6.4), layout="constrained")
    for panel, axis in zip(PANELS, axes.flat, strict=True):
        _panel(axis, panel, figures[panel.field])
    counts = {point[3] for decks in figures.values() for points in decks.values() for point in points}
    false = sum(point[2] for decks in figures.values() for points in decks.values() for point in points)
    total = sum(point[3] for decks in figures.values() for points in decks.values() for point in points)
    sheet.supxlabel(
        f"{min(counts)} rendered pictures a point, card 110 px wide unless said; {false} wrong labels in all "
        f"{total:,} pictures",
        fontsize=9, color="#555555",
    )  # fmt: skip
    sheet.savefig(out, metadata={"Date": None})


def _panel(axis: Any, panel: Panel, decks: Mapping[str, Sequence[tuple[float, float, int, int]]]) -> None:
    """One plot."""
    for index, (name, points) in enumerate(decks.items()):
        x, y = [p[0] for p in points], [100 * p[1] for p in points]
        style = {"color": COLOURS[name], "marker": "os"[index], "markersize": 4, "linewidth": 1.8}
        axis.plot(x, y, label=name, clip_on=False, **style)
    axis.set_title(panel.words, loc="left", fontsize=11)
    axis.set_xlabel(panel.axis)
    axis.set_ylabel("cards named right (%)")
    axis.set_ylim(0, 102)
    if panel.field in ("wide", "light"):
        axis.set_xscale("log")
        ticks = list(panel.values)
        axis.set_xticks(ticks, [f"{v:g}" for v in ticks])
        axis.minorticks_off()
    axis.grid(color="#dddddd", linewidth=0.6)
    axis.legend(loc="best", frameon=False)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def decks_in(shared: Path) -> dict[str, tuple[Deck, Mapping[str, Image]]]:
    """Our own deck, and uno where its photographs are."""
    enrolled = own_cards(440)
    own = enrol_pictures("our deck", list(enrolled), list(enrolled.values())).deck
    decks: dict[str, tuple[Deck, Mapping[str, Image]]] = {"our deck": (own, own_cards())}
    folder = shared / "vision" / "uno"
    if folder.is_dir():
        decks["uno"] = (real.enrolled(folder), pictures_of(folder))
    return decks


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    figures: Figures = {}
    if options.data and options.data.is_file():
        figures = json.loads(options.data.read_text())
    if len(figures) < len(PANELS):
        measure(decks_in(options.shared), options.count, options.seed, figures)
        if options.data:
            options.data.write_text(json.dumps(figures))
    draw(figures, options.out / "eyes.svg")
    print(options.out / "eyes.svg")


if __name__ == "__main__":
    main()

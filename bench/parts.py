"""The parts of the benchmark: commands that each measure some rows of the report."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bench.paths import HELD_OUT


@dataclass(frozen=True)
class Part:
    """One command. `full` and `quick` are its arguments. `shared`: it takes `--shared`. `needs`: folders of
    the shared data without which it measures nothing. `held`: it needs the models in HELD_OUT. `modules`
    and `programs`: what must be installed."""

    name: str
    module: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    shared: bool = False
    needs: tuple[str, ...] = ()
    held: bool = False
    modules: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()

    @property
    def area(self) -> str:
        """The word before the dot of its name; a part may also measure rows of another table."""
        return self.name.partition(".")[0]

    def command(self, shared: Path, quick: bool, results: Path | None) -> list[str]:
        """What is run."""
        where = ("--shared", str(shared)) if self.shared and shared.is_dir() else ()
        kept = () if results is None else ("--results", str(results))
        given = self.quick if quick else self.full
        return [sys.executable, "-m", self.module, *given, *where, *kept]

    @property
    def shown(self) -> str:
        """The command as the report shows it."""
        return " ".join(("python -m", self.module, *self.full, *(("--shared DIR",) if self.shared else ())))


SEED = "321"
"""Seed of the rendered sets: none of these pictures was looked at while a constant was chosen."""


def _vision(name: str, sets: str, full: tuple[str, ...], quick: tuple[str, ...]) -> Part:
    """Sets of bench.vision; `retaken` and the real ones need the photographs."""
    chosen = ("--set", sets)
    return Part(
        f"vision.{name}", "bench.vision", (*chosen, *full), (*chosen, *quick), shared=True, needs=("vision",)
    )


_TROUBLE = (
    "hand stays,dropped,slid,two hands,equal on equal,pushed,collected,lamp,knocks,resting arm,waving child,"
    "glare,exposure"
)
"""Kinds of clips of some seconds; half minutes of whole play take ten times as long."""

PARTS = (
    _vision("photographs", "poker24,uno,unknown,held_webcam", ("--refined",), ("--every", "10")),
    _vision("crossed", "crossed", ("--every", "4"), ("--every", "20")),
    _vision("retaken", "retaken", ("--every", "8"), ("--every", "40")),
    _vision(
        "hands",
        "hands,hands_rough,hands_likes",
        ("--count", "16", "--seed", SEED, "--refined"),
        ("--count", "3", "--seed", SEED),
    ),
    _vision(
        "half_decks",
        "half_decks",
        ("--count", "12", "--seed", SEED, "--refined"),
        ("--count", "2", "--seed", SEED),
    ),
    _vision(
        "overlapping",
        "glare_mat,glare_rich",
        ("--count", "30", "--seed", SEED),
        ("--count", "2", "--seed", SEED),
    ),
    _vision(
        "strips", "strips,strips_uno", ("--count", "30", "--seed", SEED), ("--count", "2", "--seed", SEED)
    ),
    _vision(
        "rendered",
        "displays,foreign",
        ("--count", "16", "--seed", SEED),
        ("--count", "2", "--seed", SEED),
    ),
    Part("vision.displays", "bench.displays", ("--count", "10", "--seed", SEED),
         ("--count", "1", "--seed", SEED), shared=True, needs=("vision",)),
    Part("vision.speed", "bench.vision", ("--set", "speed"), ("--set", "speed", "--quick")),
    Part("dice.photographs", "bench.dice", ("--rendered", "20", "--fields", "2", "--seed", "4000"),
         ("--every", "10", "--rendered", "4", "--fields", "1", "--seed", "4000"), shared=True),
    Part("dice.retaken", "bench.dice", ("--retaken", "--every", "10"), ("--retaken", "--every", "25"),
         shared=True, needs=("vision",)),
    Part("dice.disturbed", "bench.dice", ("--disturbed", "--rendered", "50", "--seed", "9250"),
         ("--disturbed", "--every", "25", "--rendered", "2", "--seed", "9250"), shared=True,
         needs=("vision",)),
    Part("setup.all", "bench.setup", ("--every", "10", "--mats", "20"), ("--every", "40", "--mats", "3"),
         shared=True),
    Part("setup.enrolment", "bench.enrolment", ("--count", "4", "--seed", "77"),
         ("--count", "1", "--seed", "77"), shared=True, needs=("vision",)),
    Part("tracking.landings", "bench.tracking", ("--only", _TROUBLE, "--clips", "1", "--seed", "325"),
         ("--only", "dropped,slid", "--clips", "1", "--seed", SEED)),
    Part("tracking.quiet", "bench.tracking", ("--quiet", "8", "--breathing", "10", "--seed", SEED),
         ("--quiet", "1", "--breathing", "2", "--seed", SEED)),
    Part("lattice.tables", "bench.lattice", ("--seed", "50000", "--count", "60"),
         ("--seed", "50000", "--count", "3")),
    Part("tiles.photographs", "bench.tiles", ("4", "950", "35", "50"), ("1", "950")),
    Part("tiles.own", "bench.tiles", ("own",), ("own",)),
    Part("speech.held_out", "bench.speech", ("--every", "3"), ("--every", "30"), shared=True,
         needs=("speech",), held=True),
    Part("speech.verdicts", "bench.speech.verdicts", ("--every", "9"), ("--every", "30"), shared=True,
         needs=("speech",), held=True),
    Part("speech.taught", "bench.speech.taught", ("--tested", "2"), ("--tested", "1"), shared=True,
         needs=("speech",), held=True),
    Part("speech.unheard", "bench.speech.unheard", ("--every", "1"), ("--every", "12"), shared=True,
         needs=("speech",)),
    Part("speech.onsets", "bench.speech.onsets", ("--group", "report", "--seed", "51"), shared=True,
         needs=("speech",), modules=("soundfile",)),
    Part("table_talk.games", "bench.table_talk", ("--group", "report", "--games", "2", "--seed", "16300"),
         ("--noises", "silence,music", "--snr", "10"), shared=True, needs=("speech",),
         modules=("soundfile",)),
    Part("table_talk.babble", "bench.table_talk",
         ("--group", "report", "--games", "100", "--seed", "16200", "--players", "4",
          "--noises", "five talkers", "--snr", "10"),
         ("--games", "1", "--players", "4", "--noises", "five talkers", "--snr", "10"),
         shared=True, needs=("speech",), modules=("soundfile",)),
    Part("table_talk.noises", "bench.table_talk",
         ("--group", "report", "--each", "--games", "100", "--seed", "20500",
          "--noises", "silence,five talkers,foreign numbers,music", "--snr", "10"),
         ("--each", "--games", "1", "--noises", "silence,music", "--snr", "10"),
         shared=True, needs=("speech",), modules=("soundfile",)),
    Part("table_talk.sounds", "bench.table_talk.sounds",
         ("--group", "report", "--streams", "2", "--seed", "17100"),
         ("--streams", "1", "--seconds", "20"),
         shared=True, needs=("speech",), modules=("soundfile",)),
    Part("table_talk.array", "bench.table_talk",
         ("--array", "--group", "report", "--games", "20", "--seed", "16400",
          "--noises", "television,foreign numbers", "--snr", "5"),
         ("--array", "--games", "1", "--noises", "television", "--snr", "5"),
         shared=True, needs=("speech",), modules=("soundfile", "pyroomacoustics")),
    Part("speech.invented", "bench.speech.invented", shared=True, needs=("speech",)),
    Part("speech.de", "bench.speech.languages", ("de", "--every", "2"), ("de", "--every", "10"), shared=True,
         needs=("speech",), modules=("soundfile",), programs=("espeak-ng",)),
    Part("speech.fr", "bench.speech.languages", ("fr", "--every", "2"), ("fr", "--every", "10"), shared=True,
         needs=("speech",), modules=("soundfile",), programs=("espeak-ng",)),
    Part("speech.peer", "bench.speech.peer", ("--every", "10"), ("--every", "50"), shared=True,
         needs=("speech",), modules=("pocketsphinx",), programs=("espeak-ng", "flite", "festival")),
    Part("evenings.games", "bench.evenings", ("--games", "50", "--jobs", "2"), ("--games", "1"),
         programs=("espeak-ng",)),
    Part("rules.games", "bench.rules", ("--games", "300", "--round-trip", "60"),
         ("--games", "20", "--round-trip", "4")),
    Part("service.hostile", "bench.hostile", ("--only", "pages"),
         ("--only", "pages", "--requests", "1000")),
    Part("service.guesses", "bench.hostile", ("--only", "guesses"),
         ("--only", "guesses", "--guess-s", "10")),
    Part("service.damage", "bench.hostile", ("--only", "journal"),
         ("--only", "journal", "--kills", "3", "--flips", "20")),
    Part("service.start", "bench.service.start"),
    Part("service.table", "bench.service.table"),
    Part("pages.first", "bench.service.first_page", quick=("--visits", "1"), modules=("playwright",)),
    Part("pages.change", "bench.service.pages", quick=("--phones", "4", "--events", "20")),
    Part("service.body", "bench.service.body", ("--serve", "20")),
    Part("service.drawing", "bench.drawing.speed"),
    Part("hall.thousand", "bench.hall", ("--tables", "1000", "--minutes", "2", "--calm"),
         ("--tables", "100", "--minutes", "0.2", "--calm"), programs=("mosquitto",)),
    Part("hall.ten", "bench.hall", ("--tables", "10", "--minutes", "1", "--calm"),
         ("--tables", "10", "--minutes", "0.3", "--calm"), programs=("mosquitto",)),
    Part("hall.disturbed", "bench.hall",
         ("--tables", "30", "--whole", "3", "--minutes", "9", "--kills", "50", "--cut-s", "120",
          "--speed", "40", "--seed", "7"),
         ("--tables", "12", "--whole", "1", "--minutes", "0.3", "--kills", "1", "--cut-s", "5"),
         programs=("mosquitto",)),
    Part("hall.table", "bench.hall.table_cost", (), ("--seconds", "10"), programs=("mosquitto",)),
    Part("devices.machine", "bench.devices", (), ("--only", "presses_are_delivered_at_once"),
         programs=("qemu-system-x86_64", "mmdebstrap")),
)  # fmt: skip


def chosen_parts(names: list[str]) -> list[Part]:
    """The parts of these names, or of the areas of these names; all without names.

    Raises:
        KeyError: there is no part of a name.
    """
    known = {word for part in PARTS for word in (part.name, part.area)}
    if unknown := [name for name in names if name not in known]:
        raise KeyError(", ".join(unknown))
    return [part for part in PARTS if not names or {part.name, part.area} & {*names}]


def why_not(
    part: Part,
    shared: Path,
    installed: Callable[[str], bool] = lambda name: find_spec(name) is not None,
    on_path: Callable[[str], bool] = lambda name: shutil.which(name) is not None,
) -> str:
    """Why a part cannot be measured here; empty: it can."""
    missing = [name for name in part.modules if not installed(name)]
    if missing:
        return f"{', '.join(missing)} is not installed: pip install {' '.join(missing)}"
    absent = [name for name in part.programs if not on_path(name)]
    if absent:
        return f"{', '.join(absent)} is not installed: apt install {' '.join(absent)}"
    if not all((shared / name).is_dir() for name in part.needs):
        return f"no folder {', '.join(part.needs)} in the shared data: name it with --shared"
    if part.held and not any(HELD_OUT.glob("*")):
        return "no models trained without a speaker in build/speech/held: python -m bench.speech --train"
    return ""

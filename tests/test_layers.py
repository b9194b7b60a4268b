"""Which package may import which: arrows run down only, without a circle. This test reads the imports.

A folder under `companion/` is one package here; `hardware`, `web` and `models` are one each.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = {"companion.core"}
API = CORE | {"companion.api"}
ALLOWED: dict[str, set[str]] = {
    "companion": CORE,
    "companion.core": set(),
    "companion.api": CORE,
    "companion.games": CORE,
    "companion.store": CORE,
    "companion.announce": API,
    "companion.evidence": CORE,
    "companion.vision": CORE,
    "companion.speech": CORE,
    "companion.art": CORE | {"companion.games"},
    "companion.wiring": CORE,
    "hardware": CORE,
    "web": API,
    "companion.table": API | {"companion.announce", "companion.games", "companion.store"},
    "companion.mqtt": API | {"companion.announce", "companion.games", "companion.store", "companion.table"},
    "companion.recording": API | {"companion.store", "hardware"},
    "companion.senses": CORE
    | {"companion.evidence", "companion.games", "companion.speech", "companion.vision", "hardware"},
    "companion.devices": CORE | {"companion.announce", "companion.art", "hardware"},
    "companion.owner": API | {"companion.games", "companion.store", "hardware"},
    "companion.host": API
    | {"companion.announce", "companion.devices", "companion.evidence", "companion.games", "companion.senses"}
    | {"companion.mqtt", "companion.owner", "companion.recording", "companion.speech"}
    | {"companion.store", "companion.table", "companion.vision", "hardware"},
    "companion.runtime": API
    | {"companion.announce", "companion.devices", "companion.evidence", "companion.games", "companion.host"}
    | {
        "companion.mqtt",
        "companion.owner",
        "companion.recording",
        "companion.senses",
        "companion.speech",
        "companion.store",
        "companion.table",
    }
    | {"companion.vision", "hardware", "web"},
    "companion.relive": API
    | {"companion.announce", "companion.games", "companion.host", "companion.recording", "companion.runtime"}
    | {"companion.store", "companion.table"},
    "companion.hub": API | {"companion.games", "companion.mqtt", "companion.store", "companion.table"},
    "companion.locale": API
    | {"companion.announce", "companion.art", "companion.games", "companion.host", "companion.owner"}
    | {"companion.table"},
    "companion.commands": API
    | {"companion.announce", "companion.art", "companion.devices", "companion.games", "companion.host"}
    | {"companion.hub", "companion.owner", "companion.recording", "companion.relive"}
    | {"companion.runtime", "companion.speech", "companion.store", "companion.table", "companion.vision"}
    | {"companion.wiring", "hardware"},
}
DEVICE_LIBRARIES = {"gpiozero", "picamera2", "sounddevice", "soxr", "alsaaudio", "lgpio", "libcamera"}
PURE = {"companion.core.errors", "companion.core.message", "companion.core.events", "companion.core.sentence"}
PURE |= {"companion.core.languages", "companion.games"}
"""What the rules of a game may import of the companion."""
NOT_PURE = {"spotter", "generic_spotter", "game", "settings", "digest", "explain"}
NOT_PURE |= {"may", "lattice_match", "lattice_photo", "photo"}
NOT_PURE |= {"taken_tricks", "display_check", "pile_check", "field_check", "table_check", "order_of_cards"}
NOT_PURE |= {
    "call_events",
    "call_listening",
    "card_between",
    "doubts",
    "missed_card",
    "sound_parts",
    "top_call",
    "top_card",
    "column_places",
}
"""Modules of `companion/games` that are not rules: facts about games, texts, and what turns observations into
events."""
REGISTRY = "companion.games"
"""The package itself finds games by name; no rulebook may know it."""


def modules(*tops: str) -> list[Path]:
    return sorted(path for top in tops for path in (ROOT / top).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module: str) -> str | None:
    """The package of a module; None for one from elsewhere."""
    parts = module.split(".")
    if parts[0] == "companion":
        return ".".join(parts[:2])
    return parts[0] if parts[0] in ALLOWED else None


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the full name"
            assert node.module is not None
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = (ROOT / Path(*whole.split("."))).with_suffix(".py").exists()
                is_package = (ROOT / Path(*whole.split(".")) / "__init__.py").exists()
                yield whole if is_module or is_package else node.module


def rule_modules() -> list[Path]:
    found = modules("companion/games")
    return [path for path in found if path.stem not in NOT_PURE and name_of(path) != REGISTRY]


@pytest.mark.parametrize("path", modules("companion", "hardware", "web"), ids=name_of)
def test_imports_run_down_only(path: Path) -> None:
    package = package_of(name_of(path))
    assert package in ALLOWED, f"{name_of(path)} stands in no known package"
    for imported in imports_of(path):
        target = package_of(imported)
        if target is not None and target != package:
            assert target in ALLOWED[package], f"{name_of(path)} imports {imported}"
        if imported.split(".")[0] in DEVICE_LIBRARIES:
            assert package == "hardware", f"{name_of(path)} imports the device library {imported}"


@pytest.mark.parametrize("path", modules("models"), ids=name_of)
def test_what_trains_knows_neither_bench_nor_tests(path: Path) -> None:
    """The bench measures what was trained, so an import the other way would close a circle."""
    assert {imported.split(".")[0] for imported in imports_of(path)}.isdisjoint({"bench", "tests"})


@pytest.mark.parametrize("path", rule_modules(), ids=name_of)
def test_rules_import_the_standard_library_msgspec_and_errors_only(path: Path) -> None:
    for imported in imports_of(path):
        top = imported.split(".")[0]
        assert top in {"msgspec", "companion"} or top in sys.stdlib_module_names, imported
        if top == "companion":
            assert imported.rpartition(".")[2] not in NOT_PURE, imported
            assert imported != REGISTRY, imported
            assert any(imported == pure or imported.startswith(f"{pure}.") for pure in PURE), imported


def test_packages_make_no_circle() -> None:
    def visit(package: str, trail: tuple[str, ...]) -> None:
        assert package not in trail, " -> ".join((*trail, package))
        for below in ALLOWED[package]:
            visit(below, (*trail, package))

    for package in ALLOWED:
        visit(package, ())


@pytest.mark.parametrize(
    "place", ["companion/vision", "companion/speech", "companion/games", "companion/art"]
)
def test_sub_packages_make_no_circle(place: str) -> None:
    base = place.replace("/", ".")
    arrows: dict[str, set[str]] = {}
    for path in modules(place):
        here = name_of(path).split(".")[: base.count(".") + 2]
        for imported in imports_of(path):
            there = imported.split(".")[: base.count(".") + 2]
            if imported.startswith(f"{base}.") and there != here:
                arrows.setdefault(".".join(here), set()).add(".".join(there))

    def visit(package: str, trail: tuple[str, ...]) -> None:
        assert package not in trail, " -> ".join((*trail, package))
        for below in arrows.get(package, ()):
            visit(below, (*trail, package))

    for package in arrows:
        visit(package, ())

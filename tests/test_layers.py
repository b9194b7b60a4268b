"""The arrows of the house run down only: this test reads the imports and keeps it so."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BASE = {
    "companion.observations",
    "companion.config",
    "companion.errors",
    "companion.clock",
    "companion.mat",
    "companion.sentences",
    "companion.sound",
}
MIDDLE = {"companion.rules", "companion.store", "companion.announce", "companion.evidence"}
UPPER = {"companion.vision", "companion.speech", "companion.art", "companion.table", "web", "hardware"}
APP = {
    "companion.app",
    "companion.beforehand",
    "companion.decks",
    "companion.desk",
    "companion.enrolment",
    "companion.evening",
    "companion.host",
    "companion.lattice_photo",
    "companion.live",
    "companion.photographs",
    "companion.past",
    "companion.plugs",
    "companion.rehearsal",
    "companion.resting",
    "companion.senses",
    "companion.service",
    "companion.serving",
    "companion.setting_up",
    "companion.sources",
    "companion.teaching",
    "companion.trying",
    "companion.zones",
}

ALLOWED: dict[str, set[str]] = {
    "companion.errors": set(),
    "companion.clock": set(),
    "companion.mat": {"companion.errors"},
    "companion.sentences": set(),
    "companion.sound": set(),
    "companion.observations": {"companion.errors"},
    "companion.config": {"companion.errors"},
    "companion.rules": {"companion.errors"},
    "companion.store": BASE | {"companion.rules"},
    "companion.announce": BASE | {"companion.rules"},
    "companion.evidence": BASE,
    "companion.vision": BASE,
    "companion.speech": BASE,
    "companion.art": BASE,
    "companion.table": BASE | MIDDLE,
    "hardware": BASE,
    "web": BASE,
    "companion.beforehand": {"companion.speech", "companion.vision"},
    "companion.senses": BASE | {"companion.beforehand", "companion.evidence"},
    "companion.decks": BASE | {"companion.vision"},
    "companion.lattice_photo": BASE | MIDDLE | {"companion.senses", "companion.table", "companion.vision"},
    "companion.desk": BASE | {"companion.art"},
    "companion.live": BASE,
    "companion.photographs": BASE | {"companion.decks", "companion.evidence", "companion.vision"},
    "companion.past": BASE | {"companion.rules", "companion.store", "companion.table"},
    "companion.rehearsal": BASE | {"companion.senses"},
    "companion.resting": set(),
    "companion.plugs": BASE | {"companion.announce", "companion.store", "hardware"},
    "companion.teaching": BASE | {"companion.speech"},
    "companion.trying": BASE
    | {"companion.announce", "companion.checkup", "companion.plugs", "companion.speech", "companion.store"},
    "companion.zones": BASE | {"companion.decks"},
    "companion.setting_up": BASE
    | {"companion.store", "companion.decks", "companion.live", "companion.vision", "companion.zones"},
    "companion.enrolment": BASE | {"companion.evidence", "companion.live", "companion.vision"},
    "companion.host": BASE
    | MIDDLE
    | {"companion.table", "companion.decks", "companion.vision"}
    | {"companion.enrolment", "companion.lattice_photo", "companion.live", "companion.past"}
    | {"companion.senses"}
    | {"companion.photographs", "companion.setting_up"}
    | {"companion.rehearsal", "companion.teaching", "companion.trying"},
    "companion.evening": BASE | MIDDLE | UPPER | {"companion.app", "companion.serving", "companion.sources"},
    "companion.app": BASE
    | MIDDLE
    | UPPER
    | {"companion.beforehand", "companion.senses", "companion.decks", "companion.desk"}
    | {"companion.host", "companion.live"}
    | {"companion.plugs", "companion.rehearsal", "companion.resting", "companion.setting_up"}
    | {"companion.teaching"}
    | {"companion.sources", "companion.trying", "companion.zones"},
    "companion.sources": BASE | {"companion.desk", "hardware"},
    "companion.checkup": BASE
    | {"companion.rules", "companion.store", "companion.decks", "companion.speech", "hardware"},
    "companion.locale": BASE | {"companion.announce", "companion.art", "companion.host", "companion.rules"},
    "companion.service": BASE
    | {"companion.announce", "companion.app", "companion.serving", "companion.store"},
    "companion.serving": BASE | {"companion.announce", "companion.app", "web"},
    "companion.commands": BASE
    | MIDDLE
    | UPPER
    | {"companion.app", "companion.evening", "companion.decks", "companion.service", "companion.checkup"}
    | {"companion.past"},
    "companion.cli": BASE | {"companion.commands"},
    "models": set(),
}
DEVICE_LIBRARIES = {"gpiozero", "picamera2", "sounddevice", "alsaaudio", "lgpio", "libcamera"}
RULES_MAY_IMPORT = {"msgspec", "companion"}


def modules() -> list[Path]:
    return sorted(path for top in ("companion", "hardware", "web") for path in (ROOT / top).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str | None:
    """The longest known room that contains the module."""
    inside = [room for room in ALLOWED if module == room or module.startswith(room + ".")]
    return max(inside, key=len) if inside else None


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the full name"
            assert node.module is not None
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if room_of(whole) != room_of(node.module) else node.module


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_run_down_only(path: Path) -> None:
    room = room_of(name_of(path))
    if room is None:
        assert name_of(path) == "companion", f"{name_of(path)} stands in no known room"
        return
    for imported in imports_of(path):
        target = room_of(imported)
        if target is not None and target != room:
            assert target in ALLOWED[room], f"{name_of(path)} imports {imported}"
        if imported.split(".")[0] in DEVICE_LIBRARIES:
            assert room == "hardware", f"{name_of(path)} imports the device library {imported}"


@pytest.mark.parametrize("path", sorted((ROOT / "companion/rules").rglob("*.py")), ids=name_of)
def test_rules_import_the_standard_library_msgspec_and_errors_only(path: Path) -> None:
    import sys

    for imported in imports_of(path):
        top = imported.split(".")[0]
        assert top in RULES_MAY_IMPORT or top in sys.stdlib_module_names, imported


def test_rooms_make_no_circle() -> None:
    def visit(room: str, trail: tuple[str, ...]) -> None:
        assert room not in trail, " -> ".join((*trail, room))
        for below in ALLOWED[room]:
            visit(below, (*trail, room))

    for room in ALLOWED:
        visit(room, ())

"""Gathers what the rooms below the pages say: refusals, doubts about photographs, the doctor's findings.

They are said in English where they arise, with values in them; a catalogue holds each with blanks
(companion.core.sentences). An f-string's blanks are named after what stands in them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from companion.core.message import templates

ROOT = Path(__file__).resolve().parents[2]
REFUSING = (
    "companion/runtime/app.py", "companion/host/deck_library.py", "companion/host/enrolment.py",
    "companion/evidence/bundle.py",
    "companion/evidence/photos.py", "companion/host/table_host.py", "companion/host/triangle_photo.py",
    "companion/senses/latest_frame.py",
    "companion/host/photo_reading.py", "companion/devices/outputs.py",
    "companion/games/contract/rulebook.py", "companion/host/table_setup.py",
    "companion/speech/model/models.py", "companion/speech/voices/profiles.py", "companion/store/journal.py",
    "companion/host/sound_training.py", "companion/table/names.py",
    "companion/table/table.py", "companion/host/voice_training.py",
    "companion/host/device_test.py", "companion/vision/deck/deck.py", "companion/vision/deck/header.py",
    "companion/vision/lattice/read.py",
    "companion/vision/camera/lens.py", "companion/vision/deck/edit.py", "companion/vision/image/picture.py",
    "companion/host/zones.py", "hardware/camera.py", "hardware/camera_faults.py", "hardware/gpio.py",
    "hardware/microphone.py", "hardware/speaker.py", "web/host.py",
)  # fmt: skip
"""Modules whose errors reach a phone: what they raise, return and put together for it."""
TELLING = (
    "companion/host/doctor.py",
    "companion/vision/cards/columns.py",
    "companion/vision/dice/read.py",
    "companion/vision/tiles/read.py",
    "hardware/detect.py",
)
"""Modules that make sentences of what they find: all of their strings of several words."""
_BLANK = re.compile(r"\{\w+(?:!r)?\}")
_NO_SENTENCE = re.compile(
    r"[A-Z]{3,} |%Y|probe |.*`companion export`|another kind of course|id, |companion deck$"
    r"|sudo apt install [\w-]+$"
)
FIXED = 4
"""So many letters of a sentence are fixed, or it would fit everything; places in a picture are numbers."""


def sentences() -> set[str]:
    """Every sentence, with blanks."""
    found: set[str] = set()
    for name in REFUSING:
        for node in ast.walk(_parsed(name)):
            if isinstance(node, ast.Raise | ast.Return | ast.Assign):
                found |= set(_strings(node))
    for name in TELLING:
        found |= set(_strings(_parsed(name)))
    return {text for text in found | set(templates().values()) if _is_sentence(text)}


def _parsed(name: str) -> ast.AST:
    return ast.parse((ROOT / name).read_text(encoding="utf-8"))


def _is_sentence(text: str) -> bool:
    """Several words of which some are fixed, and no query or format."""
    letters = sum(map(str.isalpha, _BLANK.sub("", text)))
    placed = set(_BLANK.findall(text)) == {"{x}", "{y}"}
    return len(text.split()) > 1 and (letters >= FIXED or placed) and not _NO_SENTENCE.match(text)


def _strings(tree: ast.AST) -> Iterator[str]:
    """The strings below a node, f-strings with their blanks; no docstrings."""
    parts: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
        elif isinstance(node, ast.Expr):
            parts.add(id(node.value))
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            yield _with_blanks(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _with_blanks(joined: ast.JoinedStr) -> str:
    """An f-string as a sentence: "there is no {name}". The same value has the same blank."""
    names: dict[str, str] = {}
    text = ""
    for part in joined.values:
        if isinstance(part, ast.FormattedValue):
            source = ast.unparse(part.value)
            if source not in names:
                names[source] = _name(part.value, set(names.values()))
            text += f"{{{names[source]}}}"
        elif isinstance(part, ast.Constant):
            text += str(part.value)
    return text


def _name(value: ast.expr, taken: set[str]) -> str:
    """A name for a blank that is still free."""
    name = {ast.Name: "id", ast.Attribute: "attr"}.get(type(value), "")
    base = str(getattr(value, name, "value")).strip("_").lower() if name else "value"
    return next(one for one in (base, *(f"{base}{n}" for n in range(2, 100))) if one not in taken)

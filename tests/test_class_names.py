"""A class name has one meaning: no two classes of the product, the models or the bench share a name."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("companion", "hardware", "web", "models", "bench")


CLASS = re.compile(r"^[ \t]*class (\w+)[ \t]*[:(\[]", re.MULTILINE)


def classes(source: str) -> list[str]:
    """The names of all classes in a file, nested and private ones included. The lines are looked for, because
    to parse a thousand files takes sixty times as long."""
    return CLASS.findall(source)


def test_nested_and_private_classes_are_found() -> None:
    source = "class A:\n    class _B(A): pass\n\ndef f():\n    class C[T]: pass\nx = 'no class D'\n"
    assert sorted(classes(source)) == ["A", "C", "_B"]


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for name in classes(path.read_text(encoding="utf-8")):
                places[name.lstrip("_")].append(str(path.relative_to(ROOT)))
    assert len(places) > 500
    assert {name: files for name, files in places.items() if len(files) > 1} == {}

"""docs/architecture.md names files and packages that exist, and every package."""

import re
from pathlib import Path

from test_layers import ALLOWED

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PATHS = re.compile(r"`((?:companion|hardware|web|models|bench|tests)(?:/[\w./]+)?)`")


def test_every_path_exists() -> None:
    named = set(PATHS.findall(TEXT))
    assert len(named) > 40
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_every_package_is_in_the_table() -> None:
    packages = {name.replace(".", "/") for name in ALLOWED} - {"companion"}
    rows = set(re.findall(r"^\| \d \| `([\w/]+)` \|", TEXT, re.MULTILINE))
    assert packages - rows == set()


def test_a_package_imports_lower_floors_only() -> None:
    floors = {
        path.replace("/", "."): int(floor) for floor, path in re.findall(r"\| (\d) \| `([\w/]+)`", TEXT)
    }
    for package, below in ALLOWED.items():
        for target in below - {"companion"} if package != "companion" else ():
            assert floors[target] < floors[package], f"{package} imports {target}"

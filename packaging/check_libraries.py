"""Checks the Python libraries of a package without running them: another processor's can be checked, too.

    check_libraries.py FOLDER ARCHITECTURE      FOLDER: what libraries.sh has made; amd64 or arm64

Every compiled file must be for the processor and the Python version of its part, and must need no newer C
library than Debian 12 has. Every library that another one requires must be there. Prints what is wrong; exit
status 1.
"""

from __future__ import annotations

import email
import re
import sys
from collections.abc import Iterator
from pathlib import Path

MACHINES = {"amd64": (62, "x86_64"), "arm64": (183, "aarch64")}
"""Debian's name of an architecture -> its number in ELF files (e_machine) and its name in wheels."""
VERSIONS = ("3.11", "3.13")
GLIBC = (2, 36)
"""The C library of Debian 12."""
UNUSED = {("colorzero", "setuptools")}
"""Requirements (of, what) that the metadata name and no module imports."""
ONLY_ELSEWHERE = re.compile(r"extra\s*==|platform_system\s*==\s*['\"]Windows|sys_platform\s*==\s*['\"]win32")
"""Markers of requirements that do not hold here."""


def normal(name: str) -> str:
    """The name of a library as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def compiled(part: Path, architecture: str) -> Iterator[str]:
    """What is wrong with the compiled files of a part."""
    machine, _ = MACHINES[architecture]
    for file in sorted(part.rglob("*")):
        if not file.is_file() or file.is_symlink():
            continue
        with file.open("rb") as opened:
            head = opened.read(20)
            if not head.startswith(b"\x7fELF"):
                continue
            content = head + opened.read()
        if int.from_bytes(head[18:20], "little") != machine:
            yield f"{file}: for another processor"
        wanted = part.name.removeprefix("python").replace(".", "")
        found = re.search(r"\.cpython-(\d+)-", file.name)
        if found and found[1] != wanted:
            yield f"{file}: for Python {found[1]}, not {wanted}"
        needed = {(int(a), int(b)) for a, b in re.findall(rb"GLIBC_(\d)\.(\d+)\b", content)}
        if needed and max(needed) > GLIBC:
            yield f"{file}: needs the C library {'.'.join(map(str, max(needed)))}"


def tags(part: Path, architecture: str) -> Iterator[str]:
    """What is wrong with the wheels that a part was made of."""
    _, processor = MACHINES[architecture]
    version = part.name.removeprefix("python").replace(".", "")
    pythons = {"py3", "py2.py3", f"cp{version}"} if version != "common" else {"py3", "py2.py3"}
    for file in sorted(part.glob("*.dist-info/WHEEL")):
        found = email.message_from_string(file.read_text()).get_all("Tag") or []
        good = [
            tag
            for tag in found
            if tag.endswith(("-any", f"_{processor}")) and (tag.split("-")[0] in pythons or "-abi3-" in tag)
        ]
        if not good:
            yield f"{file.parent.name}: {', '.join(found)}"


def missing(folder: Path, version: str) -> Iterator[str]:
    """Libraries that others require and that are neither in the common part nor in that of the version."""
    metadata = [
        *folder.glob("common/*.dist-info/METADATA"),
        *folder.glob(f"python{version}/*.dist-info/METADATA"),
    ]
    heads = [email.message_from_string(file.read_text(encoding="utf-8")) for file in metadata]
    there = {normal(str(head["Name"])) for head in heads}
    for head in heads:
        for required in head.get_all("Requires-Dist") or []:
            requirement, _, marker = str(required).partition(";")
            name = re.match(r"[\w.-]+", requirement)
            if name is None or ONLY_ELSEWHERE.search(marker) or not holds(marker, version):
                continue
            if normal(name[0]) not in there and (head["Name"], name[0]) not in UNUSED:
                yield f"Python {version}: {head['Name']} requires {required}"


def holds(marker: str, version: str) -> bool:
    """Whether a marker's condition on the version of Python holds; any other condition counts as true."""
    now = tuple(map(int, version.split(".")))
    for sign, wanted in re.findall(r"python_version\s*(<=|>=|<|>|==)\s*['\"](\d+\.\d+)", marker):
        than = tuple(map(int, wanted.split(".")))
        signs = {"<": now < than, ">": now > than, "<=": now <= than, ">=": now >= than, "==": now == than}
        if not signs[sign]:
            return False
    return True


def problems(folder: Path, architecture: str) -> list[str]:
    """Everything that is wrong."""
    parts = [folder / "common", *(folder / f"python{version}" for version in VERSIONS)]
    found = [f"{part} is missing" for part in parts if not part.is_dir()]
    for part in parts:
        found += [*compiled(part, architecture), *tags(part, architecture)]
    for version in VERSIONS:
        found += missing(folder, version)
    return found


if __name__ == "__main__":
    lines = problems(Path(sys.argv[1]), sys.argv[2])
    print(*lines, sep="\n", end="\n" if lines else "")
    sys.exit(1 if lines else 0)

"""Mutants that behave as the original does: a list kept by hand, so that they are looked at only once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from bench.mutants.changes import difference
from bench.mutants.runner import Mutant

LIST = Path(__file__).with_name("equivalent.toml")


class EquivalentMutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One equivalent mutant: the file below the repository root, the statement before and after the change as
    `ast.unparse` writes it, and why nothing can tell the two apart."""

    file: str
    before: str
    after: str
    reason: str


class _Entries(msgspec.Struct, forbid_unknown_fields=True):
    mutant: list[EquivalentMutant] = []


def entries(path: Path = LIST) -> list[EquivalentMutant]:
    """All entries of the list.

    Raises:
        msgspec.ValidationError: the list is malformed.
    """
    return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _Entries).mutant


def without(
    known: Iterable[EquivalentMutant],
    drawn: Iterable[Mutant],
    change: Callable[[Mutant], tuple[str, str]] = difference,
) -> Iterator[Mutant]:
    """The mutants that are not in the list. `change` gives the statement of a mutant before and after."""
    listed = {(entry.file, entry.before, entry.after) for entry in known}
    files = {file for file, _, _ in listed}
    for mutant in drawn:
        if str(mutant.path) not in files or (str(mutant.path), *change(mutant)) not in listed:
            yield mutant

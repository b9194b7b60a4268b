"""The catalogue of all measures, bench/measures.toml: what is measured, its unit and its target."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

CATALOGUE = Path(__file__).resolve().parents[1] / "measures.toml"
Better = Literal["higher", "lower"]
Unit = Literal["share", "count", "times", "ms", "s", "MB", "kB", "mm", "px", "per hour", "per second"]


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the report before it is measured."""

    id: str
    """`area/name`, which is also the path of its result."""
    title: str
    unit: Unit
    better: Better
    part: str
    """The part of bench/parts.py that measures it."""
    target: float | None = None
    left_out: bool = True
    """Whether no constant of the product was chosen by looking at this data."""
    joins: bool = False
    """Whether the report shows it in the row of the measure before it."""
    time: bool = False
    """Whether the value depends on the speed and the load of the machine."""

    @property
    def area(self) -> str:
        """The table of the report that it belongs to."""
        return self.id.partition("/")[0]


class ReportArea(msgspec.Struct, frozen=True, kw_only=True):
    """One table of the report."""

    title: str
    note: str = ""


class Catalogue(msgspec.Struct, frozen=True):
    """All areas and measures, in the order of the report."""

    areas: dict[str, ReportArea]
    measures: dict[str, Measure]

    def of_area(self, area: str) -> list[Measure]:
        """The measures of one table, in order."""
        return [measure for measure in self.measures.values() if measure.area == area]

    def of_part(self, part: str) -> list[Measure]:
        """What one part measures."""
        return [measure for measure in self.measures.values() if measure.part == part]


def catalogue(path: Path = CATALOGUE) -> Catalogue:
    """Reads the catalogue.

    Raises:
        msgspec.ValidationError: a field is missing or of the wrong type.
    """
    raw: dict[str, dict[str, Any]] = msgspec.toml.decode(path.read_bytes())
    areas: dict[str, ReportArea] = {}
    measures: dict[str, Measure] = {}
    for area, table in raw.items():
        about = {key: value for key, value in table.items() if not isinstance(value, dict)}
        areas[area] = msgspec.convert(about, ReportArea)
        for name, fields in table.items():
            if isinstance(fields, dict):
                identity = f"{area}/{name}"
                measures[identity] = msgspec.convert({"id": identity, **fields}, Measure)
    return Catalogue(areas, measures)

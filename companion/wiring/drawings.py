"""Both drawings of a configuration."""

from __future__ import annotations

from companion.core.config import Config
from companion.wiring import board, schematic
from companion.wiring.circuit import parts


def drawings(config: Config) -> dict[str, str]:
    """File name -> SVG: the board view and the schematic."""
    found = parts(config)
    return {"wiring.svg": board.draw(found), "schematic.svg": schematic.draw(found)}

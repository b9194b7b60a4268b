"""How the parts of a configuration are wired to the header of a Raspberry Pi: list, board view, schematic."""

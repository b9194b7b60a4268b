"""How well symbols on round tiles are read."""

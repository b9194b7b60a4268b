"""13 Monsters."""

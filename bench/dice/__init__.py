"""How well dice and the field of 13 Monsters are read."""

"""How well tables of Trio Monsters are read."""

"""Pig, a dice game: the sixth game, which only tests know."""

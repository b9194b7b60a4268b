"""The decks that the project draws itself, one module a game."""

"""Counts the tiles of a player by their symbols, and draws what was counted."""

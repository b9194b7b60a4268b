"""Counts the tiles of a player by their symbols."""

"""Reads a field of nine by nine cards: its places, and what is in each."""

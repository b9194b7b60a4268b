"""Whole games, drawn and voiced, played through the real path on a virtual clock."""

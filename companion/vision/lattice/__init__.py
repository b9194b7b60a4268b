"""Reads triangular cards on a triangular lattice: the lattice, the lamp's colour, the card at every place."""

"""Reads dice: pips, the plane of the top faces, faces, and the set of dice that explains the pips."""

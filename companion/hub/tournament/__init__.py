"""Tournaments of the hub: registration, rounds, seating, results, standings."""

"""Comparing a place in a picture with the references of a deck."""

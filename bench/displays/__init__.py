"""Photographed displays of decks that other programs draw: how many scores are right, open or wrong."""

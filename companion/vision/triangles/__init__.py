"""Triangular cards: their outlines, their appearance as points of colour, and enrolling them."""

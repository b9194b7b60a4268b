"""Finds and names the cards in a picture: proposes places, evaluates them, selects the matches that stand."""

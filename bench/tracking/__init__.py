"""Landings of cards on rendered tables, and false ones."""

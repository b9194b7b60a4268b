"""Bugs & Co."""

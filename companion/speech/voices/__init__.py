"""Sounds and voices learned from players."""

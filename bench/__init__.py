"""Accuracy and speed on real and rendered data; each module is a command that prints a table."""

"""Accuracy and speed on real and rendered data; each module is a command that prints a table."""

import companion  # noqa: F401  before numpy: with as many threads as the companion runs with

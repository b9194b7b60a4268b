"""Stored data: the data folder, the journal and what is exported from it."""

"""Trio Monsters."""

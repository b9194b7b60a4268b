"""Counting tiles."""

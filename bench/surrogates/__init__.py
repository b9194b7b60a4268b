"""Drawn pictures that stand for photographs that cannot be shared."""

"""Finds symbols printed on light tiles: ink regions, registration onto the enrolled symbols, outlines of
tiles."""

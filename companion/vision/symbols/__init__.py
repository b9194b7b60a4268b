"""Finding the symbols of tiles."""

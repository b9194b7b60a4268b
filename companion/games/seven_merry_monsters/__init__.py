"""Seven Merry Monsters."""

"""Reading the 9 x 9 grid of 13 Monsters."""

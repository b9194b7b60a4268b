"""One running game: its inbox, its thread, and how observations become events of the game."""

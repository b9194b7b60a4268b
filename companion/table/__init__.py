"""The table: its thread, its inbox, the running game, and how observations become events of the game."""

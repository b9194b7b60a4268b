"""Set-up checks and learning cards, measured."""

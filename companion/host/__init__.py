"""What the pages are handed: decks, set-up, photographs, devices, past games."""

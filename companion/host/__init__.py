"""The service behind the pages: decks, set-up, photographs, devices, past games."""

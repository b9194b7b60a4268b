"""One blueprint a concern."""

"""Speech models: finding and adding them, grammars, the second network."""

"""Events a second of every game and random whole games."""

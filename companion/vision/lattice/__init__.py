"""Reading the triangular cards of Trio Monsters on their lattice."""

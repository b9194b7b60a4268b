"""Networks that propose where a held card is and which card of a deck it may be."""

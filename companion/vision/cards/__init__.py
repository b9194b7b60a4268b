"""Finding and naming the cards in a picture."""

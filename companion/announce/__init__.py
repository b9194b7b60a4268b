"""What the table says back: codes with parameters, and the phrases and rhythms made from them."""

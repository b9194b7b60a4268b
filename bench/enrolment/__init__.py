"""How well a deck can be enrolled: cards that lie apart on a table, found
before anything is known of them."""

"""The card finder (`network`), and what is made of its maps where nothing is known of the deck: the outlines
of cards that lie apart (`outlines`), set on the edges that the finder sees (`edge_fit`)."""

"""Computer vision: pictures in, typed readings out. Knows no table and no device.

    image      pictures, geometry, outlines          symbols, tiles        symbols on light tiles
    camera     lens, mat markers, picture quality    triangles, lattice    triangular cards on their lattice
    deck       enrolled decks                        dice, grid            dice, and the 9 x 9 grid of cards
    match      one place against a deck's looks      tracking              what changed, landed and when
    cards      finding and naming cards             display               columns of cards, found by a network

`models` loads the networks that are shipped, `choice` makes probabilities of what speaks for cards.

Call first: `cards.recognise.recognise`, `display.read.read_display`, `dice.read.read_dice`,
`tiles.read.read_tiles`, `lattice.read.read_lattice`, `grid.read.read_grid`,
`tracking.landing.LandingWatcher`, `camera.quality.examine`, `deck.deck.Deck`.

Terms. Look: one enrolled reference picture of a card, kept as a descriptor. Quad: the four corners of a card
in a picture. Block: one of the 8 x 12 parts of a card that are compared. Mark: what is drawn in a block,
weighted 0 to 1. Cost: how much a block differs from a look, 0 same, 1 nothing in common. Fit: share of the
visible pattern that a look explains, pixel by pixel. Margin and lead: by how much a card fits better than the
next one, over blocks and over pixels. Strip: the end of a covered card that sticks out from under another
one. Contest: every likely card is fitted to a place by itself, and the results are compared over the same
pixels.
"""

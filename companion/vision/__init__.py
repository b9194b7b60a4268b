"""The eyes: pictures in, values out. Knows no game, no table and no device.

`deck` learns what cards look like, `recognise` names the cards in a picture, `columns` reads a display,
`landing` says when a card came down, `annotate` draws what was read onto the picture.
"""

"""Pictures: decoding, geometry of quads, exposure, sharpness, outlines of cards, drawing what was read."""

"""Pictures: decoding, geometry, sharpness, outlines of cards."""

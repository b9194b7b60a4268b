"""Compares one place of a picture with the looks of a deck: descriptors, local features, pose refinement,
scores."""

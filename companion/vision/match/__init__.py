"""Compares one place with the looks of a deck: descriptors, features, pose refinement, scores."""

"""The blueprints, one for each topic."""

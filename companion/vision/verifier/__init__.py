"""A small network that says whether what is seen in a quad is an enrolled card."""

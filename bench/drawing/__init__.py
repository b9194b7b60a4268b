"""How fast cards and camera pictures are drawn."""

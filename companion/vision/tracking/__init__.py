"""Following a camera: what landed, what changed, since when."""

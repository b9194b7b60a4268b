"""Finding and enrolling triangular cards."""

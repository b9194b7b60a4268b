"""How well number words are heard and judged."""

"""Many simulated tables, a real broker and a real hub, with everything that can go wrong."""

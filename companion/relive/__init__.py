"""Plays a recorded evening again through the stepped service and compares what it judged."""

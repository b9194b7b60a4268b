"""Follows the pictures of a camera: what differs from the table at rest, which card landed, and when."""

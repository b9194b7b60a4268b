"""The Nasty 7."""

"""The simulated game night of `companion demo`: its moves, and the pictures and sound made from them.

Drawn pictures and recorded voices go through the real eyes, ears, table and pages; only players and devices
are simulated.
"""

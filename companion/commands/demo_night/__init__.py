"""The simulated game night of `companion demo`: what is played, what the camera and the microphone get of it.

Pictures of our own deck and recorded voices go through the real eyes, the real ears, the real table and the
real pages; only the players are missing.
"""

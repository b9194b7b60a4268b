"""Everything with a plug: camera, microphone, buttons, buzzer and lamps, on the Pi, on a laptop, simulated.

The only package that imports device libraries. It knows no game: it hands over pictures, sound and presses
with the time at which they happened, and plays rhythms that it is given.
"""

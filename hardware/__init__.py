"""The devices: camera, microphone, loudspeaker, buttons, buzzer and lamps, on the Pi, on a laptop, simulated.

The only package that imports device libraries. It depends on no game: it delivers pictures, sound and presses
with the time at which they happened, and plays rhythms.
"""

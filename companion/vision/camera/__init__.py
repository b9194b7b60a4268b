"""The camera: lens distortion, markers of the game mat, and what keeps the picture from being readable."""

"""Where a sound came from: the direction of arrival at an array of microphones, and the players' seats."""

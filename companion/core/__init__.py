"""What every package may use: clock, errors, configuration, observations, the layout of the mat."""

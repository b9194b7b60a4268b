"""What every game's rules share: the rulebook, the fields of events, offers, choices."""

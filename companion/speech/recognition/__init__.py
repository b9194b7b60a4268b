"""From sound to calls: the recogniser and what decides which words were said."""

"""Speech recognition: from recordings or live sound to words, calls and onsets."""

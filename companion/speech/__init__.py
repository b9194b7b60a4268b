"""The ears: recordings and live sound through Vosk to words, calls and onsets."""

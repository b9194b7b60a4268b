"""Makes the deck files of the drawn decks: `python models/decks/make.py [GAME ...]`.

Draws every card, enrols the pictures as an owner's would be, and writes `models/decks/<game>/deck.npz`. The
drawing is deterministic, so the file changes only with the drawings or with what the eyes keep of a card.
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion import art
from companion.vision.deck.enrol import enrol_pictures

HEIGHT = 440
"""Pixels of a picture's height: 5 to the millimetre of a card."""


def make(game: str, folder: Path) -> str:
    """Writes the deck of a game below `folder`; says what was written."""
    labels = art.card_labels(game)
    enrolment = enrol_pictures(game, labels, [art.draw_card(game, label, HEIGHT) for label in labels])
    file = enrolment.deck.save(folder / game)
    notes = "".join(f"\n  {note}" for note in enrolment.notes)
    return f"{file}: {len(labels)} cards, {file.stat().st_size / 1e6:.2f} MB{notes}"


if __name__ == "__main__":
    for wanted in sys.argv[1:] or art.drawn_games():
        print(make(wanted, Path(__file__).parent))

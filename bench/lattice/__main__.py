"""How well the tables of Trio Monsters are read: rendered boards of two decks.

    python -m bench.lattice [--count N] [--seed S] [--place 4] [--turn 6] [--hand 0.3] [--shine 0.3]
                            [--ours] [--keep DIR]
    [-v]

Every second board is of the companion's own deck, the others of invented ones (`--ours`: all of our own).
Each deck is enrolled from pictures taken by a telephone in changing light; the boards are of 5 to 25 cards,
tilted by 0 to 45 degrees, under coloured lamps, shadows and mirrored lamps, on wood, cloth, white, checks
and printed mats (models.vision.triangles.tables). A board is right if every card is named at its place, up to
moving and turning the whole table, and nothing else is named. `--keep` writes what went wrong as pictures.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from bench.report import options as results_option
from bench.report.estimates import median, share
from bench.report.results import record
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.lattice.fit import rotated
from companion.vision.lattice.read import LatticeReading, read_lattice
from models.vision.triangles.tables import (
    At,
    Board,
    Faces,
    Hard,
    invented_faces,
    own_faces,
    photograph,
    pictures_of,
    random_table,
)

GROUNDS = (255.0, 0.0, 120.0)
"""Grey levels of the grounds from which cards are enrolled."""


def faces_of(seed: int, rng: np.random.Generator, *, ours: bool = False) -> Faces:
    """The cards of a board: the companion's own deck for even seeds (or for all, with `ours`), otherwise
    invented ones."""
    return _own_faces() if ours or seed % 2 == 0 else invented_faces(rng)


@lru_cache(maxsize=1)
def _own_faces() -> Faces:
    """Our own cards, drawn once in a process."""
    return own_faces()


def enrolled_deck(faces: Faces, seed: int) -> Deck:
    """The deck of a board as an owner enrols it."""
    return enrolled(faces, np.random.default_rng(seed + 100_000), GROUNDS[seed % 3])


def enrolled(faces: Faces, rng: np.random.Generator, outside: float) -> Deck:
    """A deck enrolled from pictures on a ground of `outside` grey levels."""
    pictures = pictures_of(faces, rng, outside)
    return enrol_pictures("trio_monsters", list(pictures), list(pictures.values())).deck


def aligned(reading: LatticeReading, truth: dict[At, str]) -> dict[At, str]:
    """The reading moved and turned so that most of it agrees with the truth."""
    best = dict(reading.table)
    most = -1
    for sixths in range(6):
        moved = {rotated(at, sixths): card for at, card in reading.table.items()}
        shifts = Counter(
            (to[0] - at[0], to[1] - at[1])
            for at, card in moved.items()
            for to, other in truth.items()
            if card == other and (sum(at) - sum(to)) % 2 == 0
        )
        for (rows, columns), same in shifts.most_common(1):
            if same > most:
                most = same
                best = {(r + rows, c + columns): card for (r, c), card in moved.items()}
    return best


def drawn(board: Board, reading: LatticeReading) -> np.ndarray:
    """The picture with what was read."""
    picture = board.picture.copy()
    for cards, colour in ((reading.cards, (0, 255, 0)), (reading.unsure, (0, 200, 255))):
        for card in cards:
            corners = np.round(card.corners).astype(np.int32)
            cv2.polylines(picture, [corners], True, colour, 2, cv2.LINE_AA)
            x, y = (round(v) for v in card.centre)
            for text, down in (
                (f"{card.at[0]},{card.at[1]}", -4),
                (f"{card.card} {card.confidence:.2f}", 10),
            ):
                cv2.putText(picture, text, (x - 28, y + down), 0, 0.38, (0, 0, 0), 3, cv2.LINE_AA)
                cv2.putText(picture, text, (x - 28, y + down), 0, 0.38, (255, 255, 255), 1, cv2.LINE_AA)
    return picture


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--place", type=float, default=4.0)
    parser.add_argument("--turn", type=float, default=6.0)
    parser.add_argument("--tilt", type=float, default=45.0)
    parser.add_argument("--hand", type=float, default=0.0)
    parser.add_argument("--shine", type=float, default=0.3)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("-v", "--verbose", action="store_true")
    results_option.add(parser)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    hard = Hard(
        place=options.place, turn=options.turn, tilt=options.tilt, hand=options.hand, shine=options.shine
    )
    sums: Counter[str] = Counter()
    spent = []
    for seed in range(options.seed, options.seed + options.count):
        rng = np.random.default_rng(seed)
        faces = faces_of(seed, rng, ours=options.ours)
        board = photograph(random_table(list(faces), int(rng.integers(5, 26)), rng), faces, hard, rng)
        deck = enrolled_deck(faces, seed)
        begun = time.process_time()
        reading = read_lattice(board.picture, deck)
        spent.append(1000 * (time.process_time() - begun))
        read = aligned(reading, board.cards)
        right = sum(board.cards.get(at) == card for at, card in read.items())
        # what a hand mostly hides need not be read, but if it is, it must be right
        more = sum(at in board.hidden for at in read)
        wrong = len(read) - right - more
        sums.update(boards=1, cards=len(board.cards), right=right, wrong=wrong, unsure=len(reading.unsure))
        whole = right == len(board.cards) and not wrong
        sums.update(whole=whole, honest=not wrong)
        if not whole and (options.verbose or options.keep):
            missed = {at: card for at, card in board.cards.items() if read.get(at) != card}
            extra = {at: card for at, card in read.items() if board.cards.get(at) != card}
            unsure = [(one.card, round(one.confidence, 2)) for one in reading.unsure]
            print(f"board {seed}: missed {missed} false {extra} unsure {unsure}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(options.keep / f"{seed}.png"), drawn(board, reading))
    print("| careless by | boards | whole right | none wrong | cards | right | wrong | unsure | CPU ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    boards = sums["boards"]
    print(
        f"| {options.place:g} px, {options.turn:g} degrees | {boards} | {sums['whole'] / boards:.3f} "
        f"| {sums['honest'] / boards:.3f} | {sums['cards']} | {sums['right'] / sums['cards']:.4f} "
        f"| {sums['wrong']} | {sums['unsure']} | {np.median(spent):.0f} |"
    )
    found = {"lattice/whole": share(sums["whole"], boards), "lattice/honest": share(sums["honest"], boards)}
    found |= {"lattice/cards": share(sums["right"], sums["cards"]), "lattice/ms": median(spent)}
    record(options.results, found)


if __name__ == "__main__":
    main()

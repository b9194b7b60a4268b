"""Fits the limits of the search for cards on development decks and writes models/vision/search.json.

    python -m bench --fit search [--only NAME ...] [--count N] [--passes N] [--to FILE]

The pictures are composites of development decks (bench.vision.half_decks): on a table, held before a webcam,
overlapping under glare in sleeves, one card sticking out from under another. Each is read with the whole
deck, and with the half that lacks its cards; those on a table also only where one of their cards has come. A
reading costs

- FALSE for each name of a card that is not there,
- 1 for each card that is missed.

Each limit is tried a fifth smaller and a quarter larger (bench.coordinate_search); a step is kept if it saves
more than MARGIN. Limits that only bound the time (BOUNDS) are left as they are: `bench.vision --set speed`
measures the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.fitted_limits import LimitsFit, limits_of, limits_parser, names_of
from bench.paths import default_shared
from bench.surrogates.sets import VisibleCard, strip
from bench.vision.fit_matches import is_at
from bench.vision.half_decks import DEVELOPMENT_NAMES, KINDS, PrintedDeck, composites, printed_deck
from bench.vision.real import Instance
from companion.vision.cards.recognise import CardReader, worked_on
from companion.vision.deck.deck import Deck
from companion.vision.image import geometry, masks
from companion.vision.image.picture import Array, Image
from companion.vision.match.limits import FILE, SearchLimits, search_limits
from companion.vision.match.score import CardMatch
from companion.vision.models import FOLDER

FALSE, MARGIN, BEHIND = 10.0, 2.0, 3.0
"""The last: how much more a step may cost so far before it is given up."""
COUNT, SEED = 2, 79
"""Pictures of each kind of each deck, and their seed."""
SAMPLE = 3
"""What the limits beside the fitted ones cost is measured on each third reading."""
BOUNDS = (
    "outlines.most", "features.most_proposed", "features.most_if_changed", "poses.most_looks",
    "ends.tried_by_features", "ends.rivals", "places.", "strips.starts", "strips.judged",
)  # fmt: skip


def _strip(cards: Mapping[str, Image], rng: np.random.Generator) -> tuple[Image, list[VisibleCard]]:
    shot = strip(cards, rng)
    return shot.image, list(shot.cards)


SEARCHED = {kind: KINDS[kind] for kind in ("table", "held", "overlapping")} | {"strip": _strip}
LANDED = 60.0
"""Pixels round the middle of a card that has come that have changed."""


@dataclass(frozen=True, eq=False)
class SearchedPicture:
    """A picture as it is searched, with what deck, where something has changed (None: anywhere), the cards
    that are to be found, and all cards of the deck that lie there and may be named."""

    image: Image
    deck: Deck
    changed: Array | None
    cards: tuple[Instance, ...]
    lying: tuple[Instance, ...]

    def outcome(self, limits: SearchLimits) -> tuple[int, int, int]:
        """How many cards are named rightly, missed and named wrongly."""
        left, false = list(self.lying), 0
        for match in CardReader(self.image, self.deck, None, self.changed, limits).read():
            at = (one for one in left if one.label == match.label and self._is_at(one, match))
            one = next(at, None)
            if one is None:
                false += 1
            else:
                left.remove(one)
        missed = sum(one in left for one in self.cards)
        return len(self.cards) - missed, missed, false

    def _is_at(self, card: Instance, match: CardMatch) -> bool:
        return is_at(card, match.quad, self.image.shape)


def searched_pictures(shared: Path, count: int) -> list[SearchedPicture]:
    """All readings, in an order that mixes decks and kinds."""
    decks = {name: printed_deck(name, SEED, shared) for name in DEVELOPMENT_NAMES}
    found = [one for name, printed in decks.items() for one in pictures_of(name, printed, count)]
    return [found[k] for k in np.random.default_rng(1).permutation(len(found))]


def pictures_of(name: str, printed: PrintedDeck, count: int) -> Iterator[SearchedPicture]:
    """The readings of `count` pictures of each kind of one deck."""
    decks = printed.halves_and_whole(name)
    for half, photo in composites(name, printed, count, SEED, kinds=SEARCHED):
        image, _ = worked_on(photo.load())
        lying = photo.instances
        yield SearchedPicture(image, decks[2], None, lying, lying)
        yield SearchedPicture(image, decks[half], None, (), ())
        if "table" in photo.path.name:
            yield SearchedPicture(image, decks[2], _changed(image, lying[0]), lying[:1], lying)


def _changed(image: Image, card: Instance) -> Array:
    """A mask at half the picture's size of what has changed when a card has come."""
    middle = np.array([card.x * image.shape[1], card.y * image.shape[0]], np.float32)
    place = geometry.rectangle(-1, -1, 1, 1) * LANDED + middle
    return masks.drawn([place / 2], (image.shape[0] // 2, image.shape[1] // 2))


def cost_of(numbers: Mapping[str, float], picture: SearchedPicture) -> float:
    """What a reading costs with some limits (see the module)."""
    _, missed, false = picture.outcome(limits_of(numbers, SearchLimits))
    return FALSE * false + missed


def main(arguments: Sequence[str]) -> int:
    """The command behind `python -m bench --fit search`."""
    parser = limits_parser("search", FOLDER / FILE)
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument(
        "--count", type=int, default=COUNT, metavar="N", help="pictures of each kind and deck"
    )
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    pictures = searched_pictures(options.shared, options.count)
    names = names_of(search_limits(), options.only, BOUNDS)
    found = LimitsFit(cost_of, pictures, MARGIN, BEHIND, SAMPLE).run(search_limits(), names, options.passes)
    right, missed, false = np.sum([one.outcome(found.limits) for one in pictures], axis=0).tolist()
    figures = {"readings": len(pictures), "right": right, "missed": missed, "false": false}
    data = f"bench.vision.fit_search, pictures of each kind of each development deck: {options.count}"
    found.write(options.to, data, figures)
    return 0

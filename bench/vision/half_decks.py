"""Cards that are not enrolled although the other half of their deck is: whatever is named is false.

Four decks that no limit was chosen on (uno, portraits, pips, a trading game of several frames), as
photographs where there are any, on a table, held before two kinds of webcam, and overlapping under glare in
sleeves. For choosing limits there are four others (DEVELOPMENT_NAMES).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.displays.decks import bands, creatures, own, pips, portraits
from bench.refinement import Prepare, as_it_is
from bench.surrogates.rough import GAME, rich_card, rich_mat, rough_held
from bench.surrogates.sets import VisibleCard, hand, pictures_of
from bench.vision import real
from bench.vision.real import Instance, Photo, Score
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.image.picture import Image
from models.drawn.camera import Rng, aged, lay, phone, quad_at, reference, taken
from models.drawn.rooms import ground

FRAMED_CARDS = 24
OTHER_GAME = 23
"""Seed of the trading game that is reported; that of bench.surrogates.rough is for choosing limits."""
NAMES = ("uno", "portraits", "pips", "framed")
DEVELOPMENT_NAMES = ("bands", "creatures", "own", "framed development")


@dataclass(frozen=True)
class PrintedDeck:
    """The cards as they are printed, by label, and the pictures of them that are enrolled."""

    cards: Mapping[str, Image]
    references: Mapping[str, Image]

    def halves(self, name: str) -> tuple[Deck, Deck]:
        """The deck without every second card, and without the others."""
        return self.halves_and_whole(name)[:2]

    def halves_and_whole(self, name: str) -> tuple[Deck, Deck, Deck]:
        """The halves, and the whole deck, which is enrolled once."""
        whole = enrol_pictures(name, list(self.references), list(self.references.values())).deck
        labels = sorted(whole.names)
        one, other = (real.without(whole, frozenset(labels[first::2])) for first in (0, 1))
        return one, other, whole

    def half_of_cards(self, first: int) -> dict[str, Image]:
        """The cards that the half of that index lacks."""
        return {label: self.cards[label] for label in sorted(self.references)[first::2]}


def printed_deck(name: str, seed: int, shared: Path) -> PrintedDeck:
    """A deck of NAMES or DEVELOPMENT_NAMES."""
    if name == "uno":
        pictures = pictures_of(shared / "vision" / "uno")
        return PrintedDeck(pictures, pictures)
    if name.startswith("framed"):
        return _framed(GAME if "development" in name else OTHER_GAME, seed)
    drawn = {f.__name__: f for f in (portraits, pips, bands, creatures, own)}[name](seed)
    return PrintedDeck(drawn.cards, drawn.references)


def _framed(game: int, seed: int) -> PrintedDeck:
    rng = np.random.default_rng([seed, game])
    cards = {f"{number:02d}": rich_card(number, game) for number in range(FRAMED_CARDS)}
    return PrintedDeck(cards, {label: reference(card, rng) for label, card in cards.items()})


Drawn = tuple[Image, list[VisibleCard]]
"""A picture and the cards on it."""


def _held(cards: Mapping[str, Image], rng: Rng) -> Drawn:
    shot = hand(cards, rng)
    return shot.image, list(shot.cards)


def _rough(cards: Mapping[str, Image], rng: Rng) -> Drawn:
    image, seen = rough_held(cards, rng)
    return image, [VisibleCard(*one) for one in seen]


def _overlapping(cards: Mapping[str, Image], rng: Rng) -> Drawn:
    image, seen = rich_mat(cards, rng)
    return image, [VisibleCard(*one) for one in seen]


def _on_table(cards: Mapping[str, Image], rng: Rng) -> Drawn:
    """One to four cards apart from each other on a table, by a phone."""
    width, height = 1280, 960
    canvas = ground(width, height, rng, ("wood", "cloth", "white", "checked", "mat"))
    labels, seen = list(cards), []
    count, wide, tilt = int(rng.integers(1, 5)), float(rng.uniform(90, 200)), float(rng.uniform(0, 30))
    for place, index in enumerate(rng.choice(len(labels), count, replace=False)):
        label = labels[int(index)]
        card = cards[label]
        at = (
            width * (place + 0.5) / count + float(rng.normal(0, 12)),
            height * float(rng.uniform(0.35, 0.65)),
        )
        turn = float(rng.normal(0, 25) + rng.choice([0, 0, 180]))
        quad = quad_at(at, wide, card.shape[0] / card.shape[1], turn, tilt)
        lay(canvas, aged(card, rng), quad)
        seen.append(VisibleCard(label, quad, 1.0))
    return taken(canvas, phone(rng), rng), seen


DrawPicture = Callable[[Mapping[str, Image], Rng], Drawn]
KINDS: Mapping[str, DrawPicture] = {
    "table": _on_table,
    "held": _held,
    "rough webcam": _rough,
    "overlapping": _overlapping,
}


def composites(
    name: str,
    printed: PrintedDeck,
    count: int,
    seed: int,
    first: int = 0,
    kinds: Mapping[str, DrawPicture] = KINDS,
) -> Iterator[tuple[int, Photo]]:
    """`count` pictures of each of the kinds, each with the half (0 or 1) that lacks its cards. `first`: the
    number of the first picture."""
    for kind, draw in kinds.items():
        for number in range(first, first + count):
            rng = np.random.default_rng([seed, number, sum(kind.encode())])
            half = number % 2
            image, seen = draw(printed.half_of_cards(half), rng)
            middles = [card.corners.mean(axis=0) / image.shape[1::-1] for card in seen]
            truth = tuple(
                Instance(card.label, float(x), float(y), neutral=False)
                for card, (x, y) in zip(seen, middles, strict=True)
            )
            yield half, Photo(Path(f"{name}, {kind} {number}"), truth, image=image)


def half_deck_scores(
    names: tuple[str, ...],
    count: int,
    seed: int,
    shared: Path,
    every: int = 1,
    prepare: Prepare = as_it_is,
) -> Iterator[tuple[str, Score]]:
    """A score for each deck: `count` composites of each kind, and for uno each `every`-th photograph too.
    Without the shared photographs uno is left out."""
    for name in names:
        if name == "uno" and not (shared / "vision" / "uno").is_dir():
            continue
        printed, score = printed_deck(name, seed, shared), Score()
        halves = [prepare(half) for half in printed.halves(name)]
        for half, photo in composites(name, printed, count, seed):
            score.add(real.score(halves[half], [replace(photo, instances=())])["all"])
        if name == "uno":
            for deck, photo in real.likes(shared / "vision" / "uno", every, prepare):
                score.add(real.score(deck, [photo])["all"])
        yield name, score

"""Compares a photographed table of triangles with the one that the rules know: what is new or differs.

Everything in it is a proposal: the phone's user checks it, corrects it and enters it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from companion.api.photos import LatticePhoto, MissingTriangle, TrianglePhoto
from companion.core.observations import LatticeCard
from companion.evidence.jpeg import small_jpeg
from companion.evidence.photos import Photos
from companion.games.trio_monsters.lattice import Place
from companion.games.trio_monsters.lattice_match import Matched, matched
from companion.games.trio_monsters.spotter import MOST_AT_ONCE, layings, leaving_of, place_of, table_of

if TYPE_CHECKING:
    from companion.games.spotter import GameView
    from companion.vision.deck.deck import Deck

Kind = Literal["known", "new", "unsure", "differs", "lost"]
MARGIN = 0.3
"""Margin round the cards that is shown, as a share of the larger extent of the cards."""


def read_table(jpeg: bytes, deck: Deck, game: GameView, photos: Photos) -> LatticePhoto:
    """Reads the photograph (see `web.host.Host.read_lattice`).

    Raises:
        CompanionError: picture or deck cannot be read; the message says what to do about it.
    """
    import numpy as np

    from companion.vision.image.picture import decode, shrunk
    from companion.vision.lattice.draw import LONGEST
    from companion.vision.lattice.read import read_lattice

    image = decode(jpeg)
    reading = read_lattice(image, deck)
    left, top, right, bottom = _round_the_cards([*reading.cards, *reading.unsure], image.shape)
    small, scale = shrunk(np.ascontiguousarray(image[top:bottom, left:right]), LONGEST)
    name = photos.keep(small_jpeg(small))
    known, leaving = table_of(game.view), leaving_of(game)
    found = matched(reading.cards, reading.unsure, {**leaving, **known})
    if found is None:
        kinds = _lost([*reading.cards, *reading.unsure])
    else:
        kinds = _kinds(found, leaving)
        if game.view["phase"] == "setup":
            kinds = _start(kinds)
    order, ordered = _order({at: card.card for at, card in kinds["new"].items()}, game)
    kinds["new"] = {at: kinds["new"][at] for at in order}
    cards = [
        _card(f"{name}-{kind}-{i}", at, kind, card, (left, top), scale)
        for kind, of_kind in kinds.items()
        for i, (at, card) in enumerate(of_kind.items())
    ]
    missing = [at for at in (found.missing if found else ()) if at in known]
    return LatticePhoto(
        name,
        f"/photo/{name}.jpg",
        (small.shape[1], small.shape[0]),
        found is not None,
        ordered,
        tuple(cards),
        tuple(MissingTriangle(at, known[at]) for at in missing),
        tuple(deck.names),
    )


Kinds = dict[Kind, Mapping[Place, LatticeCard]]


def _kinds(found: Matched, leaving: Mapping[Place, str]) -> Kinds:
    """The cards by kind. At the place of a caught card another one may be new."""
    relaid = {at: card for at, card in found.differs.items() if at in leaving}
    return {
        "known": found.agree,
        "differs": {at: card for at, card in found.differs.items() if at not in leaving},
        "unsure": found.unsure,
        "new": {**found.new, **relaid},
    }


def _lost(cards: Iterable[LatticeCard]) -> Kinds:
    """The known cards were not found, so no place is valid: all cards are shown, none can be entered."""
    return {"new": {}, "lost": {card.at: card for card in cards}}


def _order(new: Mapping[Place, str], game: GameView) -> tuple[list[Place], bool]:
    """An order in which the new cards can have been laid, and whether the rules allow only that one."""
    if len(new) < 2 or len(new) > MOST_AT_ONCE or game.view["phase"] != "play":
        return list(new), len(new) < 2
    ways = layings(new, game)
    return [place_of(event) for event in ways[0] if event["event"] == "card_played"], len(ways) == 1


def _start(kinds: Kinds) -> Kinds:
    """The start card: the only card in the picture is at [0, 0]; of several none can be chosen."""
    several = {**kinds["new"], **kinds["unsure"]}
    if len(several) == 1:
        ((_, only),) = several.items()
        return {kind: {(0, 0): only} if kinds[kind] else {} for kind in ("unsure", "new")}
    return {"new": {}, "lost": several}


def _round_the_cards(cards: list[LatticeCard], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """The part of the picture with the cards and a margin, in pixels: left, top, right, bottom."""
    height, width = shape[:2]
    if not cards:
        return 0, 0, width, height
    xs, ys = zip(*(corner for card in cards for corner in card.corners), strict=True)
    margin = MARGIN * max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = max(0, int(min(xs) - margin)), max(0, int(min(ys) - margin))
    return left, top, min(width, int(max(xs) + margin) + 1), min(height, int(max(ys) + margin) + 1)


def _card(
    name: str, at: Place, kind: Kind, card: LatticeCard, low: tuple[int, int], scale: float
) -> TrianglePhoto:
    corners = [
        tuple(round((v - first + 0.5) * scale - 0.5, 1) for v, first in zip(corner, low, strict=True))
        for corner in card.corners
    ]
    return TrianglePhoto(
        name, at, card.card, round(card.confidence, 3), tuple((x, y) for x, y in corners), kind
    )

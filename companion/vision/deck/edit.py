"""Putting a deck right: looks taken out or added, cards renamed. Each step makes a new deck."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from companion.core.errors import UsageError
from companion.vision.deck.deck import OPTIONAL_ARRAYS, Deck
from companion.vision.deck.enrol import LONGEST_LABEL, build_deck, build_triangle_deck, card_picture
from companion.vision.image import geometry
from companion.vision.image.picture import Bytes, Floats, Image
from companion.vision.match import descriptor
from companion.vision.match.features import Features, concatenate
from companion.vision.symbols import learn
from companion.vision.verifier.network import FEATURES_SHAPE


def remove(deck: Deck, label: str, look: int | None = None) -> Deck:
    """The deck without a card, or without one of its looks (numbered from 1).

    Raises:
        UsageError: there is no such card or look, or nothing would be left.
    """
    own = _look_indices(deck, label)
    if look is not None and not 1 <= look <= len(own):
        raise UsageError("deck.no_look", label=label, count=len(own), look=look)
    gone = own if look is None else [own[look - 1]]
    keep = [i for i in range(len(deck.labels)) if i not in gone]
    if not keep:
        raise UsageError("deck.only_card", label=label)
    return select_looks(deck, keep)


def rename(deck: Deck, old: str, new: str) -> Deck:
    """The deck with a card called otherwise.

    Raises:
        UsageError: there is no such card, the new name is none, or another card has it.
    """
    _look_indices(deck, old)
    new = valid_label(new)
    if new != old and new in deck.names:
        raise UsageError("deck.card_exists", label=new)
    return dataclasses.replace(deck, labels=tuple(new if one == old else one for one in deck.labels))


def valid_label(text: str) -> str:
    """A label as it is kept: one line without `~`, which numbers looks.

    Raises:
        UsageError: it is none.
    """
    label = " ".join(text.split())
    if not label or len(label) > LONGEST_LABEL or "~" in label or not label.isprintable():
        raise UsageError("deck.bad_label", name=text, longest=LONGEST_LABEL)
    return label


def select_looks(deck: Deck, looks: Sequence[int]) -> Deck:
    """The deck of these looks only, in this order. What was refined on it stays."""
    place = np.full(len(deck.labels), -1, np.int32)
    place[list(looks)] = np.arange(len(looks))
    kept = place[deck.owners] >= 0
    features = Features(*(getattr(deck.features, f.name)[kept] for f in dataclasses.fields(Features)))
    return dataclasses.replace(
        deck,
        labels=tuple(deck.labels[i] for i in looks),
        looks=deck.looks[list(looks)],
        features=features,
        owners=place[deck.owners[kept]],
        **{name: own[list(looks)] for name in OPTIONAL_ARRAYS if (own := getattr(deck, name)) is not None},
    )


def merge(deck: Deck, more: Deck) -> Deck:
    """The looks of both decks; name and shape are those of the first. What was refined on the first does not
    know the others and is left out."""
    return dataclasses.replace(
        deck,
        labels=(*deck.labels, *more.labels),
        looks=np.concatenate([deck.looks, more.looks]),
        features=concatenate([deck.features, more.features]),
        owners=np.concatenate([deck.owners, more.owners + len(deck.labels)]).astype(np.int32),
        triangles=_joined(deck.triangles, more.triangles),
        symbols=_joined(deck.symbols, more.symbols),
        verifier_features=_merged_features(deck, more),
        judge=None,
    )


def _joined(first: Bytes | None, second: Bytes | None) -> Bytes | None:
    """The rows of both decks; None unless both have them, for there is a row for each look or none."""
    return None if first is None or second is None else np.concatenate([first, second])


def _merged_features(deck: Deck, more: Deck) -> Bytes | None:
    """The verifier's features of both decks, zeros for the looks of one that lacks them."""
    known = [one.verifier_features for one in (deck, more)]
    if all(features is None for features in known):
        return None
    unknown = [np.zeros((len(one.labels), *FEATURES_SHAPE), np.uint8) for one in (deck, more)]
    return np.concatenate([a if a is not None else b for a, b in zip(known, unknown, strict=True)])


def add_looks(
    deck: Deck,
    labels: Sequence[str],
    images: Sequence[Image],
    quads: Sequence[Floats],
    reference: tuple[Image, Floats] | None = None,
) -> Deck:
    """The deck with one more look of each label: the card within the quad of its picture, turned to the
    orientation in which the deck knows it. `reference`: picture and quad of a triangular card learned before,
    in whose light looks are kept."""
    if deck.triangles is not None:
        return merge(deck, build_triangle_deck(deck.name, labels, images, quads, reference))
    upright = [_upright_as_enrolled(deck, *one) for one in zip(labels, images, quads, strict=True)]
    more = build_deck(deck.name, labels, images, upright, deck.aspect)
    if deck.symbols is not None:
        seen = [card_picture(image, quad, deck.aspect) for image, quad in zip(images, upright, strict=True)]
        more = dataclasses.replace(more, symbols=learn.learn_symbols(seen))
    return merge(deck, more)


def _upright_as_enrolled(deck: Deck, label: str, image: Image, quad: Floats) -> Floats:
    """The quad from the end that is the top of the card as it was enrolled; as it is for a new card."""
    own = [i for i, one in enumerate(deck.labels) if one == label]
    if not own:
        return quad
    look = descriptor.describe(descriptor.PicturePyramid(image).rectified(quad))
    upright, turned = deck.gallery.mean_costs(look)[:, own].min(axis=1)
    return geometry.rotated_half_turn(quad) if turned < upright else quad


def _look_indices(deck: Deck, label: str) -> list[int]:
    own = [i for i, one in enumerate(deck.labels) if one == label]
    if not own:
        known = ", ".join(deck.names[:8]) + (" ..." if len(deck.names) > 8 else "")
        raise UsageError("deck.no_card", label=label, known=known)
    return own

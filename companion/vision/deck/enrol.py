"""Learning a deck from pictures: a folder of `<label>.png` or `.jpg`, further looks `<label>~2.png`.

A picture is a crop of the card, the card on a table, or a symbol on white (`outline`).
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.core.errors import Unreadable
from companion.core.message import Message, message
from companion.vision.deck import check as checking
from companion.vision.deck.check import DeckReport
from companion.vision.deck.deck import NARROWEST_ASPECT, Deck
from companion.vision.deck.labels import Template
from companion.vision.deck.outline import card_outlines, whole_quad
from companion.vision.finder.limits import enrolment_limits
from companion.vision.image import geometry
from companion.vision.image.picture import SUFFIXES, Floats, Image, load_picture
from companion.vision.image.sharpness import softness
from companion.vision.match import descriptor
from companion.vision.match.features import concatenate, look_features
from companion.vision.symbols import learn
from companion.vision.triangles import collect as triangles_collect
from companion.vision.triangles import enrol as triangles_enrol
from companion.vision.verifier.enrolled import enrolled_features

CARD_WIDTH = 300
"""Width in pixels to which a look is brought before its features are taken."""
LONGEST_LABEL = 64
_LOOK = re.compile(r"^(?P<label>.*?)(~(?P<look>\d+))?$")


@dataclass(frozen=True)
class EnrolledDeck:
    """A deck and what its owner should know about it.

    `blurred`: names of pictures that should be taken again. `check`: see DeckReport. `twice`: names of
    pictures that are the same file as another one under a different label.
    """

    deck: Deck
    check: DeckReport
    blurred: tuple[str, ...] = ()
    twice: tuple[tuple[str, str], ...] = ()

    @property
    def notes(self) -> tuple[Message, ...]:
        """The findings as messages."""
        found = list(self.check.notes())
        if self.blurred:
            found.insert(0, checking.listing("deck_check.blurred", "deck_check.blurred_many", self.blurred))
        found += [message("deck_check.same_picture", one=one, other=other) for one, other in self.twice]
        return tuple(found)


def list_pictures(folder: Path) -> list[tuple[str, Path]]:
    """Label and file of every picture in the folder, in order.

    Raises:
        Unreadable: there are too few, or the names are no labels; every such file is named.
    """
    if not folder.is_dir():
        raise Unreadable("deck.is_file" if folder.exists() else "deck.no_folder", path=folder)
    files = sorted(f for f in folder.iterdir() if f.suffix.lower() in SUFFIXES and not f.name.startswith("."))
    found = [(label_from_file(file), file) for file in files]
    if not found:
        raise Unreadable("deck.no_pictures", folder=folder)
    nameless = [file.name for label, file in found if not label or len(label) > LONGEST_LABEL]
    if nameless:
        raise Unreadable(
            "deck.bad_file_names",
            folder=folder,
            longest=LONGEST_LABEL,
            files=checking.shortened_list(nameless),
        )
    _refuse_duplicates(folder, found)
    if len({label for label, _ in found}) < 2:
        raise Unreadable("deck.one_card", folder=folder)
    return found


def label_from_file(file: Path) -> str:
    """The label in a picture's name: what stands before the dot, without the look's number."""
    match = _LOOK.match(file.stem)
    return match.group("label").strip() if match else ""


def _refuse_duplicates(folder: Path, found: Sequence[tuple[str, Path]]) -> None:
    """Two files for one look, or one label in two spellings: which of them is meant cannot be known."""
    same: dict[str, list[str]] = defaultdict(list)
    spellings: dict[str, set[str]] = defaultdict(set)
    for label, file in found:
        same[file.stem].append(file.name)
        spellings[label.lower().replace("_", " ")].add(label)
    clashes = [" and ".join(names) for names in same.values() if len(names) > 1]
    clashes += [" and ".join(sorted(labels)) for labels in spellings.values() if len(labels) > 1]
    if clashes:
        raise Unreadable("deck.card_twice", folder=folder, cards=checking.shortened_list(clashes))


def enrol(folder: Path, name: str | None = None, template: Template | None = None) -> EnrolledDeck:
    """Learn the deck whose pictures lie in `folder`; nothing is written.

    Raises:
        Unreadable: pictures that cannot be read; every one of them is named.
    """
    pictures = list_pictures(folder)
    images = _load_all(folder, [file for _, file in pictures])
    labels = [label for label, _ in pictures]
    names = [file.name for _, file in pictures]
    return enrol_pictures(name or folder.resolve().name, labels, images, names, template)


def _load_all(folder: Path, files: Sequence[Path]) -> list[Image]:
    images: list[Image] = []
    broken: list[Message] = []
    for file in files:
        try:
            images.append(load_picture(file))
        except Unreadable as error:
            broken.append(error.message.replacing(f"{folder}/", ""))
    if broken:
        raise Unreadable(
            "deck.unusable_pictures", folder=folder, broken=len(broken), count=len(files), why=tuple(broken)
        )
    return images


def enrol_pictures(
    name: str,
    labels: Sequence[str],
    images: Sequence[Image],
    names: Sequence[str] = (),
    template: Template | None = None,
) -> EnrolledDeck:
    """Learn a deck from pictures in memory, one label each; `names` are what the pictures are called."""
    names = names or labels
    triangles = triangles_enrol.learn_triangles(images)
    has_symbols = triangles is None and learn.are_symbols(images)
    is_of_cards = triangles is None and not has_symbols
    quads = card_outlines(images, names) if is_of_cards else [whole_quad(image) for image in images]
    aspect = float(np.median([geometry.aspect_of(quad) for quad in quads]))
    cards = [card_picture(image, quad, aspect) for image, quad in zip(images, quads, strict=True)]
    deck = build_deck(name, labels, images, quads, aspect)
    symbols = learn.learn_symbols(images) if has_symbols else None
    deck = replace(deck, triangles=triangles, symbols=symbols)
    return EnrolledDeck(
        deck,
        checking.check_deck(deck, template),
        tuple(blurred_names(names, cards)),
        _duplicates(names, labels, images),
    )


def build_deck(
    name: str, labels: Sequence[str], images: Sequence[Image], quads: Sequence[Floats], aspect: float
) -> Deck:
    """The deck of cards seen within `quads`, one label each; `aspect` is their height / width."""
    looks, features, owners, seen = [], [], [], []
    for index, (image, quad) in enumerate(zip(images, quads, strict=True)):
        scene = descriptor.PicturePyramid(image)
        looks.append(descriptor.describe(scene.rectified(quad)))
        if aspect >= NARROWEST_ASPECT:
            seen.append(enrolled_features(scene, quad))
        own = look_features(card_picture(image, quad, aspect))
        features.append(own)
        owners.append(np.full(len(own), index, np.int32))
    return Deck(
        name,
        tuple(labels),
        aspect,
        np.stack(looks),
        concatenate(features),
        np.concatenate(owners),
        verifier_features=np.stack(seen) if seen else None,
    )


def build_triangle_deck(
    name: str,
    labels: Sequence[str],
    images: Sequence[Image],
    quads: Sequence[Floats],
    reference: tuple[Image, Floats] | None = None,
) -> Deck:
    """The deck of triangular cards seen within quads (see triangles.collect), one label each. `reference`:
    picture and quad of a card learned before, in whose light the looks are kept."""
    deck = build_deck(name, labels, images, quads, triangles_collect.ASPECT)
    triangles = [triangles_collect.triangle_of(quad) for quad in quads]
    before = None if reference is None else (reference[0], triangles_collect.triangle_of(reference[1]))
    return replace(deck, triangles=triangles_enrol.learn_looks(images, triangles, before))


def card_picture(image: Image, quad: Floats, aspect: float) -> Image:
    """The card within `quad`, at the size at which its features are taken."""
    return descriptor.picture_of(image, quad, CARD_WIDTH, round(CARD_WIDTH * aspect))


def blurred_names(names: Sequence[str], cards: Sequence[Image]) -> list[str]:
    """Names of those pictures of cards (CARD_WIDTH wide) that are too soft to learn from."""
    soft = [softness(card) for card in cards]
    typical = float(np.median([one for one in soft if one is not None] or [0.0]))
    limits = enrolment_limits().learned
    limit = max(limits.softness, limits.softer * typical)
    return [name for name, one in zip(names, soft, strict=True) if one is not None and one > limit]


def _duplicates(
    names: Sequence[str], labels: Sequence[str], images: Sequence[Image]
) -> tuple[tuple[str, str], ...]:
    seen: dict[bytes, int] = {}
    found = []
    for index, image in enumerate(images):
        first = seen.setdefault(hashlib.sha256(np.ascontiguousarray(image).data).digest(), index)
        if labels[first] != labels[index]:
            found.append((names[first], names[index]))
    return tuple(found)

"""Learning a deck from pictures: a folder of `<label>.png` or `.jpg`, further looks `<label>~2.png`.

A picture is a crop of the card, the card on a plain ground, or a symbol on white. Which of them is decided
for the folder as a whole, because the frame printed on a card looks like a card on a plain ground.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import Unreadable
from companion.core.message import Message, message
from companion.vision.deck import check as checking
from companion.vision.deck.check import DeckReport
from companion.vision.deck.deck import NARROWEST_ASPECT, Deck
from companion.vision.deck.labels import Template
from companion.vision.image import geometry
from companion.vision.image.picture import SUFFIXES, Floats, Image, load_picture
from companion.vision.image.quads import edge_support, find_quads
from companion.vision.image.sharpness import softness
from companion.vision.match import descriptor
from companion.vision.match.features import concatenate, look_features
from companion.vision.symbols import search
from companion.vision.triangles import collect as triangles_collect
from companion.vision.triangles import enrol as triangles_enrol
from companion.vision.verifier.enrolled import enrolled_features

CARD_WIDTH = 300
"""Width in pixels to which a look is brought before its features are taken."""
BLURRED_SOFTNESS = 2.4
"""Softness in pixels of a card so wide, from which a look counts as blurred ..."""
BLURRED_FACTOR = 1.8
"""... if it is also softer than so many times the deck's median."""
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
        """The same as messages."""
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
    quads = card_outlines(images)
    aspect = float(np.median([geometry.aspect_of(quad) for quad in quads]))
    cards = [card_picture(image, quad, aspect) for image, quad in zip(images, quads, strict=True)]
    deck = build_deck(name, labels, images, quads, aspect)
    deck = replace(deck, triangles=triangles_enrol.learn_triangles(images))
    if deck.triangles is None and search.are_symbols(images):
        deck = replace(deck, symbols=search.learn_symbols(images))
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
    """The deck of triangular cards seen within quads (see triangles.collect), one label each.

    Args:
        reference: picture and quad of a card learned before, in whose light the looks are kept.
    """
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
    limit = max(BLURRED_SOFTNESS, BLURRED_FACTOR * typical)
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


def card_outline(image: Image, aspect: float, name: str) -> Floats:
    """Where the one card of a picture lies, if the shape of the deck's cards is known.

    Raises:
        Unreadable: it is neither a crop of a card nor a card on a plain ground.
    """
    on_ground = _on_plain_ground(image)
    if on_ground is not None and abs(geometry.aspect_of(on_ground) / aspect - 1.0) < 0.12:
        return on_ground
    if abs(image.shape[0] / image.shape[1] / aspect - 1.0) < 0.1:
        return whole_quad(image)
    raise Unreadable("deck.no_card_shape", name=name)


def card_outlines(images: Sequence[Image]) -> list[Floats]:
    """Where the card lies in each picture: the whole picture (crops), or the outline on the plain ground."""
    on_ground = [_on_plain_ground(image) for image in images]
    if sum(quad is not None for quad in on_ground) >= 0.7 * len(images):
        return [whole_quad(im) if quad is None else quad for im, quad in zip(images, on_ground, strict=True)]
    return [whole_quad(image) for image in images]


def whole_quad(image: Image) -> Floats:
    """The corners of the whole picture."""
    height, width = image.shape[:2]
    return geometry.whole(width, height)


def _on_plain_ground(image: Image) -> Floats | None:
    """The largest outline wholly inside the picture, if it is a drawn-through edge, everything round it is of
    one colour and it is not merely the frame printed on a card."""
    height, width = image.shape[:2]
    rim = 0.015 * min(height, width)
    inside = [
        quad
        for quad in find_quads(image)
        if quad.min() > rim
        and quad[:, 0].max() < width - 1 - rim
        and quad[:, 1].max() < height - 1 - rim
        and 0.05 <= geometry.area(quad) / (height * width) <= 0.9
    ]
    for quad in sorted(inside, key=geometry.area, reverse=True)[:4]:
        if _is_frame(quad, width, height) or not _plain_outside(image, quad):
            continue
        if edge_support(image, quad) > 0.85:
            return _top_up(quad)
    return None


def _is_frame(quad: Floats, width: int, height: int) -> bool:
    """True for an outline parallel and close to all four borders of a picture shaped like a card."""
    shape = height / width
    if not 1.2 <= shape <= 1.9:
        return False
    low, high = quad.min(axis=0), quad.max(axis=0)
    tilt = np.abs(np.sort(quad[:, 0])[1] - low[0]) + np.abs(np.sort(quad[:, 1])[1] - low[1])
    margins = np.array([low[0], low[1], width - 1 - high[0], height - 1 - high[1]]) / width
    return bool(tilt < 0.03 * width and margins.max() < 0.14)


def _plain_outside(image: Image, quad: Floats) -> bool:
    """True if the ground round the outline, a narrow rim excepted, is of one colour."""
    outside = np.full(image.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(outside, np.round(geometry.grown(quad, 1.06)).astype(np.int32), 0)
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 2.0), cv2.COLOR_BGR2LAB)
    ground = lab[outside > 0].astype(np.float32)
    if len(ground) < 0.03 * outside.size:
        return False
    away = np.abs(ground - np.median(ground, axis=0))
    return bool(np.percentile(away[:, 0], 97) < 40 and np.percentile(away[:, 1:], 97) < 16)


def _top_up(quad: Floats) -> Floats:
    """Of the two orientations the one whose top lies higher in the picture (further left, if it lies
    flat)."""
    top, bottom = quad[:2].mean(axis=0), quad[2:].mean(axis=0)
    wrong = (
        bottom[1] < top[1] - 1e-3
        if abs(bottom[1] - top[1]) > abs(bottom[0] - top[0]) * 0.2
        else bottom[0] < top[0]
    )
    return geometry.rotated_half_turn(quad) if wrong else quad

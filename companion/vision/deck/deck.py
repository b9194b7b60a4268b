"""A deck: the cards that the owner enrolled, as features only.

Of every picture a descriptor and local features are kept, never the artwork, so a deck file may be shared. A
deck is one file, `deck.npz`, in a folder of its own; it is replaced in one step.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from companion.core.errors import Unreadable
from companion.core.replace_file import replace_file
from companion.vision.deck.header import FILE, KIND, VERSION, damaged_error, no_deck_error, parse_meta
from companion.vision.image.picture import Array, Bytes, Floats
from companion.vision.match import descriptor
from companion.vision.match.descriptor import Gallery
from companion.vision.match.features import FeatureMatcher, Features
from companion.vision.match.refine import EndTemplates, LightTemplate, light_template
from companion.vision.match.strip_templates import StripTemplates
from companion.vision.namer.propose import DeckEmbeddings
from companion.vision.symbols.features import SymbolAlbum
from companion.vision.symbols.learn import unpack_looks
from companion.vision.symbols.polar import VALUES as SYMBOL_VALUES
from companion.vision.triangles.appearance import sample_points
from companion.vision.verifier.enrolled import EnrolledCards, known_looks
from companion.vision.verifier.network import (
    FEATURES_SHAPE,
    judge_version,
    network_version,
    number_of_weights,
)

OPTIONAL_ARRAYS = ("triangles", "symbols", "verifier_features")
"""Arrays with a row for each look that only some kinds of decks have."""
NARROWEST_ASPECT = 1.2
"""Height / width of cards from which the networks are asked; square tiles are none of theirs."""
MOST_CACHED = 20_000
"""Pairs of looks whose differences are remembered, 0.4 kB each."""


@dataclass(frozen=True)
class Deck:
    """The enrolled cards: n looks, several of one card possible.

    `labels[i]` is the card that look i shows, `looks` are the descriptors (n, VALUES), `features` the local
    features, and `owners[j]` is the look that feature j belongs to. `aspect` is height / width of the cards.
    `triangles` (n, points, 3) are the colours of triangular cards (see triangles.appearance), None for cards
    with four corners. `symbols` (n, SYMBOL_VALUES) are the symbols on light tiles (see
    symbols.learn.pack_looks), None for cards. `verifier_features` (n, *FEATURES_SHAPE) are what the verifier
    makes of the cards' pictures, zeros for a look of an earlier version, None if all looks are of one.
    `judge` (number_of_weights(),) are the weights of the verifier's judge that were refined on these cards
    (see models/vision/verifier/refine.py), None if it was not refined.

    The tables that matching needs (gallery, matcher, templates) are computed when first used and kept.
    """

    name: str
    labels: tuple[str, ...]
    aspect: float
    looks: Bytes
    features: Features
    owners: Array
    triangles: Bytes | None = None
    symbols: Bytes | None = None
    verifier_features: Bytes | None = None
    judge: Array | None = None
    _differences: dict[tuple[int, int], Floats] = field(default_factory=dict, init=False, repr=False)
    _ends: dict[int, EndTemplates] = field(default_factory=dict, init=False, repr=False)
    _templates: dict[int, LightTemplate] = field(default_factory=dict, init=False, repr=False)

    @property
    def suits_networks(self) -> bool:
        """Whether the networks can name its cards: upright rectangles, no tiles or triangles."""
        return self.aspect >= NARROWEST_ASPECT and self.triangles is None and self.symbols is None

    @property
    def can_be_refined(self) -> bool:
        """Whether the verifier can learn to tell its cards apart."""
        return self.suits_networks and len(self.names) > 1

    @cached_property
    def without_detail(self) -> tuple[str, ...]:
        """The cards that an earlier version enrolled, without the features that the verifier of today looks
        at: they are made again from the descriptors, and these cards are named less often."""
        if not self.suits_networks:
            return ()
        features = self.verifier_features
        known = () if features is None else known_looks(features).tolist()
        detailed = {self.labels[look] for look in known}
        return tuple(name for name in self.names if name not in detailed)

    @cached_property
    def embeddings(self) -> DeckEmbeddings:
        """What the namer makes of the looks."""
        return DeckEmbeddings.of(self.looks)

    @cached_property
    def enrolled(self) -> EnrolledCards:
        """The looks as the verifier knows them."""
        return EnrolledCards(self.looks, self.cards, self.verifier_features)

    @cached_property
    def enrolled_for_soft(self) -> EnrolledCards:
        """The looks as the verifier knows them in soft pictures: by the refined judge if there is one. It has
        learned from pictures that were made again from the descriptors, and a soft picture shows no more than
        those. Of 105 playing cards in sharp ones it named three fewer than the shipped judge."""
        return self.enrolled if self.judge is None else self.enrolled.judged_with(self.judge)

    @cached_property
    def symbol_album(self) -> SymbolAlbum:
        """The symbols, ready to be compared with places. The deck must hold symbols."""
        assert self.symbols is not None
        return SymbolAlbum(self.labels, unpack_looks(self.symbols))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The cards of the deck, each once, in order."""
        return tuple(dict.fromkeys(self.labels))

    @cached_property
    def cards(self) -> Array:
        """For each look the index of its card in `names`."""
        return np.array([self.names.index(label) for label in self.labels], np.int32)

    @cached_property
    def gallery(self) -> Gallery:
        """The looks, ready to be compared with a card."""
        return Gallery(self.looks)

    def block_differences(self, look: int, others: Array) -> Floats:
        """How much other looks differ from this one in each of its blocks: (others, BLOCKS), 0 to 1."""
        known = self._differences
        if len(known) > MOST_CACHED:
            known.clear()
        missing = [int(i) for i in others if (look, int(i)) not in known]
        if missing:
            costs = self.gallery.costs(self.looks[look], np.array(missing))
            known.update(((look, i), row) for i, row in zip(missing, costs, strict=True))
        return np.array([known[look, int(i)] for i in others], np.float32).reshape(-1, descriptor.BLOCKS)

    @cached_property
    def strip_templates(self) -> StripTemplates:
        """The looks, ready to be compared with the visible part of a card."""
        return StripTemplates(self.looks, self.cards)

    def end_templates(self, rows: int) -> EndTemplates:
        """The upper and the lower end of every look, that many of 72 rows, at half the size."""
        if rows not in self._ends:
            self._ends[rows] = EndTemplates.of(self.looks, rows)
        return self._ends[rows]

    def light_template(self, look: int) -> LightTemplate:
        """The light of a look, ready for a quad to be moved onto it."""
        if look not in self._templates:
            self._templates[look] = light_template(self.looks[look])
        return self._templates[look]

    @property
    def _block_contrast(self) -> tuple[Floats, Floats]:
        """How far light and colour are from even grey in each block of each look (n, BLOCKS), on average."""
        blocks = descriptor.blocks_of(self.looks)
        light, colour = (np.abs(part / np.float32(127.5) - 1.0).mean(axis=2) for part in blocks)
        return light, colour

    @cached_property
    def marks(self) -> Floats:
        """How much light and dark there is in each block of each look (n, BLOCKS): 0.02 (plain) to 1."""
        light, _ = self._block_contrast
        return np.asarray(np.clip(light / 0.25, 0.02, 1.0), np.float32)

    @cached_property
    def weights(self) -> Floats:
        """How much there is to see in each block of each look (n, BLOCKS): from 0.1 (plain white) to 1."""
        light, colour = self._block_contrast
        return np.asarray(0.1 + 0.9 * np.minimum(1.0, light / 0.25 + 0.4 * colour / 0.25), np.float32)

    @cached_property
    def feature_matcher(self) -> FeatureMatcher:
        """The index of the deck's features, built when first used."""
        return FeatureMatcher(self.features, self.owners, self.cards, self.aspect)

    def save(self, folder: Path) -> Path:
        """Writes the deck into `folder` (created if missing), replacing what was there in one step. Returns
        the file.

        Raises:
            Unreadable: it cannot be written there.
        """
        target = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(target, self.packed())
        except OSError as error:
            raise Unreadable("deck.cannot_write", folder=folder, why=error.strerror) from error
        return target

    def packed(self) -> bytes:
        """The deck as the bytes of a file."""
        about = {
            "kind": KIND,
            "version": VERSION,
            "name": self.name,
            "labels": self.labels,
            "aspect": self.aspect,
        }
        more = {name: looks for name in OPTIONAL_ARRAYS if (looks := getattr(self, name)) is not None}
        if self.verifier_features is not None:
            about["verifier"] = network_version()
        if self.judge is not None:
            about["judge"] = judge_version()
            more["judge"] = self.judge.astype(np.float16)
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            meta=np.frombuffer(json.dumps(about).encode(), np.uint8),
            looks=self.looks,
            places=self.features.places,
            sizes=self.features.sizes.astype(np.float16),
            angles=self.features.angles.astype(np.float16),
            descriptors=self.features.descriptors,
            owners=self.owners.astype(np.int32),
            **more,
        )
        return buffer.getvalue()

    @staticmethod
    def load(path: Path) -> Deck:
        """Loads the deck of a folder (or a deck file).

        Raises:
            Unreadable: there is none, it is damaged, or it was written by another version.
        """
        file = path / FILE if path.is_dir() else path
        try:
            with np.load(file, allow_pickle=False) as data:
                arrays = {name: data[name] for name in data.files}
        except FileNotFoundError:
            raise no_deck_error(path) from None
        except PermissionError as error:
            raise Unreadable("deck.forbidden", file=file) from error
        except (OSError, ValueError, EOFError, MemoryError, zipfile.BadZipFile) as error:
            raise damaged_error(file) from error
        return _validated(arrays, file)


def _validated(arrays: dict[str, Array], file: Path) -> Deck:
    try:
        about = parse_meta(arrays["meta"].tobytes(), file)
        if about.get("verifier") != network_version():
            arrays.pop("verifier_features", None)
        if about.get("judge") != judge_version():
            arrays.pop("judge", None)
        features = Features(
            arrays["places"].astype(np.float32),
            arrays["sizes"].astype(np.float32),
            arrays["angles"].astype(np.float32),
            arrays["descriptors"].astype(np.uint8),
        )
        deck = Deck(
            name=str(about["name"]),
            labels=tuple(str(label) for label in about["labels"]),
            aspect=float(about["aspect"]),
            looks=arrays["looks"].astype(np.uint8),
            features=features,
            owners=arrays["owners"].astype(np.int32),
            **{name: arrays[name].astype(np.uint8) for name in OPTIONAL_ARRAYS if name in arrays},
            judge=arrays["judge"].astype(np.float32) if "judge" in arrays else None,
        )
        _check_shapes(deck)
    except (KeyError, TypeError, ValueError, UnicodeDecodeError) as error:
        if isinstance(error, Unreadable):
            raise
        raise damaged_error(file) from error
    return deck


def _check_shapes(deck: Deck) -> None:
    """Raises ValueError if the arrays do not belong together."""
    n, m = len(deck.labels), len(deck.features)
    wanted: list[tuple[Array | None, tuple[int, ...]]] = [
        (deck.looks, (n, descriptor.VALUES)),
        (deck.features.places, (m, 2)),
        (deck.features.descriptors, (m, 128)),
        (deck.owners, (m,)),
        (deck.triangles, (n, len(sample_points()), 3)),
        (deck.symbols, (n, SYMBOL_VALUES)),
        (deck.verifier_features, (n, *FEATURES_SHAPE)),
        (deck.judge, (number_of_weights(),)),
    ]
    if not n or any(array is not None and array.shape != shape for array, shape in wanted):
        raise ValueError("shapes")
    if deck.judge is not None and not np.isfinite(deck.judge).all():
        raise ValueError("judge")
    if m and not 0 <= int(deck.owners.min()) <= int(deck.owners.max()) < n:
        raise ValueError("owners")

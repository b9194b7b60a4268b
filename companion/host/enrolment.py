"""Learning a deck with the phone: cards on the table are found, shown, named by tapping, and kept.

One deck is on the desk at a time. It is written whenever all cards of a picture have names, before the next
picture, and when the desk is cleared; a deck that was begun yesterday is gone on with.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.api.enrolment import DeckChoice, DeckLabel, DeckProblems, EnrolmentState, FoundCard
from companion.core.errors import Unavailable, UsageError
from companion.evidence.photos import Photos
from companion.host.deck_library import templates
from companion.host.enrolment_desk import (
    Desk,
    PictureCard,
    corners_of,
    is_good,
    jpeg_of,
    shape_of,
    thumb,
    turned,
)
from companion.senses.latest_frame import LatestFrame

if TYPE_CHECKING:
    from companion.vision.deck.collect import CollectedCard
    from companion.vision.deck.deck import Deck
    from companion.vision.image.picture import Image

LONGEST = 1280
"""Pixels of the longer side of the picture that is shown."""


class DeckEnrolment:
    """What the enrolling page asks for. Every method may be called from any thread.

    Args:
        folder: the owner's decks.
        latest_frame: the camera's latest picture.
        learned: told the name of every deck that has been written.
    """

    def __init__(
        self, folder: Path, latest_frame: LatestFrame, learned: Callable[[str], None] = lambda name: None
    ) -> None:
        self._folder = folder
        self._latest_frame = latest_frame
        self._learned = learned
        self._photos = Photos(kept=400)
        self._lock = threading.RLock()
        self._desk: Desk | None = None

    def decks(self) -> tuple[DeckChoice, ...]:
        """What may be enrolled: every game, and the owner's other decks; `cards` learned so far, `of` how
        many (None: nobody knows)."""
        from companion.vision.deck.deck import Deck
        from companion.vision.deck.header import FILE

        kept = {f.parent.name: f.parent for f in self._folder.glob(f"*/{FILE}")}
        found = []
        games = templates()
        for name in [*games, *sorted(set(kept) - set(games))]:
            known = games.get(name)
            names = Deck.load(kept[name]).names if name in kept else ()
            found.append(
                DeckChoice(
                    name,
                    known.title if known else name,
                    len(names),
                    len(known.labels) if known else None,
                )
            )
        return tuple(found)

    def open(self, name: str) -> EnrolmentState:
        """Puts a deck on the desk: the one of that name if there is one, otherwise a new one.

        Raises:
            CompanionError: the name is none, or the deck cannot be read.
        """
        from companion.vision.deck.deck import Deck
        from companion.vision.deck.edit import valid_label
        from companion.vision.deck.header import FILE
        from companion.vision.deck.labels import template_of

        name = valid_label(name)
        if set(name) & set("/\\:") or name.startswith("."):
            raise UsageError("deck.bad_name", name=name)
        with self._lock:
            self.close()
            folder = self._folder / name
            deck = Deck.load(folder) if (folder / FILE).is_file() else None
            template = template_of(templates(), name, deck.names if deck else ())
            self._desk = Desk(name, template, deck, shape=shape_of(template, deck))
            return self.state()

    def state(self) -> EnrolmentState:
        """The deck that is being learned; without one, the decks that may be chosen."""
        with self._lock:
            desk = self._desk
            if desk is None:
                return EnrolmentState(self._latest_frame.available, decks=self.decks())
            names = desk.deck.names if desk.deck else ()
            looks = {label: desk.deck.labels.count(label) for label in names} if desk.deck else {}
            every = [*(desk.template.labels if desk.template else ()), *names]
            return EnrolmentState(
                self._latest_frame.available,
                desk.name,
                title=desk.template.title if desk.template else desk.name,
                picture=f"/enrol/picture/{desk.picture}.jpg" if desk.picture else None,
                cards=tuple(self._card(i, card, desk) for i, card in enumerate(desk.cards)),
                labels=tuple(DeckLabel(one, looks.get(one, 0)) for one in dict.fromkeys(every)),
                missing=tuple(desk.template.missing(names)) if desk.template else (),
                weak=tuple(sorted(desk.weak & set(names))),
            )

    def look(self, jpeg: bytes | None = None) -> EnrolmentState:
        """Takes the camera's picture (or the one sent) and finds the cards in it.

        Raises:
            CompanionError: there is no camera, or it is no picture.
        """
        from companion.vision.deck.collect import collect_cards, collect_triangles
        from companion.vision.image.picture import decode, shrunk

        image = self._latest_frame.latest()[0].copy() if jpeg is None else shrunk(decode(jpeg), 2400)[0]
        with self._lock:
            desk = self._opened()
            self.save()
            known = desk.deck.aspect if desk.deck else 1.0 if desk.shape == "square" else None
            triangular = desk.shape == "triangle"
            found = collect_triangles(image) if triangular else collect_cards(image, known)
            desk.cards = [self._found(desk, image, one) for one in found]
            desk.image = image
            desk.picture = self._photos.keep(jpeg_of(shrunk(image, LONGEST)[0]))
            return self.state()

    def name(self, number: int, label: str) -> EnrolmentState:
        """Says which card it is: it is learned, as one more look if the deck knows the card.

        Raises:
            UsageError: there is no such card in the picture, or the name is none.
        """
        with self._lock:
            desk = self._opened()
            self._learn(desk, [(self._at(desk, number), label)])
            return self.state()

    def more_looks(self) -> EnrolmentState:
        """Learns every card of the picture that the deck knows for sure as one more look of it."""
        with self._lock:
            desk = self._opened()
            sure = [(c, c.guess) for c in desk.cards if c.label is None and c.guess and c.new and is_good(c)]
            self._learn(desk, [(card, label) for card, label in sure if label is not None])
            return self.state()

    def turn(self, number: int) -> EnrolmentState:
        """Turns a card of the picture round, so that its top is up.

        Raises:
            UsageError: there is no such card, or it has been learned already.
        """
        with self._lock:
            desk = self._opened()
            card = self._at(desk, number)
            if card.label is not None:
                raise UsageError("deck.look_learned", label=card.label)
            card.found = turned(card.found, desk)
            card.thumb = self._photos.keep(thumb(card.found.card))
            return self.state()

    def rename(self, old: str, new: str) -> EnrolmentState:
        """Calls a card otherwise.

        Raises:
            UsageError: see companion.vision.deck.edit.rename.
        """
        from companion.vision.deck.edit import rename

        with self._lock:
            desk = self._opened()
            desk.deck = rename(self._begun(desk), old, new)
            for card in desk.cards:
                card.label = new if card.label == old else card.label
                card.guess = new if card.guess == old else card.guess
            self._write(desk)
            return self.state()

    def drop(self, label: str) -> EnrolmentState:
        """Takes a card with all its looks out of the deck.

        Raises:
            UsageError: there is no such card, or it is the only one.
        """
        from companion.vision.deck.edit import remove

        with self._lock:
            desk = self._opened()
            desk.deck = remove(self._begun(desk), label)
            for card in desk.cards:
                card.label = None if card.label == label else card.label
                card.guess = None if card.guess == label else card.guess
            self._write(desk)
            return self.state()

    def check(self) -> DeckProblems:
        """What is to be put right in the deck: `notes` in words and the fields of a check."""
        from companion.vision.deck.check import check_deck

        with self._lock:
            desk = self._opened()
            found = check_deck(self._begun(desk), desk.template)
            return DeckProblems(
                tuple((pair.first, pair.second) for pair in found.alike),
                tuple((one.label, one.look, one.other) for one in found.misread),
                tuple(found.plain),
                tuple(found.missing),
                tuple(sorted(desk.weak & set(self._begun(desk).names))),
            )

    def save(self) -> None:
        """Writes the deck if anything of it is new."""
        with self._lock:
            if self._desk is not None and self._desk.dirty:
                self._write(self._desk)

    def close(self) -> EnrolmentState:
        """Writes the deck and clears the desk."""
        with self._lock:
            self.save()
            self._desk = None
            return self.state()

    def picture(self, name: str) -> bytes:
        """The JPEG of the picture on the desk or of one of its cards.

        Raises:
            Unavailable: it is not kept any more.
        """
        return self._photos.get(name)

    # --- the desk -----------------------------------------------------------------------------------------

    def _opened(self) -> Desk:
        if self._desk is None:
            raise Unavailable("enrol.no_deck")
        return self._desk

    def _begun(self, desk: Desk) -> Deck:
        if desk.deck is None:
            raise Unavailable("enrol.no_card_yet")
        return desk.deck

    def _at(self, desk: Desk, number: int) -> PictureCard:
        if not 0 <= number < len(desk.cards):
            raise UsageError("enrol.card_gone")
        return desk.cards[number]

    def _found(self, desk: Desk, image: Image, found: CollectedCard) -> PictureCard:
        from companion.vision.deck import collect
        from companion.vision.image import geometry

        guess = collect.match_deck(desk.deck, image, found.quad, desk.reference)
        if guess.turned:
            found = dataclasses.replace(
                found, quad=geometry.rotated_half_turn(found.quad), card=found.card[::-1, ::-1].copy()
            )
        return PictureCard(found, guess.label, guess.new, self._photos.keep(thumb(found.card)))

    def _learn(self, desk: Desk, named: list[tuple[PictureCard, str]]) -> None:
        import numpy as np

        from companion.vision.deck.edit import add_looks, valid_label
        from companion.vision.deck.enrol import build_deck, build_triangle_deck
        from companion.vision.image.geometry import sides

        if not named or desk.image is None:
            return
        labels = [valid_label(label) for _, label in named]
        for card, _ in named:
            if card.label is not None and desk.deck is not None:
                raise UsageError("enrol.card_learned", label=card.label)
        quads = [card.found.quad for card, _ in named]
        images = [desk.image] * len(named)
        if desk.reference is None:
            desk.reference = (desk.image, quads[0])
        if desk.deck is None and desk.shape == "triangle":
            desk.deck = build_triangle_deck(desk.name, labels, images, quads, desk.reference)
        elif desk.deck is None:
            shapes = [sides(card.found.quad) for card in desk.cards]
            aspect = float(np.median([(s[1] + s[3]) / (s[0] + s[2]) for s in shapes]))
            desk.deck = build_deck(desk.name, labels, images, quads, aspect)
        else:
            desk.deck = add_looks(desk.deck, labels, images, quads, desk.reference)
        for (card, _), label in zip(named, labels, strict=True):
            card.label = label
            (desk.weak.discard if is_good(card) else desk.weak.add)(label)
        desk.dirty = True
        if all(card.label is not None for card in desk.cards):
            self._write(desk)

    def _write(self, desk: Desk) -> None:
        if desk.deck is not None:
            desk.deck.save(self._folder / desk.name)
            desk.dirty = False
            self._learned(desk.name)

    def _card(self, number: int, card: PictureCard, desk: Desk) -> FoundCard:
        height, width = desk.image.shape[:2] if desk.image is not None else (1, 1)
        return FoundCard(
            number,
            tuple(
                (round(float((x + 0.5) / width), 4), round(float((y + 0.5) / height), 4))
                for x, y in corners_of(card.found, desk)
            ),
            f"/enrol/picture/{card.thumb}.jpg",
            card.guess,
            card.new,
            card.found.blurred,
            card.found.small,
            card.label,
        )

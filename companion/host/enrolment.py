"""Learning a deck with the phone: cards on the table are found, shown, named by tapping, and kept.

One enrolment session is open at a time. Its deck is written when all cards of a picture have names, before
the next picture is taken, and when the session is closed. A deck that was started earlier is continued.
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
from companion.host.deck_refinement import DeckRefinement
from companion.host.enrolment_session import (
    EnrolmentSession,
    PictureCard,
    corners_of,
    is_good,
    jpeg_of,
    new_cards,
    next_names,
    shape_of,
    thumb,
    turned,
)
from companion.senses.latest_frame import LatestFrame
from companion.vision.image.decoder import PictureDecoder

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
        learned: called with the name of every deck that has been written.
        refinement: refines what has been written; None: nothing does.
        decoder: decodes the pictures that a phone sends; None: one of its own.
    """

    def __init__(
        self,
        folder: Path,
        latest_frame: LatestFrame,
        learned: Callable[[str], None] = lambda name: None,
        refinement: DeckRefinement | None = None,
        decoder: PictureDecoder | None = None,
    ) -> None:
        self._decoder = decoder or PictureDecoder()
        self._folder = folder
        self._latest_frame = latest_frame
        self._learned = learned
        self._refinement = refinement
        self._photos = Photos(kept=400)
        self._lock = threading.RLock()
        self._session: EnrolmentSession | None = None

    def decks(self) -> tuple[DeckChoice, ...]:
        """The decks that can be enrolled: one for every game, and the owner's other decks. `cards` is the
        number learned so far, `of` the number there are (None: not known)."""
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
        """Opens a session for the deck of that name; a new deck if none has that name.

        Raises:
            CompanionError: the name is not allowed, or the deck cannot be read.
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
            self._session = EnrolmentSession(name, template, deck, shape=shape_of(template, deck))
            return self.state()

    def state(self) -> EnrolmentState:
        """The deck that is being learned; without one, the decks that may be chosen."""
        with self._lock:
            session = self._session
            if session is None:
                current = self._refinement.current() if self._refinement else None
                return EnrolmentState(self._latest_frame.available, decks=self.decks(), refinement=current)
            names = session.deck.names if session.deck else ()
            looks = {label: session.deck.labels.count(label) for label in names} if session.deck else {}
            every = [*(session.template.labels if session.template else ()), *names]
            return EnrolmentState(
                self._latest_frame.available,
                session.name,
                title=session.template.title if session.template else session.name,
                picture=f"/enrol/picture/{session.picture}.jpg" if session.picture else None,
                cards=tuple(self._card(i, card, session) for i, card in enumerate(session.cards)),
                labels=tuple(DeckLabel(one, looks.get(one, 0)) for one in dict.fromkeys(every)),
                missing=tuple(session.template.missing(names)) if session.template else (),
                next=next_names(session),
                weak=tuple(sorted(session.weak & set(names))),
                refinement=self._refinement.progress(session.name) if self._refinement else None,
            )

    def look(self, jpeg: bytes | None = None) -> EnrolmentState:
        """Takes the camera's picture (or the one sent) and finds the cards in it.

        Raises:
            CompanionError: there is no camera, or it is no picture.
        """
        from companion.vision.deck.collect import collect_cards, collect_triangles
        from companion.vision.image.picture import shrunk

        if jpeg is None:
            image = self._latest_frame.latest()[0].copy()
        else:
            with self._decoder.decoded(jpeg) as sent:
                image = shrunk(sent, 2400)[0]
        with self._lock:
            session = self._opened()
            self.save()
            known = session.deck.aspect if session.deck else 1.0 if session.shape == "square" else None
            triangular = session.shape == "triangle"
            found = collect_triangles(image) if triangular else collect_cards(image, known)
            session.cards = [self._found(session, image, one) for one in found]
            session.image = image
            session.picture = self._photos.keep(jpeg_of(shrunk(image, LONGEST)[0]))
            return self.state()

    def name(self, number: int, label: str) -> EnrolmentState:
        """Names a card of the picture: it is learned, as one more look if the deck has the card already.

        Raises:
            UsageError: there is no such card in the picture, or the name is not allowed.
        """
        with self._lock:
            session = self._opened()
            self._learn(session, [(self._at(session, number), label)])
            return self.state()

    def more_looks(self) -> EnrolmentState:
        """Learns every card of the picture that the deck recognises with certainty as one more look of it."""
        with self._lock:
            session = self._opened()
            sure = [
                (c, c.guess) for c in session.cards if c.label is None and c.guess and c.new and is_good(c)
            ]
            self._learn(session, [(card, label) for card, label in sure if label is not None])
            return self.state()

    def name_in_order(self) -> EnrolmentState:
        """Names the new cards of the picture, row by row, as the list of the deck goes on.

        Raises:
            UsageError: there is no new card, or the list has fewer names left.
        """
        with self._lock:
            session = self._opened()
            names = next_names(session)
            if not names:
                raise UsageError("enrol.no_order")
            self._learn(session, list(zip(new_cards(session), names, strict=True)))
            return self.state()

    def turn(self, number: int) -> EnrolmentState:
        """Rotates a card of the picture: a rectangle by half a turn, a triangle by a third.

        Raises:
            UsageError: there is no such card, or it has been learned already.
        """
        with self._lock:
            session = self._opened()
            card = self._at(session, number)
            if card.label is not None:
                raise UsageError("deck.look_learned", label=card.label)
            card.found = turned(card.found, session)
            card.thumb = self._photos.keep(thumb(card.found.card))
            return self.state()

    def rename(self, old: str, new: str) -> EnrolmentState:
        """Gives a card of the deck another name.

        Raises:
            UsageError: see companion.vision.deck.edit.rename.
        """
        from companion.vision.deck.edit import rename

        with self._lock:
            session = self._opened()
            session.deck = rename(self._begun(session), old, new)
            for card in session.cards:
                card.label = new if card.label == old else card.label
                card.guess = new if card.guess == old else card.guess
            self._write(session)
            return self.state()

    def drop(self, label: str) -> EnrolmentState:
        """Takes a card with all its looks out of the deck.

        Raises:
            UsageError: there is no such card, or it is the only one.
        """
        from companion.vision.deck.edit import remove

        with self._lock:
            session = self._opened()
            session.deck = remove(self._begun(session), label)
            for card in session.cards:
                card.label = None if card.label == label else card.label
                card.guess = None if card.guess == label else card.guess
            self._write(session)
            return self.state()

    def check(self) -> DeckProblems:
        """What should be corrected in the deck."""
        from companion.vision.deck.check import check_deck

        with self._lock:
            session = self._opened()
            found = check_deck(self._begun(session), session.template)
            return DeckProblems(
                tuple((pair.first, pair.second) for pair in found.alike),
                tuple((one.label, one.look, one.other) for one in found.misread),
                tuple(found.plain),
                tuple(found.missing),
                tuple(sorted(session.weak & set(self._begun(session).names))),
                found.without_detail,
            )

    def save(self) -> None:
        """Writes the deck if anything of it is new."""
        with self._lock:
            if self._session is not None and self._session.dirty:
                self._write(self._session)

    def close(self) -> EnrolmentState:
        """Writes the deck and closes the session."""
        with self._lock:
            self.save()
            self._session = None
            return self.state()

    def picture(self, name: str) -> bytes:
        """The JPEG of the session's picture or of one of its cards.

        Raises:
            Unavailable: it is not kept any more.
        """
        return self._photos.get(name)

    # --- the session --------------------------------------------------------------------------------------

    def _opened(self) -> EnrolmentSession:
        if self._session is None:
            raise Unavailable("enrol.no_deck")
        return self._session

    def _begun(self, session: EnrolmentSession) -> Deck:
        if session.deck is None:
            raise Unavailable("enrol.no_card_yet")
        return session.deck

    def _at(self, session: EnrolmentSession, number: int) -> PictureCard:
        if not 0 <= number < len(session.cards):
            raise UsageError("enrol.card_gone")
        return session.cards[number]

    def _found(self, session: EnrolmentSession, image: Image, found: CollectedCard) -> PictureCard:
        from companion.vision.deck import collect
        from companion.vision.image import geometry

        guess = collect.match_deck(session.deck, image, found.quad, session.reference)
        if guess.turned:
            found = dataclasses.replace(
                found, quad=geometry.rotated_half_turn(found.quad), card=found.card[::-1, ::-1].copy()
            )
        return PictureCard(found, guess.label, guess.new, self._photos.keep(thumb(found.card)))

    def _learn(self, session: EnrolmentSession, named: list[tuple[PictureCard, str]]) -> None:
        import numpy as np

        from companion.vision.deck.edit import add_looks, valid_label
        from companion.vision.deck.enrol import build_deck, build_triangle_deck
        from companion.vision.image.geometry import sides

        if not named or session.image is None:
            return
        labels = [valid_label(label) for _, label in named]
        for card, _ in named:
            if card.label is not None and session.deck is not None:
                raise UsageError("enrol.card_learned", label=card.label)
            if card.found.problem == "cut_off":
                raise UsageError("enrol.cut_off")
            if card.found.problem == "unclear":
                raise UsageError("enrol.unclear")
        quads = [card.found.quad for card, _ in named]
        images = [session.image] * len(named)
        if session.reference is None:
            session.reference = (session.image, quads[0])
        if session.deck is None and session.shape == "triangle":
            session.deck = build_triangle_deck(session.name, labels, images, quads, session.reference)
        elif session.deck is None:
            shapes = [sides(card.found.quad) for card in session.cards]
            aspect = float(np.median([(s[1] + s[3]) / (s[0] + s[2]) for s in shapes]))
            session.deck = build_deck(session.name, labels, images, quads, aspect)
        else:
            session.deck = add_looks(session.deck, labels, images, quads, session.reference)
        for (card, _), label in zip(named, labels, strict=True):
            card.label = label
            (session.weak.discard if is_good(card) else session.weak.add)(label)
        session.dirty = True
        if all(card.label is not None for card in session.cards):
            self._write(session)

    def _write(self, session: EnrolmentSession) -> None:
        if session.deck is None:
            return
        if self._refinement is None:
            session.deck.save(self._folder / session.name)
        else:
            with self._refinement.writing:
                session.deck.save(self._folder / session.name)
            self._refinement.changed(session.name)
        session.dirty = False
        self._learned(session.name)

    def _card(self, number: int, card: PictureCard, session: EnrolmentSession) -> FoundCard:
        height, width = session.image.shape[:2] if session.image is not None else (1, 1)
        return FoundCard(
            number,
            tuple(
                (round(float((x + 0.5) / width), 4), round(float((y + 0.5) / height), 4))
                for x, y in corners_of(card.found, session)
            ),
            f"/enrol/picture/{card.thumb}.jpg",
            card.guess,
            card.new,
            card.found.problem,
            card.label,
        )

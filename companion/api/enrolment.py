"""Learning a deck with the phone: what the page shows. Points are shares of the picture's size."""

from __future__ import annotations

from typing import Literal

import msgspec

Share = tuple[float, float]
"""x to the right and y down, from 0 to 1 of the picture's width and height."""

CardProblem = Literal["cut_off", "unclear", "burnt", "small", "blurred"]


class DeckChoice(msgspec.Struct, frozen=True):
    """A deck that may be learned: `cards` learned so far, `of` how many there are (None: not known)."""

    name: str
    title: str
    cards: int
    of: int | None


class FoundCard(msgspec.Struct, frozen=True):
    """A card in the picture."""

    id: int
    corners: tuple[Share, ...]
    thumb: str
    """Address of its picture."""
    guess: str | None
    """What the deck takes it for."""
    new: bool
    """Whether learning it would add something to the deck."""
    problem: CardProblem | None
    """Why it cannot be learned well: `cut_off` by the picture's margin, `unclear` outline, `burnt` out by a
    lamp, too `small`, `blurred`. The first two cannot be learned at all."""
    label: str | None
    """Its name, once it has been learned."""


class DeckLabel(msgspec.Struct, frozen=True):
    """A card of the deck, and how many reference pictures of it there are."""

    label: str
    looks: int


class RefinementProgress(msgspec.Struct, frozen=True):
    """How far the recognition of a deck's cards is refined: `step` of `steps` while it is running. `waiting`:
    it begins when the deck has not changed for a while. `paused`: it begins when no game is on the table.
    """

    deck: str
    status: Literal["waiting", "paused", "running", "refined", "failed"]
    step: int = 0
    steps: int = 0


class EnrolmentState(msgspec.Struct, frozen=True):
    """The deck that is being learned; with `deck` None, the decks that may be chosen."""

    camera: bool
    deck: str | None = None
    decks: tuple[DeckChoice, ...] = ()
    title: str = ""
    picture: str | None = None
    cards: tuple[FoundCard, ...] = ()
    labels: tuple[DeckLabel, ...] = ()
    missing: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    """Names for the new cards, if they lie in the order of the list; empty if there are too few names."""
    weak: tuple[str, ...] = ()
    """Cards that were learned from poor pictures."""
    refinement: RefinementProgress | None = None
    """Of the open deck, or of the one that is being refined; None where there is nothing to say."""


class DeckProblems(msgspec.Struct, frozen=True):
    """What should be corrected in a deck."""

    alike: tuple[tuple[str, str], ...]
    misread: tuple[tuple[str, int, str], ...]
    """(card, number of its reference picture, card that it is taken for)."""
    plain: tuple[str, ...]
    missing: tuple[str, ...]
    weak: tuple[str, ...]
    without_detail: tuple[str, ...]
    """Cards that an earlier version enrolled and kept less of: they are named less often."""

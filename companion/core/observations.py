"""What senses and phones report, before any rule: the words that vision, speech, hardware and table share.

Times are seconds on CLOCK_MONOTONIC (companion.core.clock) and say when a thing happened, not when it was
noticed. Confidences lie between 0 and 1. Positions are pixels of the picture as given unless said otherwise.
"""

from __future__ import annotations

import msgspec

from companion.core.message import Message

Point = tuple[float, float]
"""x to the right, y down, in pixels of the picture."""


class Sighting(msgspec.Struct, frozen=True):
    """One card recognised in one picture."""

    label: str
    """The deck's own name for the card, e.g. `green 4`, `joker`, `twin_phone`."""
    confidence: float
    corners: tuple[Point, Point, Point, Point]
    """Clockwise from the card's own top left, also where parts are covered."""

    @property
    def centre(self) -> Point:
        """Mean of the corners."""
        xs, ys = zip(*self.corners, strict=True)
        return (sum(xs) / 4.0, sum(ys) / 4.0)


class Landing(msgspec.Struct, frozen=True, tag=True):
    """A card came down on the table and lies still. `sighting` is None for a card that could not be named."""

    t: float
    zone: str
    """Name of the table zone it lies in: `trick`, `pile`, or `display:<player>`."""
    sighting: Sighting | None
    evidence: str = ""
    arm: float | None = None
    """From where the arm came that laid it, in degrees clockwise from the right of the picture; None: not
    seen."""


class Removal(msgspec.Struct, frozen=True, tag=True):
    """A card that lay in a zone lies there no longer. `sighting` is how it lay; None if it had no name."""

    t: float
    zone: str
    sighting: Sighting | None
    evidence: str = ""


View = tuple[float, float, float, float, float, float, float, float, float]
"""A homography, row by row: from points of the lattice, in sides of a triangle (corner (x half sides, y rows)
lies at (x / 2, y * 0.866)), to pixels."""


class LatticeCard(msgspec.Struct, frozen=True):
    """A triangular card on a lattice of triangles."""

    at: tuple[int, int]
    """Its place as the picture counts them: row and column as in docs/events.md, up to moving and turning the
    whole table by sixths of a circle."""
    card: str
    """The deck's own name for the card, e.g. `green`."""
    confidence: float
    corners: tuple[Point, Point, Point]
    """Clockwise from the one opposite the base."""
    other: str | None = None
    """The card that it may be as well, if it is unsure and one of two."""
    since: float | None = None
    """When it came to rest, if a watched table has just shown it for the first time."""

    @property
    def centre(self) -> Point:
        """Mean of the corners."""
        xs, ys = zip(*self.corners, strict=True)
        return (sum(xs) / 3.0, sum(ys) / 3.0)


class CoveredLattice(msgspec.Struct, frozen=True):
    """What was seen of a table of triangular cards while a hand rested on it: other cards may be covered."""

    cards: tuple[LatticeCard, ...]
    view: View | None = None
    """How the picture's places are seen; None if no card was."""


class LatticeSeen(msgspec.Struct, frozen=True, tag=True):
    """A table of triangular cards has come to rest: everything that lies on it now."""

    t: float
    """Since when it lies so."""
    zone: str
    cards: tuple[LatticeCard, ...]
    unsure: tuple[LatticeCard, ...] = ()
    """Cards whose name, or being there at all, is not sure."""
    view: View | None = None
    """How the picture's places are seen; None if no card was."""
    evidence: str = ""
    covered: tuple[CoveredLattice, ...] = ()
    """What was seen since the last report while hands rested on the table, in order, if cards have been taken
    away since: a card that was laid and taken away at once may be among it."""


class HeardWord(msgspec.Struct, frozen=True):
    """One word inside an utterance."""

    word: str
    start: float
    end: float
    confidence: float


EARLY_S = 0.5
"""So long before the card is down a player may begin the call, and it still belongs to that card: people
shout while they lay it."""


LATEST_SOUND = -1
"""Number of the sound of all that was heard between start and end of an utterance."""


class Utterance(msgspec.Struct, frozen=True, tag=True):
    """Speech between two silences. `words` holds the known words only (throat sound: `hmmrrr`).

    The ears report it before anybody knows which card it is about: then `words` are only where words may
    be, `confidence` is 0, and the table has the sound weighed (`companion.core.weighing`).
    """

    words: tuple[HeardWord, ...]
    start: float
    end: float
    confidence: float
    evidence: str = ""
    sound: int = 0
    """The number under which the ears keep its sound; 0: they do not."""
    part: tuple[float, float] | None = None
    """Only the sound between these moments belongs to it; None: all of it."""
    landing: float | None = None
    """When the next card came down after its start, as far as it is known when the table handles it."""

    @property
    def said(self) -> tuple[str, ...]:
        """The words alone."""
        return tuple(word.word for word in self.words)


class Listened(msgspec.Struct, frozen=True, tag=True):
    """Watermark of the ears: everything said before `t` has been reported. Deadlines wait for it."""

    t: float


class Watched(msgspec.Struct, frozen=True, tag=True):
    """Watermark of the eyes: every card that landed before `t` has been reported."""

    t: float


class SoundWeighed(msgspec.Struct, frozen=True, tag=True):
    """The ears have weighed a sound that the table waits for (`companion.core.weighing.Weigh`)."""

    t: float
    """The time of the service's clock at which that was done."""


class Press(msgspec.Struct, frozen=True, tag=True):
    """A button went down (kernel time less the debounce)."""

    t: float
    button: str
    beside: tuple[Press, ...] = ()
    """Presses of other buttons within a moment, where a game takes them for one."""


class SourceChanged(msgspec.Struct, frozen=True, tag=True):
    """A source (`camera`, `microphone`, `buttons`) came up or went down. `why` is the reason; a source
    that is up has one if it works badly, e.g. `too_dark`."""

    t: float
    source: str
    up: bool
    why: Message | None = None


Observation = (
    Landing | Removal | LatticeSeen | Utterance | Listened | Watched | SoundWeighed | Press | SourceChanged
)

"""Spotters turn observations (a card that landed, words, a button) into events of a game or a question.

A spotter compares an observation with the events that the game would accept now. Where two events are
possible it asks the table. It sees the game as its JSON state and its offers only, not as
the rulebook's own state.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from companion.core.call_policy import DEFAULT, CallPolicy
from companion.core.events import Event, Params
from companion.core.observations import Landing, LatticeSeen, Press, Removal, Utterance
from companion.core.weighing import Weigh, by_confidence
from companion.games.contract.offers import Offer, OneOf, Words

Observed = Landing | Removal | LatticeSeen | Utterance | Press
"""What a spotter interprets; commands and watermarks are handled by the table."""


class GameView(msgspec.Struct, frozen=True):
    """The running game as a spotter sees it."""

    players: tuple[str, ...]
    settings: Any
    view: Mapping[str, Any]
    """The JSON state of docs/events.md."""
    offers: tuple[Offer, ...]
    """What may come next."""
    time: Callable[[float], float]
    """Converts a time of the service's clock into seconds since the start of the game."""
    past: tuple[Mapping[str, Any], ...] = ()
    """The accepted events that still count, oldest first."""
    numbers: tuple[int, ...] = ()
    """The number of each of them in the log: what a correction names."""
    labels: tuple[str, ...] = ()
    """Every card of the deck that is in use, in the deck's order."""
    moment: Callable[[float], float] = float
    """The reverse, if the game is not paused in between."""
    weigh: Weigh = by_confidence
    """Weighs the sound of an utterance against the call that is due."""

    def offered(self, event: str) -> tuple[Offer, ...]:
        """The offers of one kind of event."""
        return tuple(offer for offer in self.offers if offer.event == event)

    def allows(self, event: Mapping[str, Any]) -> bool:
        """Whether the rules would accept this event now."""
        return any(offer.matches(event) for offer in self.offers)

    @property
    def turn(self) -> str | None:
        """The player who is to act."""
        return self.view.get("turn")


class Fact(msgspec.Struct, frozen=True):
    """An event of the game, with the sense it comes from. `notice` is a code to announce about `player`."""

    event: Event
    source: str
    notice: str = ""
    player: str | None = None


class Option(msgspec.Struct, frozen=True):
    """One answer to a question, and the events that it stands for (none: nothing happened in the game).

    `card` or `words` say what the answer means; with neither it is "none of these".
    """

    id: str
    events: tuple[Event, ...] = ()
    card: Any = None
    words: tuple[str, ...] = ()


class Question(msgspec.Struct, frozen=True):
    """Two readings are possible: the table is asked. `code` and `params` make the sentence.

    `blocks`: later observations wait until it is answered. Otherwise the next landing answers it with the
    option `unanswered`, which costs no player anything. `again`: the same observation is interpreted once
    more after the answer. `phase`: the question is dropped as soon as the game is in another phase.
    """

    code: str
    params: Params
    options: tuple[Option, ...]
    source: str
    player: str | None = None
    blocks: bool = True
    unanswered: str | None = None
    again: bool = False
    phase: str | None = None
    evidence: str = ""
    about: str = ""
    """What in the game it is about, e.g. `display Jo green 4`: it is asked once, until that is `Resolved`."""
    stays: bool = False
    """A disagreement between table and record: the game goes on, and the question stays open until it is
    answered or resolved. Then `blocks` does not count."""
    pauses: bool = False
    """The clock stands still from the observation to the next card, because the table may be talking."""
    instead: bool = False
    """It takes the place of the open question that is answered by the same event of the same player."""
    about_t: float = 0.0
    """When what it is about was over, in s of the game: the time stands still from then on."""


class Remark(msgspec.Struct, frozen=True):
    """Something that is announced and changes nothing in the game."""

    code: str
    params: Params
    about: str = ""
    """As in a question: it is announced once, until that is `Resolved`."""


class Resolved(msgspec.Struct, frozen=True):
    """What questions and remarks were about is so no longer: they are withdrawn."""

    about: str


class Postponed(msgspec.Struct, frozen=True):
    """A sound must be weighed first: nothing later is judged until then. What was observed is interpreted
    again; what follows from an event is asked for with `Spotter.sound_weighed`."""


Finding = Fact | Question | Remark | Resolved | Postponed


class Expectation(msgspec.Struct, frozen=True):
    """What may come next, for the senses: cards that may be seen and words that may be heard (None: any)."""

    cards: frozenset[str] | None = None
    words: tuple[str, ...] | None = None
    right: tuple[tuple[str, ...], ...] = ()
    """The calls that would be right; empty: none is due."""


class Thresholds(msgspec.Struct, frozen=True):
    """From which confidence on what the camera and the microphone report is accepted without a question."""

    seen: float = 0.6
    """A card that fits, 0 to 1."""
    calls: CallPolicy = DEFAULT
    """What is said."""


NONE_OF_THESE = Option("none")
"""The answer that always exists."""
NO = Option("no", words=("no",))
"""To a question that is answered by yes or no: the record stays as it is."""


def yes(*events: Event) -> Option:
    """Yes: then these events count."""
    return Option("yes", events, words=("yes",))


class Spotter(abc.ABC):
    """Interprets the observations of one game. It may keep state between them; `reset` clears it."""

    chord_window_s: ClassVar[float] = 0.0
    """Seat buttons pressed within this many seconds count as one press of several players."""
    dating_s: ClassVar[float] = 0.0
    """What a sense reports may have happened so many seconds earlier: who is late by no more is in time."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        self.thresholds = thresholds or Thresholds()

    @abc.abstractmethod
    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        """The meaning of the observation for the game now: facts and remarks in order, at most one question
        at the end, or nothing."""

    def follow(self, before: GameView, event: Mapping[str, Any], after: GameView) -> Sequence[Finding]:
        """Called after each accepted event, whoever reported it. Returns what it shows to be wrong, and what
        earlier observations mean now."""
        return ()

    def before_deadline(self, game: GameView) -> Fact | Question | Postponed | None:
        """A deadline is about to expire. What was done in time after all, or a question that may save the
        player, None without a doubt; it is asked for again if a sound must be weighed first."""
        return None

    def late_sound_s(self, game: GameView) -> float:
        """A sound that begins within so many seconds after the deadline may tell that it was met: one that
        has begun is waited for."""
        return 0.0

    def sound_weighed(self, game: GameView) -> Sequence[Finding]:
        """A sound was weighed for which `follow` had postponed its findings: the rest of them."""
        return ()

    def reset(self) -> None:  # noqa: B027 - most games need none
        """Earlier events were changed (undo, correction): clears the state kept of them."""

    def microphone_changed(self, up: bool) -> None:  # noqa: B027 - most games need none
        """The microphone failed (calls may be missed from now on) or works again."""

    def deadline_player(self, game: GameView) -> str | None:
        """The player to whom a deadline applies."""
        return game.turn

    def immediate(self, game: GameView) -> bool:
        """Whether a deadline expires at once, without waiting for observations that may still arrive."""
        return False

    def expectation(self, game: GameView) -> Expectation:
        """What the senses may expect now."""
        return Expectation()


# --- cards ------------------------------------------------------------------------------------------------


def card_of(label: str, monsters: tuple[str, ...] | None) -> Any:
    """The card in the notation of the game that a deck's label names.

    Args:
        label: e.g. `green 4`, `joker`, `twin_phone`.
        monsters: the monsters of Seven Merry Monsters, None for games whose cards are plain strings.
    """
    if monsters is None:
        return label
    if label == "joker":
        return {"monster": "joker"}
    monster, _, number = label.rpartition(" ")
    if number.isdecimal() and monster:
        return {"monster": monster, "number": int(number)}
    return {"monster": label}


def label_of(card: Any) -> str:
    """The deck's label of a card, the reverse of `card_of`."""
    if isinstance(card, Mapping):
        number = card.get("number")
        return str(card["monster"]) if number is None else f"{card['monster']} {number}"
    return str(card)


def one_of(offer: Offer, field: str) -> tuple[Any, ...]:
    """The values that an offer lists for a field; none if it lists none."""
    choice = offer.fields.get(field)
    return choice.values if isinstance(choice, OneOf) else ()


def right_words(game: GameView) -> tuple[tuple[str, ...], ...]:
    """The word sequences that would be right now, over all offers of `heard`."""
    found: list[tuple[str, ...]] = []
    for offer in game.offered("heard"):
        words = offer.fields.get("words")
        if isinstance(words, Words):
            found.extend(words.right)
    return tuple(found)


def seat_of(button: str, players: tuple[str, ...]) -> str | None:
    """The player whose seat button this is (`seat 1` is the first), None for any other button."""
    kind, _, number = button.rpartition(" ")
    if kind == "seat" and number.isdecimal() and 1 <= int(number) <= len(players):
        return players[int(number) - 1]
    return None

"""The moves of a simulated evening and its expected result, and two whole games.

A programme is data: who lays which card, who calls what, which phone is tapped. It holds neither pictures nor
sounds; companion.commands.demo_night.stage makes both from it. `result` was worked out by hand from the
rules; the companion must arrive at the same result. The five short games are in
companion.commands.demo_night.trailer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.core.events import Event, HouseRules, MutableEvent, StateView

Place = tuple[int, int]
"""Row and column."""


@dataclass(frozen=True)
class PlaceCard:
    """`player` lays a card; it touches the table `after` seconds after the step before."""

    player: str
    label: str
    after: float = 2.6
    at: Place | None = None
    """On a lattice its place; elsewhere millimetres right of and below the middle. None: the player's place
    in the middle."""


@dataclass(frozen=True)
class Clear:
    """`player` removes the cards in the middle."""

    player: str
    after: float = 2.0


@dataclass(frozen=True)
class Say:
    """`player` calls: `call` names the recording, e.g. `two three`, which starts `after` seconds later."""

    player: str
    call: str
    after: float = 0.9


@dataclass(frozen=True)
class Tap:
    """A phone sends a command: `name` and `data` are those of the pages."""

    name: str
    data: Event
    after: float = 1.6


@dataclass(frozen=True)
class Wait:
    """Nothing happens for `after` seconds."""

    after: float


@dataclass(frozen=True)
class TurnOver:
    """`player` turns over the card at a place of the field: then `label` is seen."""

    player: str
    label: str
    at: Place
    after: float = 2.4


@dataclass(frozen=True)
class TakeAway:
    """`player` takes the cards at these places of field or lattice."""

    player: str
    places: tuple[Place, ...]
    after: float = 2.4


@dataclass(frozen=True)
class ThrowDice:
    """`player` throws five dice, which then lie beside the field."""

    player: str
    values: tuple[int, ...]
    after: float = 3.0


@dataclass(frozen=True)
class PressButton:
    """A button of the table is pressed, e.g. `seat 1`."""

    button: str
    after: float = 2.0


@dataclass(frozen=True)
class AnswerQuestion:
    """A phone answers the open question with one of its options."""

    option: str
    after: float = 2.0


@dataclass(frozen=True)
class PhotographTiles:
    """`player` photographs the own tiles and enters what was read."""

    player: str
    tiles: dict[str, int]
    after: float = 1.4


@dataclass(frozen=True)
class Photograph:
    """`player` photographs the own display, `columns` from the first laid card to the uncovered one."""

    player: str
    columns: dict[str, list[str]]
    after: float = 1.0


Step = (
    PlaceCard
    | Clear
    | Say
    | Tap
    | Wait
    | TurnOver
    | TakeAway
    | ThrowDice
    | PressButton
    | AnswerQuestion
    | Photograph
    | PhotographTiles
)


@dataclass(frozen=True)
class ExpectedResult:
    """The expected result of a game."""

    scores: dict[str, int]
    winner: list[str]
    verdicts: list[tuple[str, str]] = field(default_factory=list)
    """(player, kind) in order, without `correct`."""


@dataclass(frozen=True)
class GamePlan:
    """One game of the evening."""

    game: str
    players: list[str]
    settings: HouseRules
    steps: list[Step]
    result: ExpectedResult
    reach_mm: float = 0.0
    """Distance of a laid card from the centre of the table: 0 for a pile."""
    position: StateView | None = None
    """Where the game is taken up; None: from the beginning."""
    lattice: dict[Place, str] = field(default_factory=dict)
    """Cards that lie on a lattice from the beginning."""
    covered: tuple[Place, ...] = ()
    """Places of a field on which cards lie face down."""

    def timed(self, lead_in: float = 2.0) -> Iterator[tuple[float, Step]]:
        """Each step with its time in seconds since the game was started."""
        t = lead_in
        for step in self.steps:
            t += step.after
            yield t, step


def placed(player: str, card: str, column: str | None = None) -> Tap:
    """A phone enters where a card of the hand or a won joker was placed."""
    monster, _, number = card.partition(" ")
    event: MutableEvent = {"event": "card_placed", "player": player, "card": {"monster": monster}}
    if number:
        event["card"]["number"] = int(number)
    if column is not None:
        event["column"] = column
    return Tap("event", event)


def awarded(player: str, to: str) -> Tap:
    """A phone enters who gets a tied trick."""
    return Tap("event", {"event": "trick_awarded", "player": player, "to": to})


PLAYERS = ["Ida", "Jo", "Kai"]


def seven_merry_monsters() -> GamePlan:
    """One round, refereed trick by trick: a tie, two jokers won, one placed at the end, 50 points to win."""
    tricks: list[tuple[list[tuple[str, str]], list[Step]]] = [
        ([("Ida", "red 4"), ("Jo", "green 6"), ("Kai", "blue 2")], []),
        ([("Jo", "yellow 5"), ("Kai", "pink 5")], [awarded("Kai", "Kai"), placed("Ida", "orange 1")]),
        ([("Kai", "purple 3"), ("Ida", "joker"), ("Jo", "red 7")], [placed("Jo", "joker", "purple")]),
        ([("Jo", "blue 4"), ("Kai", "green 3"), ("Ida", "purple 6")], []),
        ([("Ida", "yellow 2"), ("Jo", "orange 3"), ("Kai", "orange 7")], []),
        ([("Kai", "pink 1"), ("Ida", "blue 6"), ("Jo", "joker")], [placed("Ida", "joker", "blue")]),
        ([("Ida", "green 7"), ("Jo", "purple 2"), ("Kai", "red 3")], []),
        ([("Ida", "pink 4"), ("Jo", "pink 6"), ("Kai", "joker")], [placed("Jo", "joker", "pink")]),
    ]
    takers = ["Jo", "Kai", "Jo", "Ida", "Kai", "Ida", "Ida", "Jo"]
    steps: list[Step] = []
    for (cards, taps), taker in zip(tricks, takers, strict=True):
        steps += [PlaceCard(player, label) for player, label in cards]
        steps += [Clear(taker), *taps]
    steps += [
        placed("Ida", "red 1"),
        placed("Ida", "yellow 7"),
        placed("Jo", "blue 7"),
        placed("Jo", "green 1"),
    ]
    steps += [placed("Kai", "blue 3"), placed("Kai", "joker", "blue")]
    steps += [Photograph(player, columns) for player, columns in DISPLAYS.items()]
    result = ExpectedResult(scores={"Ida": 51, "Jo": 27, "Kai": 28}, winner=["Ida"])
    return GamePlan("seven_merry_monsters", PLAYERS, {"target": 50}, steps, result, reach_mm=74.0)


DISPLAYS: dict[str, dict[str, list[str]]] = {
    "Ida": {
        "orange": ["orange 1"],
        "blue": ["blue 4", "blue 6", "joker"],
        "green": ["green 3", "green 7"],
        "purple": ["purple 6", "purple 2"],
        "pink": ["pink 1"],
        "red": ["red 3", "red 1"],
        "yellow": ["yellow 7"],
    },
    "Jo": {
        "red": ["red 4", "red 7"],
        "green": ["green 6", "green 1"],
        "blue": ["blue 2", "blue 7"],
        "purple": ["purple 3", "joker"],
        "pink": ["pink 4", "pink 6", "joker"],
    },
    "Kai": {
        "yellow": ["yellow 5", "yellow 2"],
        "pink": ["pink 5"],
        "orange": ["orange 3", "orange 7"],
        "blue": ["blue 3", "joker"],
    },
}
"""The display of each player at the end of the round."""


def nasty_7() -> GamePlan:
    """Four short rounds: a wrong number, a late call, a false accusation, and Ida's last card."""
    steps: list[Step] = [
        PlaceCard("Ida", "racketeer"),
        Say("Ida", "one"),
        PlaceCard("Jo", "twin_racketeer"),
        Say("Jo", "two three"),
        PlaceCard("Ida", "phone"),
        Say("Ida", "hmmrrr"),
        PlaceCard("Jo", "racketeer"),
        Say("Jo", "six"),  # the fifth racketeer: Jo takes four cards
        Clear("Jo", 2.6),
        PlaceCard("Jo", "racketeer"),
        Say("Jo", "one"),
        PlaceCard("Kai", "gun"),
        PlaceCard("Ida", "racketeer"),
        Say("Ida", "three"),
        PlaceCard("Jo", "racketeer"),
        Wait(4.6),  # no call within three seconds: Jo takes four cards again
        Clear("Jo"),
        PlaceCard("Jo", "racketeer"),
        Say("Jo", "one"),
        PlaceCard("Kai", "twin_phone"),
        Say("Kai", "hmmrrr hmmrrr"),
        PlaceCard("Jo", "racketeer"),
        Say("Jo", "four"),
        # Kai's accusation is false: the call was right, Kai takes three cards.
        Tap("event", {"event": "accused", "by": ["Kai"], "player": "Jo"}, after=2.2),
        Clear("Kai"),
        PlaceCard("Kai", "racketeer"),
        Say("Kai", "one"),
        PlaceCard("Ida", "twin_racketeer"),  # the last card of Ida's stack
        Say("Ida", "two three"),
        Wait(2.0),
    ]
    mistakes = [("Jo", "wrong_number"), ("Jo", "too_late"), ("Kai", "false_accusation")]
    result = ExpectedResult(scores={"Ida": 0, "Jo": 6, "Kai": 4}, winner=["Ida"], verdicts=mistakes)
    return GamePlan("nasty_7", PLAYERS, {"deck_size": 12}, steps, result)


def programme() -> list[GamePlan]:
    """The games of the evening, in order."""
    return [seven_merry_monsters(), nasty_7()]

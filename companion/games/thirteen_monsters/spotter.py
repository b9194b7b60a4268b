"""13 Monsters at the table: cards turned over on the field, dice thrown, found sets taken away.

A card turned over counts for the player who may search by the rules. Its place is in the landing (zone
`grid:<row>,<column>`), its face comes from the deck. The table is asked about a face that cannot be read or
that contradicts an earlier one at that place. Cards turned back, taken away or frozen need no event, because
the rules know them already. A die laid on a card face down is Permafrost (label `die 5`). A throw is one
landing (zone `dice`, label `dice 4 4 1 2 6`); with fewer values than dice, one die is tilted or hidden.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from companion.core.events import MutableEvent
from companion.core.observations import Landing
from companion.games.spotter import (
    NONE_OF_THESE,
    Expectation,
    Fact,
    Finding,
    GameView,
    Observed,
    Option,
    Question,
    Spotter,
)

FIELD = "grid"
"""Zone of the cards; `grid:<row>,<column>` is one place."""
DICE = "dice"
"""Zone in which the dice are thrown."""
THROWN_TOGETHER = 5
"""Number of dice on the table after every throw, with those that were kept (M13-51, M13-52)."""
THROWN = re.compile(r"dice((?: [1-6]){1,5})")
"""Label of a throw: the values of all dice on the table."""
FROZEN = re.compile(r"die [0-6]")
"""Label of a die on a card; 0 if its value cannot be read, which does not matter."""
LABEL = re.compile(r"(\d+) (top|eyes|bottom)(?: (left|right))?")


class ThirteenMonstersSpotter(Spotter):
    """Reports facts where camera and rules agree, and asks where they do not."""

    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        if not isinstance(observed, Landing) or game.view["phase"] == "over":
            return []
        zone, _, named = observed.zone.partition(":")
        seen = observed.sighting
        if zone == FIELD and seen is not None and FROZEN.fullmatch(seen.label):
            return self._frozen(observed, named, game)
        if zone == FIELD:
            return self._turned(observed, named, game)
        return self._thrown(observed, game) if zone == DICE else []

    def expectation(self, game: GameView) -> Expectation:
        """Any card while somebody may search, and dice in fights; otherwise nothing."""
        if game.offered("dice_thrown"):
            return Expectation(cards=frozenset({DICE}))
        return Expectation(cards=None if game.offered("card_revealed") else frozenset())

    def _turned(self, landing: Landing, named: str, game: GameView) -> list[Finding]:
        """A card was turned over in a place of the field."""
        at = place_of(named)
        if at is None or not game.offered("card_revealed"):
            return []
        event: MutableEvent = {
            "event": "card_revealed",
            "player": game.turn,
            "at": at,
            "t": game.time(landing.t),
        }
        seen = landing.sighting
        card = card_of_label(seen.label) if seen is not None else None
        if card is not None and seen is not None and seen.confidence >= self.thresholds.seen:
            reading = {**event, "card": card}
            if game.allows(reading):
                return [Fact(reading, "camera")]
        first = [card] if card is not None else []
        faces = [face for face in map(card_of_label, game.labels) if face is not None]
        options = {
            f"{face['monster']} {face['part']}": Option(
                f"{face['monster']} {face['part']}", ({**event, "card": face},), card=face
            )
            for face in (*first, *faces)
        }
        question = Question(
            "unsure_card_of",
            {"player": game.turn},
            (*options.values(), NONE_OF_THESE),
            "camera",
            game.turn,
            evidence=landing.evidence,
        )
        return [question]

    def _frozen(self, landing: Landing, named: str, game: GameView) -> list[Finding]:
        """A die was laid on a card: Permafrost (M13-34) of the player whose turn it is, if the rules allow
        it."""
        at = place_of(named)
        event = {"event": "power_used", "player": game.turn, "power": "permafrost", "at": at}
        if at is None or not game.allows(event):
            return []
        return [Fact({**event, "t": game.time(landing.t)}, "camera")]

    def _thrown(self, landing: Landing, game: GameView) -> list[Finding]:
        """The dice are at rest: those that were on the table before and are equal may have been kept."""
        seen = landing.sighting
        if seen is None or not game.offered("dice_thrown"):
            return []
        match = THROWN.fullmatch(seen.label)
        if match is not None and len(match[1].split()) < THROWN_TOGETHER:
            params = {"player": game.turn, "seen": len(match[1].split())}
            return [
                Question(
                    "cocked_dice_of",
                    params,
                    (NONE_OF_THESE,),
                    "camera",
                    game.turn,
                    blocks=False,
                    unanswered=NONE_OF_THESE.id,
                    evidence=landing.evidence,
                )
            ]
        event = throw(seen.label, kept_before(game), game)
        if event is None:
            return []
        event["t"] = game.time(landing.t)
        if seen.confidence >= self.thresholds.seen and not event["kept"]:
            return [Fact(event, "camera")]
        option = Option(seen.label, (event,), words=tuple(map(str, event["dice"])))
        return [
            Question(
                "unsure_dice_of",
                {"player": game.turn},
                (option, NONE_OF_THESE),
                "camera",
                game.turn,
                blocks=False,
                evidence=landing.evidence,
            )
        ]


def place_of(named: str) -> list[int] | None:
    """The place in a zone's name, `4,2` -> [4, 2]; None if it is outside the field."""
    row, _, column = named.partition(",")
    if not (row.isdecimal() and column.isdecimal()) or int(row) > 8 or int(column) > 8:
        return None
    return [int(row), int(column)]


def card_of_label(label: str) -> dict[str, Any] | None:
    """The card in the game's notation that a deck's label names (`7 eyes left`), None for any other label."""
    match = LABEL.fullmatch(label)
    if match is None or not 1 <= int(match[1]) <= 13:
        return None
    return {"monster": int(match[1]), "part": match[2]}


def kept_before(game: GameView) -> list[int]:
    """The dice on the table after the thrower's last throw of this fight; empty before the first."""
    for event in reversed(game.past):
        if event["event"] != "dice_thrown" or event.get("player") != game.turn:
            return []
        return [*event["dice"], *event.get("kept", [])]
    return []


def throw(label: str, lying: list[int], game: GameView) -> dict[str, Any] | None:
    """The throw with these five values: all dice thrown, or some of them kept.

    After a first throw the largest group of equal dice that is still there is taken as kept, if the rules
    allow it; that reading is confirmed by the table because it cannot be seen.
    """
    match = THROWN.fullmatch(label)
    if match is None:
        return None
    values = [int(value) for value in match[1].split()]
    event: MutableEvent = {"event": "dice_thrown", "player": game.turn, "dice": values, "kept": []}
    if lying:
        still = Counter(values) & Counter(lying)
        value, many = max(still.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        many = min(many, len(values) - 1)
        rest = list(values)
        for _ in range(many):
            rest.remove(value)
        kept = {**event, "dice": rest, "kept": [value] * many}
        if many >= 2 and game.allows(kept):
            return kept
    return event if game.allows(event) else None

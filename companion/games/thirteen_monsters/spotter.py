"""13 Monsters at the table: cards turned over on the field, dice thrown, found sets taken away.

A card turned over counts for the player who may search by the rules. Its place is in the landing (zone
`grid:<row>,<column>`), its face comes from the deck. The table is asked about a face that cannot be read or
that contradicts an earlier one at that place; what the record knows of the place is offered first, and a face
that is hardly read counts if it is that one. A die laid on a card face down is Permafrost (label `die 5`).
Cards turned back (label `back`), cards taken away and dice that the rules do not know are compared with the
record (field_check). A throw is one landing (zone `dice`, label `dice 4 1 2 kept 6 6`, where the kept dice
lie as they lay); with fewer values than dice, one die is tilted or hidden.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.events import MutableEvent
from companion.core.observations import Landing, Removal
from companion.games.spotter import (
    NO,
    NONE_OF_THESE,
    Expectation,
    Fact,
    Finding,
    GameView,
    Observed,
    Option,
    Question,
    Remark,
    Resolved,
    Spotter,
    Thresholds,
    yes,
)
from companion.games.thirteen_monsters.field_check import FieldCheck

FIELD = "grid"
"""Zone of the cards; `grid:<row>,<column>` is one place."""
DICE = "dice"
"""Zone in which the dice are thrown."""
THROWN_TOGETHER = 5
"""Number of dice on the table after every throw, with those that were kept (M13-51, M13-52)."""
THROWN = re.compile(r"dice((?: [1-6]){1,5})?(?: kept((?: [1-6]){1,5}))?")
"""Label of a throw: the values of all dice on the table, those apart that lie where they lay before."""
BACK = "back"
"""Label of a card that lies face down."""
FROZEN = re.compile(r"die [0-6]")
"""Label of a die on a card; 0 if its value cannot be read, which does not matter."""
LABEL = re.compile(r"(\d+) (top|eyes|bottom)(?: (left|right))?")


class ThirteenMonstersSpotter(Spotter):
    """Reports facts where camera and rules agree, and asks where they do not."""

    def __init__(self, thresholds: Thresholds | None = None) -> None:
        super().__init__(thresholds)
        self._field = FieldCheck()

    def reset(self) -> None:
        self._field.corrected()

    def follow(
        self, before: GameView, event: Mapping[str, Any], after: GameView
    ) -> Sequence[Question | Remark | Resolved]:
        return self._field.followed(after)

    def observe(self, observed: Observed, game: GameView) -> list[Finding]:
        if not isinstance(observed, Landing | Removal) or game.view["phase"] == "over":
            return []
        zone, _, named = observed.zone.partition(":")
        seen = observed.sighting
        if isinstance(observed, Removal):
            return self._removed(observed, named, game) if zone == FIELD else []
        if zone == FIELD and seen is not None and seen.label == BACK:
            at = place_of(named)
            return [] if at is None else [*self._field.turned_back((at[0], at[1]), game, observed.evidence)]
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
        known = known_at(at, game)
        is_sure = seen is not None and seen.confidence >= self.thresholds.seen
        if card is not None and (is_sure or card == known):
            reading = {**event, "card": card}
            if game.allows(reading):
                return [Fact(reading, "camera")]
        first = [face for face in ((card, known) if is_sure else (known, card)) if face is not None]
        faces = [face for face in map(card_of_label, game.labels) if face is not None]
        options = {
            f"{face['monster']} {face['part']}": Option(
                f"{face['monster']} {face['part']}", ({**event, "card": face},), card=face
            )
            for face in (*first, *faces)
        }
        question = Question(
            "unsure_card_turned",
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
        if at is None:
            return []
        if not game.allows(event):
            return list(self._field.die_laid((at[0], at[1]), game, landing.evidence))
        return [Fact({**event, "t": game.time(landing.t)}, "camera")]

    def _removed(self, removal: Removal, named: str, game: GameView) -> list[Finding]:
        """A card or a die was taken away from a place."""
        at, seen = place_of(named), removal.sighting
        if at is None or seen is None:
            return []
        if FROZEN.fullmatch(seen.label):
            return list(self._field.die_gone((at[0], at[1]), game, removal.evidence))
        return [] if seen.label == BACK else list(self._field.taken((at[0], at[1]), game, removal.evidence))

    def _thrown(self, landing: Landing, game: GameView) -> list[Finding]:
        """The dice are at rest: those that lie as they lay before were kept."""
        seen = landing.sighting
        match = None if seen is None else THROWN.fullmatch(seen.label)
        if seen is None or match is None or not game.offered("dice_thrown"):
            return []
        thrown, kept = ([int(value) for value in (group or "").split()] for group in match.groups())
        if len(thrown) + len(kept) < THROWN_TOGETHER:
            params = {"player": game.turn, "seen": len(thrown) + len(kept)}
            question = self._about_dice("cocked_dice_of", params, (NONE_OF_THESE,), landing, game)
            return [msgspec.structs.replace(question, unanswered=NONE_OF_THESE.id)]
        if len(set(kept)) > 1 and kept_before(game):
            event = {**throw([*thrown, *kept], [], game), "t": game.time(landing.t)}
            unequal = {"player": game.turn, "dice": kept}
            return [self._about_dice("kept_unequal", unequal, (yes(event), NO), landing, game)]
        event = throw([*thrown, *kept], kept, game)
        if not game.allows(event):
            return []
        event["t"] = game.time(landing.t)
        if seen.confidence >= self.thresholds.seen:
            return [Fact(event, "camera")]
        option = Option(seen.label, (event,), words=tuple(map(str, [*event["kept"], *event["dice"]])))
        options = (option, NONE_OF_THESE)
        return [self._about_dice("unsure_dice_of", {"player": game.turn}, options, landing, game)]

    def _about_dice(
        self, code: str, params: dict[str, Any], options: tuple[Option, ...], landing: Landing, game: GameView
    ) -> Question:
        return Question(
            code,
            params,
            options,
            "camera",
            game.turn,
            blocks=False,
            evidence=landing.evidence,
        )


def place_of(named: str) -> list[int] | None:
    """The place in a zone's name, `4,2` -> [4, 2]; None if it is outside the field."""
    row, _, column = named.partition(",")
    if not (row.isdecimal() and column.isdecimal()) or int(row) > 8 or int(column) > 8:
        return None
    return [int(row), int(column)]


def known_at(at: list[int], game: GameView) -> dict[str, Any] | None:
    """The card that the record knows at a place, None if nobody has seen it."""
    return next((one["card"] for one in game.view["seen"] if one["at"] == at), None)


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


def throw(values: list[int], kept: list[int], game: GameView) -> MutableEvent:
    """The throw with these five values.

    `kept` are those that were seen to be kept. After a first throw with none, the largest group of equal dice
    that is still there is taken as kept and pushed aside, if the rules allow it: the points are the same in
    every reading, so that nobody has to be asked.
    """
    event: MutableEvent = {"event": "dice_thrown", "player": game.turn, "dice": values, "kept": []}
    still = Counter(values) & Counter(kept_before(game))
    if not kept:
        value, many = max(still.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        kept = [value] * min(many, len(values) - 1) if many > 1 else []
    elif not still:
        return event  # another player's dice lay there before
    rest = list((Counter(values) - Counter(kept)).elements())
    reading = {**event, "dice": rest, "kept": kept}
    return reading if kept and game.allows(reading) else event

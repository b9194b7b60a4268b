"""Compares what the camera sees on the field with the record: found sets, and dice on cards.

Two cards that are turned back although they were taken for a set, two that are taken away although they were
none, a die on a card that nobody could freeze, a die that is gone from a frozen card: the table is asked, and
the correction is an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.errors import Rejected
from companion.core.events import Event
from companion.games.contract.corrections import amended
from companion.games.spotter import NO, NONE_OF_THESE, GameView, Option, Question, Resolved, yes
from companion.games.thirteen_monsters.rules import ThirteenMonsters

BOOK = ThirteenMonsters()
Place = tuple[int, int]
Disagreement = Question | Resolved
PAIR = 2
"""Cards of a set."""


class FieldCheck:
    """What was seen on the field and disagrees with the record."""

    def __init__(self) -> None:
        self._dice: dict[Place, str] = {}
        self._gone: set[Place] = set()

    # --- cards --------------------------------------------------------------------------------------------

    def turned_back(self, at: Place, game: GameView, evidence: str) -> list[Disagreement]:
        """A card lies face down: if it was of the set found last, one of the two cards was misread."""
        pair = _last_pair(game)
        places = [place for place, _, _ in pair]
        if at not in places or not _same_face(pair):
            return []
        (first, _, card), (second, number, _) = pair
        event = game.past[game.numbers.index(number)]
        faces = [face for face in _faces(game) if face != card]
        options = (
            Option(_named(card), (), card=card),
            *(
                Option(_named(face), (_with_face(number, event, face),), card=face)
                for face in faces
                if _fits(game, number, {**event, "card": face})
            ),
        )
        params = {"player": event["player"], "row": second[0] + 1, "column": second[1] + 1}
        return [
            Question(
                "set_turned_back", params, options, "camera", event["player"],
                about=f"set {first} {second}", stays=True, evidence=evidence,
            )
        ]  # fmt: skip

    def taken(self, at: Place, game: GameView, evidence: str) -> list[Disagreement]:
        """A card that lay face up was taken away: the two of a search that found no set are one after all."""
        pair = _last_pair(game)
        places = {place for place, _, _ in pair}
        if at not in places or _same_face(pair):
            return []
        self._gone.add(at)
        if not places <= self._gone:
            return []
        self._gone.clear()
        (first, one, card), (second, other, face) = pair
        past = dict(zip(game.numbers, game.past, strict=True))
        readings = ((card, other), (face, one))
        options = [
            Option(_named(reading), (_with_face(number, past[number], reading),), card=reading)
            for reading, number in readings
            if _fits(game, number, {**past[number], "card": reading})
        ]
        player = past[other]["player"]
        return [
            Question(
                "cards_taken_as_set", {"player": player}, (*options, NONE_OF_THESE), "camera",
                about=f"set {first} {second}", stays=True, evidence=evidence,
            )
        ]  # fmt: skip

    # --- dice ---------------------------------------------------------------------------------------------

    def die_laid(self, at: Place, game: GameView, evidence: str) -> list[Disagreement]:
        """A die lies on a card that the player on turn could not freeze."""
        if at in _frozen(game.view):
            return [Resolved(_about_die(at))]
        self._dice[at] = evidence
        return [_whose_die(at, game, evidence)]

    def die_gone(self, at: Place, game: GameView, evidence: str) -> list[Disagreement]:
        """A die is gone. Whoever it belongs to may turn the card over now, and an attack needs all dice."""
        if self._dice.pop(at, None) is not None:
            return [Resolved(_about_die(at))]
        owner = _frozen(game.view).get(at)
        if owner is None or owner == game.turn or game.offered("attack_declared"):
            return []
        left = [frost for frost in game.view["frozen"] if tuple(frost["at"]) != at]
        thawed = yes({"event": "position", "state": {"frozen": left}})
        params = {"player": owner, "row": at[0] + 1, "column": at[1] + 1}
        return [
            Question(
                "die_gone", params, (thawed, NO), "camera",
                about=_about_die(at), stays=True, phase=game.view["phase"], evidence=evidence,
            )
        ]  # fmt: skip

    def followed(self, game: GameView) -> list[Disagreement]:
        """An event was accepted: the options of open questions are brought up to date."""
        self._gone.clear()
        found: list[Disagreement] = []
        frozen = _frozen(game.view)
        for at, evidence in list(self._dice.items()):
            if at in frozen or game.view["phase"] == "attack":  # for an attack all dice are thrown
                del self._dice[at]
                found.append(Resolved(_about_die(at)))
            else:
                found.append(_whose_die(at, game, evidence))
        return found

    def corrected(self) -> None:
        """Earlier events were changed: what was asked is out of date."""
        self._dice.clear()
        self._gone.clear()


def _whose_die(at: Place, game: GameView, evidence: str) -> Question:
    """Asks who has frozen a card."""
    options = []
    for player in game.players:
        frozen = [*game.view["frozen"], {"at": list(at), "player": player}]
        event: Event = {"event": "position", "state": {"frozen": frozen}}
        if _played(game, [*game.past, event]):
            options.append(Option(player, (event,), words=(player,)))
    params = {"row": at[0] + 1, "column": at[1] + 1}
    return Question(
        "whose_die", params, (*options, NONE_OF_THESE), "camera",
        about=_about_die(at), stays=True, evidence=evidence,
    )  # fmt: skip


def _about_die(at: Place) -> str:
    return f"die {at}"


def _frozen(view: Mapping[str, Any]) -> dict[Place, str]:
    """Frozen places and who froze them."""
    return {(frost["at"][0], frost["at"][1]): frost["player"] for frost in view["frozen"]}


def _last_pair(game: GameView) -> list[tuple[Place, int, dict[str, Any]]]:
    """The two cards of the search that ended with the latest event: place, number in the log, face."""
    latest = list(zip(game.past, game.numbers, strict=True))[-PAIR:]
    if len(latest) < PAIR or game.view["phase"] == "search":
        return []
    player = latest[-1][0].get("player")
    if any(event["event"] != "card_revealed" or event["player"] != player for event, _ in latest):
        return []
    return [((event["at"][0], event["at"][1]), number, _face(event["card"])) for event, number in latest]


def _same_face(pair: Sequence[tuple[Place, int, dict[str, Any]]]) -> bool:
    return len(pair) == PAIR and pair[0][2] == pair[1][2]


def _face(card: Mapping[str, Any]) -> dict[str, Any]:
    return {"monster": card["monster"], "part": card["part"]}


def _named(face: Mapping[str, Any]) -> str:
    return f"{face['monster']} {face['part']}"


def _faces(game: GameView) -> Iterator[dict[str, Any]]:
    """The faces of the deck, each once, in the deck's order."""
    found: dict[str, dict[str, Any]] = {}
    for label in game.labels:
        monster, _, rest = label.partition(" ")
        if monster.isdecimal():
            face = {"monster": int(monster), "part": rest.split(" ")[0]}
            found.setdefault(_named(face), face)
    yield from found.values()


def _with_face(number: int, event: Event, face: Mapping[str, Any]) -> Event:
    return amended(number, {**event, "card": dict(face)})


def _fits(game: GameView, number: int, replacement: Event) -> bool:
    """Whether the game so far is legal with this event in place of another one."""
    events = [replacement if n == number else event for n, event in zip(game.numbers, game.past, strict=True)]
    return _played(game, events)


def _played(game: GameView, events: Sequence[Event]) -> bool:
    """Whether the rules accept these events from the beginning."""
    state = BOOK.start(BOOK.header(list(game.players), msgspec.to_builtins(game.settings)))
    try:
        for event in events:
            state = BOOK.play(state, event).state
    except Rejected:
        return False
    return True

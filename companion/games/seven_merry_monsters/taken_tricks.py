"""The tricks of the present round as the record has them: which cards lie in whose display, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from companion.core.errors import Rejected
from companion.core.events import Event
from companion.games.seven_merry_monsters.rules import SevenMerryMonsters
from companion.games.seven_merry_monsters.state import JOKER, SevenMerryMonstersState
from companion.games.spotter import GameView, label_of

BOOK = SevenMerryMonsters()


class TrickPlay(NamedTuple):
    """A card of a trick: who played it, and the number of the event in the log."""

    player: str
    number: int


class TakenTrick(NamedTuple):
    """A trick that was taken."""

    taker: str
    cards: Mapping[str, TrickPlay]
    """Label of each monster's card -> its play; jokers are left out, because they look alike."""
    closed_by: Event
    number: int
    """Number of that event in the log."""


class RoundRecord(NamedTuple):
    """What the record says of the present round."""

    state: SevenMerryMonstersState
    tricks: tuple[TakenTrick, ...]
    known: Mapping[str, Counter[str]]
    """Player -> labels of the cards in the display; of a card placed without its number the monster."""
    certain: bool
    """Whether every card of the displays is known by name: not after a position in this round, unless it
    gave a whole trick to another player."""

    def holds(self, player: str, label: str) -> int:
        """How many cards with this label lie in a player's display."""
        monster = label.rpartition(" ")[0]
        return self.known[player][label] + (self.known[player][monster] if monster else 0)

    def trick_of(self, label: str) -> TakenTrick | None:
        """The latest trick in which this card was taken."""
        return next((trick for trick in reversed(self.tricks) if label in trick.cards), None)


def round_record(game: GameView) -> RoundRecord:
    """Plays the game's events again and keeps what belongs to the present round."""
    state = BOOK.start(BOOK.header(list(game.players), msgspec.to_builtins(game.settings)))
    tricks: list[TakenTrick] = []
    known: dict[str, Counter[str]] = {player: Counter() for player in game.players}
    plays: dict[str, TrickPlay] = {}
    certain = True
    for number, event in zip(game.numbers, game.past, strict=True):
        before, state = state, BOOK.play(state, event).state
        if event["event"] == "card_played":
            plays[label_of(event["card"])] = TrickPlay(event["player"], number)
        if (before.table and not state.table) or (event["event"] == "card_played" and not state.table):
            cards = {label: play for label, play in plays.items() if label != JOKER}
            tricks.append(TakenTrick(_taker(state, before), cards, event, number))
            known[tricks[-1].taker].update(cards.keys())
            plays = {}
        if event["event"] == "card_placed" and "card" in event:
            known[event["player"]][label_of(event["card"])] += 1
        if event["event"] == "card_revealed":
            known[event["player"]].update(map(label_of, event["cards"]))
        if event["event"] == "position":
            certain = certain and _follow_move(before, state, tricks, known)
        if state.round != before.round:
            tricks, certain = [], True
            known = {player: Counter() for player in game.players}
    return RoundRecord(state, tuple(tricks), known, certain)


def _taker(after: SevenMerryMonstersState, before: SevenMerryMonstersState) -> str:
    """Who took the trick that has just been closed; at the end of a round it does not matter any more."""
    return after.leader if after.round == before.round else before.leader


def _follow_move(
    before: SevenMerryMonstersState,
    after: SevenMerryMonstersState,
    tricks: list[TakenTrick],
    known: dict[str, Counter[str]],
) -> bool:
    """Keeps up with a position that gives a whole trick to another player; False if it is any other one."""
    if before.display == after.display:
        return True
    shown = BOOK.view(after)["display"]
    for number, trick in enumerate(tricks):
        for to in after.setup.players:
            if to != trick.taker and _shifted(BOOK.view(before)["display"], trick, to) == shown:
                known[trick.taker].subtract(trick.cards.keys())
                known[to].update(trick.cards.keys())
                tricks[number] = trick._replace(taker=to)
                return True
    return False


def moved_to(record: RoundRecord, trick: TakenTrick, to: str) -> dict[str, Any] | None:
    """The position in which another player took a trick; None if the rules do not allow it."""
    view = BOOK.view(record.state)
    position: dict[str, Any] = {"display": _shifted(view["display"], trick, to)}
    if trick is record.tricks[-1] and not view["table"]:
        position["leader"] = to
        if view["phase"] == "trick":
            position["turn"] = to
        elif trick.taker in view["to_place"] and view["phase"] == "placing":
            owed = dict(view["to_place"])
            position["to_place"] = {**owed, to: owed.pop(trick.taker)}
            position["to_place"].pop(trick.taker, None)
    return position if allows(record.state, {"event": "position", "state": position}) else None


def _shifted(displays: Mapping[str, Any], trick: TakenTrick, to: str) -> dict[str, Any]:
    """The displays with the monsters of a trick in another one."""
    display = {player: dict(columns) for player, columns in displays.items()}
    for label in trick.cards:
        monster = label.rpartition(" ")[0] or label
        left = display[trick.taker].get(monster, {"cards": 0, "jokers": 0})
        display[trick.taker][monster] = {**left, "cards": left["cards"] - 1}
        there = display[to].get(monster, {"cards": 0, "jokers": 0})
        display[to][monster] = {**there, "cards": there["cards"] + 1}
    display[trick.taker] = {name: one for name, one in display[trick.taker].items() if one["cards"] > 0}
    return display


def allows(state: SevenMerryMonstersState, event: Event) -> bool:
    """Whether the rules accept the event."""
    try:
        BOOK.play(state, event)
    except Rejected:
        return False
    return True

"""Seven Merry Monsters (Martin Schlegel, 10 Traders 2024): many kinds of monsters, few of each.

Either every card is followed (`tricks`) or only the displays are read after each round (`scan`). Rule ids
refer to the digest (`companion rules seven_merry_monsters`).

Readings of the vocabulary where it leaves a choice:

- While cards are placed nobody is on turn, also when one player alone owes a card: the order is free.
- A monster without a number in a trick lacks a required field; a card without a monster is a bad one.
- A column of a scan has at least one card (`bad_field`); one under the name `joker` is one of jokers only.
- A joker laid to a name that is no monster at all starts a column like any other (`joker_starts_column`).
- `card_revealed` names as many cards as lie face down in the column (`bad_field`).
- A player who has only face-down cards left to turn over has nothing to place.
- In a scan, as anywhere, jokers are not left aside by a player who has a column (`must_use_column`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec

from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.fields import Event, EventKind, Setup
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook, Ruling
from companion.games.seven_merry_monsters.legality import breach
from companion.games.seven_merry_monsters.placing import card_placed, card_revealed, display_scanned
from companion.games.seven_merry_monsters.position import as_json, placed
from companion.games.seven_merry_monsters.proposals import proposals
from companion.games.seven_merry_monsters.rounds import next_round
from companion.games.seven_merry_monsters.state import SevenMerryMonstersSettings, TrickCard, owed, totals
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State
from companion.games.seven_merry_monsters.story import story
from companion.games.seven_merry_monsters.tricks import card_played, trick_awarded, went_on
from companion.games.seven_merry_monsters.vocabulary import EVENTS


class SevenMerryMonsters(Rulebook[State]):
    """The rules of Seven Merry Monsters."""

    name: ClassVar[str] = "seven_merry_monsters"
    title: ClassVar[str] = "Seven Merry Monsters"
    seats: ClassVar[range] = range(3, 7)
    settings_type: ClassVar[type[msgspec.Struct]] = SevenMerryMonstersSettings
    state_type: ClassVar[type[msgspec.Struct]] = State
    sums: ClassVar[frozenset[str]] = frozenset(
        ("round_points", "round_jokers", "round_jokers_one", "round_total")
    )
    events: ClassVar[Mapping[str, EventKind]] = EVENTS

    def start(self, setup: Setup) -> State:
        """The first round, led by the most monstrous player (SMM-5)."""
        none = (0,) * len(setup.players)
        empty = State(
            setup=setup,
            phase="",
            round=0,
            trick=0,
            turn=None,
            leader="",
            table=(),
            display=(),
            aside=none,
            hidden=(),
            bared=(),
            hand_owed=none,
            jokers_owed=none,
            left={},
            numbers=None,
            scanned=(),
            rounds=(),
            time=0.0,
        )
        return next_round(empty)

    def breach(self, state: State, event: Event) -> Breach | None:
        """Phase, turn, cards that are owed, and cards that can be."""
        return breach(state, event)

    def effects(self, state: State, event: Event) -> Ruling[State]:
        """What a legal event does."""
        match event["event"]:
            case "card_played":
                return Ruling(card_played(state, event))
            case "card_placed":
                return Ruling(card_placed(state, event))
            case "trick_awarded":
                return Ruling(trick_awarded(state, event))
            case "card_revealed":
                return card_revealed(state, event)
            case _:
                return Ruling(display_scanned(state, event))

    def forced(self, state: State, event: Event) -> State | None:
        """A card in another column, a hidden column turned over early, a trick for somebody not tied."""
        return None if breach(state, event, anywhere=True) else self.effects(state, event).state

    def went_on(self, state: State, event: Event, was: State, there: State) -> State:
        """The trick went to whom the table gave it; the cards are those that lay there."""
        return went_on(state, event, there) or super().went_on(state, event, was, there)

    def explained(self, before: State, event: Event, ruling: Ruling[State]) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state)

    def proposals(self, state: State) -> Iterable[Offer]:
        """Cards to play, to place and to turn over, tricks to give away, displays to read."""
        return proposals(state)

    def deadline(self, state: State) -> float | None:
        """There is no hurry in this game."""
        return None

    def view(self, state: State) -> StateView:
        """The JSON state."""
        players = state.setup.players
        due = {player: owed(state, seat) for seat, player in enumerate(players)}
        return {
            "phase": state.phase,
            "turn": state.turn,
            "round": state.round,
            "trick": state.trick,
            "leader": state.leader,
            "table": [{"player": laid.player, "card": _card(laid)} for laid in state.table],
            "display": {
                player: {monster: column._asdict() for monster, column in display.items()}
                for player, display in zip(players, state.display, strict=True)
            },
            "aside": dict(zip(players, state.aside, strict=True)),
            "face_down": {player: list(hidden) for player, hidden in zip(players, state.hidden, strict=True)},
            "to_place": {player: cards for player, cards in due.items() if cards},
            "round_scores": [dict(zip(players, points, strict=True)) for points in state.rounds],
            **as_json(state),
        }

    def placed(self, state: State, shown: Mapping[str, Any], given: Mapping[str, Any]) -> State:
        """Trick, displays and scores as agreed."""
        return placed(state, shown, given)

    def scores(self, state: State) -> dict[str, int]:
        """Totals of the finished rounds."""
        return dict(zip(state.setup.players, totals(state), strict=True))

    def winner(self, state: State) -> list[str]:
        """Most points win (SMM-29); equal ones share (SMM-R5)."""
        if state.phase != "over":
            return []
        scores = self.scores(state)
        return [player for player, points in scores.items() if points == max(scores.values())]


def _card(laid: TrickCard) -> dict[str, Any]:
    if laid.number is None:
        return {"monster": laid.monster}
    return {"monster": laid.monster, "number": laid.number}

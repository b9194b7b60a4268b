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

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.core.errors import Rejected
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.fields import Event, EventKind, Field, Setup, a_boolean, a_player
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook, Ruling, seat_after
from companion.games.seven_merry_monsters.offers import offers
from companion.games.seven_merry_monsters.placing import card_placed, card_revealed, display_scanned
from companion.games.seven_merry_monsters.position import as_json, placed
from companion.games.seven_merry_monsters.rounds import changed, in_phase, next_round, proceed
from companion.games.seven_merry_monsters.state import (
    JOKER,
    SevenMerryMonstersSettings,
    TrickCard,
    a_card,
    a_column,
    a_count,
    a_display,
    a_hidden_column,
    a_played_card,
    noted,
    number_in_trick,
    owed,
    some_cards,
    tied,
    totals,
    with_cards,
)
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State
from companion.games.seven_merry_monsters.story import story


def _placed(event: Event, setup: Setup) -> str | None:
    """An open card, with a column if it is a joker; or no card, face down, in a hidden column."""
    column = event.get("column")
    if event.get("face_down") is True:
        if "column" not in event:
            return "missing_field"
        return "bad_field" if "card" in event or isinstance(column, str) else None
    if "card" not in event:
        return "missing_field"
    card = event["card"]
    if "column" not in event and isinstance(card, dict) and card.get("monster") == JOKER:
        return "missing_field"
    return None if "column" not in event or isinstance(column, str) else "bad_field"


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
    events: ClassVar[Mapping[str, EventKind]] = {
        "card_played": EventKind(
            (Field("player", a_player), Field("card", a_played_card)),
            frozenset({"trick"}),
            "A card is played to the trick.",
        ),
        "trick_awarded": EventKind(
            (Field("player", a_player), Field("to", a_player)),
            frozenset({"award"}),
            "Whoever made the tie gives the trick to one of the two tied players.",
        ),
        "card_placed": EventKind(
            (
                Field("player", a_player),
                Field("card", a_card, required=False),
                Field("column", a_column, required=False),
                Field("face_down", a_boolean, required=False),
            ),
            frozenset({"setup", "placing", "last_cards"}),
            "A card goes into the player's own display.",
            _placed,
        ),
        "card_revealed": EventKind(
            (Field("player", a_player), Field("column", a_hidden_column), Field("cards", some_cards)),
            frozenset({"trick", "placing", "last_cards"}),
            "All cards of a hidden column are turned over.",
        ),
        "display_scanned": EventKind(
            (Field("player", a_player), Field("display", a_display), Field("aside", a_count, required=False)),
            frozenset({"scan"}),
            "A display was read at the end of a round.",
        ),
    }

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
            seen={},
            faces=frozenset(),
            scanned=(),
            rounds=(),
            time=0.0,
        )
        return next_round(empty)

    def apply(self, state: State, event: Event) -> Ruling[State]:
        """Judges an admitted event."""
        if "t" in event:
            state = replace(state, time=float(event["t"]))
        match event["event"]:
            case "card_played":
                return Ruling(_card_played(state, event))
            case "card_placed":
                return Ruling(card_placed(state, event))
            case "trick_awarded":
                return Ruling(_trick_awarded(state, event))
            case "card_revealed":
                return card_revealed(state, event)
            case _:
                return Ruling(display_scanned(state, event))

    def forced(self, state: State, event: Event) -> State | None:
        """A card in another column, a hidden column turned over early, a trick for somebody not tied."""
        match event["event"]:
            case "card_placed" if not event.get("face_down"):
                return card_placed(state, event, checked=False)
            case "card_revealed":
                return card_revealed(state, event, due=False).state
            case "trick_awarded" if event["player"] == state.turn:
                return _trick_awarded(state, event, checked=False)
            case _:
                return None

    def explained(self, before: State, event: Event, ruling: Ruling[State]) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state)

    def expects(self, state: State) -> list[Offer]:
        """Cards to play, to place and to turn over, tricks to give away, displays to read."""
        return offers(state)

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


# --- tricks -----------------------------------------------------------------------------------------------


def _card_played(state: State, event: Event) -> State:
    """A card to the trick, which may close it (SMM-8 to SMM-13, SMM-R7)."""
    in_phase(state, "trick")
    player, card = event["player"], event["card"]
    if player != state.turn:
        raise Rejected("not_your_turn", "SMM-8")
    laid = TrickCard(player, card["monster"], card.get("number"))
    seen, faces = noted(state, [(laid.monster, laid.number)])
    table = (*state.table, laid)
    number = number_in_trick(laid, state.setup)
    highest, taker = -1, state.leader
    for other in state.table:
        value = number_in_trick(other, state.setup)
        if value is not None and value > highest:
            highest, taker = value, other.player
    if number is not None and number == highest:
        return replace(state, phase="award", turn=player, table=table, seen=seen, faces=faces)
    if number is not None and number > highest:
        taker = player
    players = state.setup.players
    if len(table) < len(players):
        return replace(state, turn=seat_after(players, player), table=table, seen=seen, faces=faces)
    return _taken(replace(state, table=table, seen=seen, faces=faces), taker)


def _trick_awarded(state: State, event: Event, checked: bool = True) -> State:
    """The player who made the tie gives the trick away (SMM-14)."""
    in_phase(state, "award")
    if event["player"] != state.turn:
        raise Rejected("not_your_turn", "SMM-14")
    if checked and event["to"] not in tied(state):
        raise Rejected("not_tied", "SMM-14")
    return _taken(state, event["to"])


def _taken(state: State, taker: str) -> State:
    """The trick's monsters enter the taker's display; jokers and left-out players' cards are owed (SMM-15,
    SMM-17, SMM-22, SMM-R4)."""
    players = state.setup.players
    seat = players.index(taker)
    display, jokers = state.display[seat], 0
    for laid in state.table:
        if laid.monster == JOKER:
            jokers += 1
        else:
            display = with_cards(display, laid.monster, 1)
    aside, jokers_owed = state.aside, state.jokers_owed
    if jokers and display:
        jokers_owed = changed(jokers_owed, seat, jokers)
    elif jokers:
        aside = changed(aside, seat, aside[seat] + jokers)
    have_played = {laid.player for laid in state.table}
    return proceed(
        replace(
            state,
            phase="placing",
            turn=None,
            leader=taker,
            table=(),
            display=changed(state.display, seat, display),
            aside=aside,
            hand_owed=tuple(0 if player in have_played else 1 for player in players),
            jokers_owed=jokers_owed,
        )
    )

"""Trio Monsters (Jean-Jacques Derghazarian, Djeco): triangles in chains of four, and the black ones alone.

The lattice is explained in companion.games.trio_monsters.lattice. Rule ids refer to the digest (`companion
rules trio_monsters`).

Readings of the vocabulary where it leaves a choice:

- A colour is a text of at least one letter; anything else is a `bad_field`, and so is a place more than a
  million triangles away from the start card.
- With `black_counts_as_colour` off, a black neighbour is none of three colours: that black monster stays.
- Enrolled colours are different from each other; they need not contain black.
- Only a catch can detach cards: as long as all are laid side to side, all hang together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.core.errors import BadSetting, Rejected
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.choices import AnyPlace, Number, Text, is_place
from companion.games.contract.fields import Event, EventKind, Field, Setup, a_player
from companion.games.contract.offers import Choice, Offer, OneOf
from companion.games.contract.rulebook import Rulebook, Ruling, Verdict, seat_after
from companion.games.trio_monsters.lattice import Place, chain, groups, sides
from companion.games.trio_monsters.position import placed
from companion.games.trio_monsters.state import (
    BLACK,
    CHAIN,
    HAND,
    START,
    LaidTriangle,
    TrioMonstersSettings,
    TrioMonstersState,
)
from companion.games.trio_monsters.story import story


def a_colour(value: Any, setup: Setup) -> str | None:
    """A colour, one of those enrolled if any are."""
    if not isinstance(value, str) or not value:
        return "bad_field"
    colours = setup.settings.colours
    return None if colours is None or value in colours else "unknown_card"


def a_lattice_place(value: Any, setup: Setup) -> str | None:
    """[row, column] on the lattice."""
    return None if is_place(value) else "bad_field"


def the_start(value: Any, setup: Setup) -> str | None:
    """[0, 0], where the start card lies."""
    return None if is_place(value) and tuple(value) == START else "bad_field"


class TrioMonsters(Rulebook[TrioMonstersState]):
    """The rules of Trio Monsters."""

    name: ClassVar[str] = "trio_monsters"
    title: ClassVar[str] = "Trio Monsters"
    seats: ClassVar[range] = range(2, 6)
    settings_type: ClassVar[type[msgspec.Struct]] = TrioMonstersSettings
    state_type: ClassVar[type[msgspec.Struct]] = TrioMonstersState
    events: ClassVar[Mapping[str, EventKind]] = {
        "card_revealed": EventKind(
            (Field("card", a_colour), Field("at", the_start)),
            frozenset({"setup"}),
            "The start card is turned over from the draw pile.",
        ),
        "card_played": EventKind(
            (Field("player", a_player), Field("card", a_colour), Field("at", a_lattice_place)),
            frozenset({"play"}),
            "A card is laid; what it catches is won at once.",
        ),
        "turn_ended": EventKind(
            (Field("player", a_player),),
            frozenset({"play"}),
            "The player draws up to three cards; the next one follows.",
        ),
    }

    def check_settings(self, setup: Setup) -> None:
        """Everybody gets three cards, and one is the start card (TRIO-3, TRIO-4)."""
        super().check_settings(setup)
        if setup.settings.deck_size < HAND * len(setup.players) + 1:
            raise BadSetting("setting.deck_size")

    def start(self, setup: Setup) -> TrioMonstersState:
        """Three cards to each player, the rest is the draw pile (TRIO-3, TRIO-4)."""
        count = len(setup.players)
        return TrioMonstersState(
            setup=setup,
            phase="setup",
            turn=None,
            laid=0,
            draw_pile=setup.settings.deck_size - HAND * count,
            hands=(HAND,) * count,
            won=(0,) * count,
            table=(),
            time=0.0,
        )

    def apply(self, state: TrioMonstersState, event: Event) -> Ruling[TrioMonstersState]:
        """Judges an admitted event."""
        kind = event["event"]
        if state.phase not in self.events[kind].phases:
            raise Rejected("wrong_phase", "TRIO-4" if state.phase == "setup" else "TRIO-6")
        if "t" in event:
            state = replace(state, time=float(event["t"]))
        if kind == "card_revealed":
            return Ruling(_opened(state, event["card"]))
        if event["player"] != state.turn:
            raise Rejected("not_your_turn", "TRIO-5")
        if kind == "turn_ended":
            return Ruling(_turn_ended(state))
        return _card_played(state, event["card"], (event["at"][0], event["at"][1]))

    def waivers(self, state: TrioMonstersState, event: Event) -> Iterable[Mapping[str, Any]]:
        """A turn may end without a card (TRIO-R9)."""
        return ({"laid": 1},) if event["event"] == "turn_ended" and state.laid == 0 else ()

    def forced(self, state: TrioMonstersState, event: Event) -> TrioMonstersState | None:
        """A card is laid at a forbidden place; what it catches there is caught."""
        if event["event"] != "card_played" or event["player"] != state.turn:
            return None
        at = (event["at"][0], event["at"][1])
        if at in dict(state.table):
            return None
        return _card_played(state, event["card"], at, checked=False).state

    def explained(
        self, before: TrioMonstersState, event: Event, ruling: Ruling[TrioMonstersState]
    ) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def expects(self, state: TrioMonstersState) -> list[Offer]:
        """Where each colour may be laid, and whether the turn may end."""
        return _offers(state)

    def deadline(self, state: TrioMonstersState) -> float | None:
        """There is no hurry in this game."""
        return None

    def view(self, state: TrioMonstersState) -> StateView:
        """The JSON state."""
        players = state.setup.players
        return {
            "phase": state.phase,
            "turn": state.turn,
            "laid": state.laid,
            "draw_pile": state.draw_pile,
            "hand": dict(zip(players, state.hands, strict=True)),
            "won": dict(zip(players, state.won, strict=True)),
            "table": [{"at": list(laid.at), "card": laid.card} for laid in sorted(state.table)],
            "order": [list(laid.at) for laid in state.table],
        }

    def placed(
        self, state: TrioMonstersState, shown: Mapping[str, Any], given: Mapping[str, Any]
    ) -> TrioMonstersState:
        """Piles, hands and table as agreed."""
        return placed(state, shown, given)

    def scores(self, state: TrioMonstersState) -> dict[str, int]:
        """Cards won (TRIO-20)."""
        return dict(zip(state.setup.players, state.won, strict=True))

    def winner(self, state: TrioMonstersState) -> list[str]:
        """Most cards win (TRIO-20), equal numbers share (TRIO-R10)."""
        if state.phase != "over":
            return []
        most = max(state.won)
        return [player for player, won in zip(state.setup.players, state.won, strict=True) if won == most]


# --- cards ------------------------------------------------------------------------------------------------


def _opened(state: TrioMonstersState, card: str) -> TrioMonstersState:
    """The start card lies in the middle; the youngest begins (TRIO-4, TRIO-5)."""
    return replace(
        state,
        phase="play",
        turn=state.setup.settings.first_player or state.setup.players[0],
        draw_pile=state.draw_pile - 1,
        table=(LaidTriangle(START, card),),
    )


def _card_played(
    state: TrioMonstersState, card: str, at: Place, checked: bool = True
) -> Ruling[TrioMonstersState]:
    """Lays a card, then resolves what it catches and what hangs loose (TRIO-R1)."""
    player = state.turn
    assert player is not None
    seat = state.setup.players.index(player)
    if state.hands[seat] == 0:
        raise Rejected("no_cards_left", "TRIO-6")
    table = dict(state.table)
    if checked:
        _check_place(table, card, at, state.setup.settings)
    table[at] = card
    hands = _changed(state.hands, seat, -1)
    state = replace(state, laid=state.laid + 1, hands=hands, table=(*state.table, LaidTriangle(at, card)))
    caught, rule = _caught(table, at, state.setup.settings.black_counts_as_colour)
    if not caught:
        return Ruling(state)
    verdicts = [Verdict(player, "caught", {"cards": _listed(caught)}, rule)]
    left = [laid for laid in state.table if laid.at not in caught]
    loose = _detached([laid.at for laid in left])
    if loose:
        verdicts.append(Verdict(player, "detached", {"cards": _listed(loose)}, "TRIO-17"))
        left = [laid for laid in left if laid.at not in loose]
    after = replace(
        state,
        draw_pile=state.draw_pile + len(loose),
        won=_changed(state.won, seat, len(caught)),
        table=tuple(left),
    )
    return Ruling(after, tuple(verdicts))


def _check_place(table: dict[Place, str], card: str, at: Place, settings: TrioMonstersSettings) -> None:
    """Whether a card may be laid there (TRIO-7, TRIO-10, TRIO-11).

    Raises:
        Rejected: `occupied`, `no_side_contact` or `must_touch_same_colour`.
    """
    if at in table:
        raise Rejected("occupied", "TRIO-7")
    beside = [table[place] for place in sides(at) if place in table]
    if table and not beside:
        raise Rejected("no_side_contact", "TRIO-7")
    if card in beside or not _follows(card, settings):
        return
    if any(_free(table, place) for place, colour in table.items() if colour == card):
        raise Rejected("must_touch_same_colour", "TRIO-R4" if card == BLACK else "TRIO-10")


def _follows(card: str, settings: TrioMonstersSettings) -> bool:
    """Whether the colour rule binds this card (TRIO-10, TRIO-R4)."""
    return card != BLACK or settings.black_follows_colour_rule


def _free(table: dict[Place, str], at: Place) -> bool:
    """Whether the card there has a side at which nothing lies (TRIO-11)."""
    return any(place not in table for place in sides(at))


def _caught(table: dict[Place, str], at: Place, black_counts: bool) -> tuple[set[Place], str]:
    """What the card just laid catches, all on the position as it is now (TRIO-R3), and the rule."""
    caught: set[Place] = set()
    rule = ""
    colour = table[at]
    if colour != BLACK:
        linked = chain(at, table, colour)
        if len(linked) >= CHAIN:
            caught, rule = linked, "TRIO-12" if len(linked) == CHAIN else "TRIO-13"
    for black in (at, *sides(at)):
        if table.get(black) != BLACK:
            continue
        round_it = {table.get(place) for place in sides(black)}
        if len(round_it) == 3 and None not in round_it and (black_counts or BLACK not in round_it):
            caught = caught.union((black,), sides(black))
            rule = rule or "TRIO-16"
    return caught, rule


def _detached(places: list[Place]) -> set[Place]:
    """What is not in the largest group, of equal ones the one with the card laid earliest (TRIO-R6)."""
    split = groups(places)
    if len(split) < 2:
        return set()
    stays = max(split, key=len)  # the first of equal ones: groups come in the order of laying
    return {at for group in split if group is not stays for at in group}


def _turn_ended(state: TrioMonstersState) -> TrioMonstersState:
    """Draws up to three and looks for the next player who has cards (TRIO-8, TRIO-R8, TRIO-R12)."""
    if state.laid == 0:
        raise Rejected("must_play", "TRIO-R9")
    assert state.turn is not None
    players, hands, pile = state.setup.players, state.hands, state.draw_pile
    hands, pile = _drawn(hands, players.index(state.turn), pile)
    for steps in range(1, len(players) + 1):
        following = seat_after(players, state.turn, steps)
        seat = players.index(following)
        if hands[seat] == 0:
            hands, pile = _drawn(hands, seat, pile)
        if hands[seat]:
            return replace(state, turn=following, laid=0, hands=hands, draw_pile=pile)
    return replace(state, phase="over", turn=None, laid=0, hands=hands, draw_pile=pile)


def _drawn(hands: tuple[int, ...], seat: int, pile: int) -> tuple[tuple[int, ...], int]:
    """Hands and draw pile after somebody has drawn up to three cards, as far as the pile reaches."""
    cards = min(HAND - hands[seat], pile)
    return _changed(hands, seat, cards), pile - cards


def _changed(values: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + by, *values[seat + 1 :])


def _listed(places: set[Place]) -> list[list[int]]:
    return [list(at) for at in sorted(places)]


# --- what may come next -----------------------------------------------------------------------------------


def _offers(state: TrioMonstersState) -> list[Offer]:
    when = {"t": Number(low=state.time)}
    settings = state.setup.settings
    if state.phase == "setup":
        fields = {"card": _any_but((), settings), "at": OneOf((list(START),)), **when}
        return [Offer("card_revealed", fields, ("t",), rule="TRIO-4")]
    if state.phase == "over" or state.turn is None:
        return []
    offers = []
    who = {"player": OneOf((state.turn,)), **when}
    if state.hands[state.setup.players.index(state.turn)]:
        for card, at, rule in _layings(dict(state.table), settings):
            offers.append(Offer("card_played", {**who, "card": card, "at": at}, ("t",), rule=rule))
    if state.laid:
        offers.append(Offer("turn_ended", who, ("t",), rule="TRIO-8"))
    return offers


def _layings(table: dict[Place, str], settings: TrioMonstersSettings) -> list[tuple[Choice, Choice, str]]:
    """Where which colours may be laid: those bound to their own colour, then all others."""
    if not table:
        return [(_any_but((), settings), AnyPlace(), "TRIO-R7")]
    bound: dict[str, set[Place]] = {}
    border: set[Place] = set()
    for place, colour in table.items():
        free = {at for at in sides(place) if at not in table and is_place(list(at))}
        border |= free
        if free and _follows(colour, settings):
            bound.setdefault(colour, set()).update(free)
    layings: list[tuple[Choice, Choice, str]] = [
        (OneOf((colour,)), _places(bound[colour]), "TRIO-10") for colour in sorted(bound)
    ]
    others = _any_but(tuple(sorted(bound)), settings)
    if others != OneOf(()):
        layings.append((others, _places(border), "TRIO-9"))
    return layings


def _any_but(colours: tuple[str, ...], settings: TrioMonstersSettings) -> Choice:
    """Any colour of the game but these."""
    if settings.colours is None:
        return Text(colours)
    return OneOf(tuple(colour for colour in settings.colours if colour not in colours))


def _places(places: set[Place]) -> OneOf:
    return OneOf(tuple(_listed(places)))

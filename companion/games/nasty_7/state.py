"""The table of The Nasty 7: house rules, the state of a game, and how cards move between stacks and pile."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.core.errors import BadSetting
from companion.games.contract.fields import Setup
from companion.games.contract.number_words import CountingLanguage
from companion.games.nasty_7.calls import TWINS, Call, Card, racketeers_on


class Nasty7Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules of The Nasty 7."""

    deck_size: int = 110
    """Cards dealt, evenly; the rest goes to the box (N7-3)."""
    cards: dict[Card, int] | None = None
    """How many cards of each kind there are; together they are the deck."""
    hesitation_s: float = 3.0
    """More seconds than this are hesitating (N7-22)."""
    language: CountingLanguage = "en"
    """In which the players count."""
    sound: tuple[str, ...] = ("hmmrrr",)
    twins: bool = True
    """Off: the version for younger players (N7-32)."""
    nasty_rules: bool = False
    """From round 2 the first phone card sets the round's sound (N7-28)."""
    even_more_nasty: bool = False
    """A mistake with the first card costs each opponent's top card as well (N7-30)."""
    enforcement: Literal["automatic", "on_accusation"] = "automatic"
    """Who notices a wrong call: the companion, or whoever accuses (N7-R12)."""
    first_player: str | None = None
    """The youngest (N7-5)."""

    def __post_init__(self) -> None:
        if not 0 < self.hesitation_s < float("inf"):
            raise BadSetting("setting.hesitation")
        if not self.sound or not all(word.strip() for word in self.sound):
            raise BadSetting("setting.sound")
        if self.cards is not None and any(count < 0 for count in self.cards.values()):
            raise BadSetting("setting.cards")

    def dealt(self) -> int:
        """Cards that are dealt out."""
        if self.cards is None:
            return self.deck_size
        return sum(count for card, count in self.cards.items() if self.twins or card not in TWINS)


class Nasty7State(msgspec.Struct, frozen=True):
    """A game of The Nasty 7. `stacks` are in seating order, `racketeers` lie on the pile."""

    setup: Setup
    phase: str
    round: int
    turn: str | None
    skipped: str | None
    racketeers: int
    sound: tuple[str, ...] | None
    stacks: tuple[int, ...]
    pile: int
    box: int
    call: Call | None
    winners: tuple[str, ...]
    time: float


def left(state: Nasty7State, player: str) -> int:
    """Cards in a player's stack."""
    return state.stacks[state.setup.players.index(player)]


def laid(state: Nasty7State, player: str, card: str) -> Nasty7State:
    """A card moves from the player's stack to the pile, and its racketeers count (N7-6, N7-15)."""
    seat, stacks = state.setup.players.index(player), state.stacks
    return replace(
        state,
        stacks=(*stacks[:seat], stacks[seat] - 1, *stacks[seat + 1 :]),
        pile=state.pile + 1,
        racketeers=state.racketeers + racketeers_on(card),
    )


def pile_taken(state: Nasty7State, player: str, first: bool = False) -> Nasty7State:
    """A mistake: the player takes the pile and starts the next round (N7-17).

    With `first`, a mistake with the first card of the round, `even_more_nasty` costs each opponent's top card
    as well (N7-30).
    """
    players, stacks = state.setup.players, list(state.stacks)
    seat = players.index(player)
    stacks[seat] += state.pile
    if first and state.setup.settings.even_more_nasty:
        for other in range(len(players)):
            if other != seat and stacks[other] > 0:
                stacks[other] -= 1
                stacks[seat] += 1
    return new_round(state, tuple(stacks), player)


def new_round(state: Nasty7State, stacks: tuple[int, ...], starter: str) -> Nasty7State:
    """The next round: no pile, the count at one (N7-R2); over if somebody has no cards left (N7-R16)."""
    players, nasty = state.setup.players, state.setup.settings.nasty_rules
    winners = tuple(player for player, cards in zip(players, stacks, strict=True) if cards == 0)
    return replace(
        state,
        phase="over" if winners else "play",
        round=state.round + 1,
        turn=None if winners else starter,
        skipped=None,
        racketeers=0,
        sound=None if nasty else state.setup.settings.sound,
        stacks=stacks,
        pile=0,
        call=None,
        winners=winners,
    )


def ends_the_game(state: Nasty7State) -> bool:
    """Whether the next card to fall only ends the game: the last card's call is finished, or it is a gun."""
    call = state.call
    return call is not None and not call.due and left(state, call.player) == 0


def won(state: Nasty7State, player: str) -> Nasty7State:
    """The player has played all cards: the game ends at once (N7-31)."""
    return replace(state, phase="over", turn=None, skipped=None, call=None, winners=(player,))

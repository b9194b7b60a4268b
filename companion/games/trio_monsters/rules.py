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

from companion.core.errors import BadSetting
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.fields import Event, EventKind, Setup
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook, Ruling
from companion.games.trio_monsters.cells import cell_of, place_of
from companion.games.trio_monsters.laying import card_played, opened, turn_ended
from companion.games.trio_monsters.legality import breach
from companion.games.trio_monsters.position import placed
from companion.games.trio_monsters.proposals import proposals
from companion.games.trio_monsters.state import HAND, TrioMonstersSettings, TrioMonstersState
from companion.games.trio_monsters.story import story
from companion.games.trio_monsters.vocabulary import EVENTS


class TrioMonsters(Rulebook[TrioMonstersState]):
    """The rules of Trio Monsters."""

    name: ClassVar[str] = "trio_monsters"
    title: ClassVar[str] = "Trio Monsters"
    seats: ClassVar[range] = range(2, 6)
    settings_type: ClassVar[type[msgspec.Struct]] = TrioMonstersSettings
    state_type: ClassVar[type[msgspec.Struct]] = TrioMonstersState
    events: ClassVar[Mapping[str, EventKind]] = EVENTS

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
            table={},
            time=0.0,
        )

    def breach(self, state: TrioMonstersState, event: Event) -> Breach | None:
        """Phase, turn, a card in the hand, and the place where it is laid."""
        return breach(state, event)

    def effects(self, state: TrioMonstersState, event: Event) -> Ruling[TrioMonstersState]:
        """What a legal event does."""
        match event["event"]:
            case "card_played":
                return card_played(state, event["card"], cell_of(event["at"]))
            case "turn_ended":
                return Ruling(turn_ended(state))
            case _:
                return Ruling(opened(state, event["card"]))

    def waivers(self, state: TrioMonstersState, event: Event) -> Iterable[Mapping[str, Any]]:
        """A turn may end without a card (TRIO-R9)."""
        return ({"laid": 1},) if event["event"] == "turn_ended" and state.laid == 0 else ()

    def forced(self, state: TrioMonstersState, event: Event) -> TrioMonstersState | None:
        """A card is laid at a forbidden place; what it catches there is caught."""
        if event["event"] != "card_played" or breach(state, event, anywhere=True) is not None:
            return None
        return card_played(state, event["card"], cell_of(event["at"])).state

    def explained(
        self, before: TrioMonstersState, event: Event, ruling: Ruling[TrioMonstersState]
    ) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def proposals(self, state: TrioMonstersState) -> list[Offer]:
        """Where each colour may be laid, and whether the turn may end."""
        return proposals(state)

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
            "table": [
                {"at": list(place_of(cell)), "card": card} for cell, card in sorted(state.table.items())
            ],
            "order": [list(place_of(cell)) for cell in state.table],
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

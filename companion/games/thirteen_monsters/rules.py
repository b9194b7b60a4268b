"""13 Monsters (Rens Willemsen, Twisted Stranger 2020): search, build, trade, fight.

Each part of the rules has a module in this package. Rule ids: `companion rules thirteen_monsters`.

Readings of the vocabulary where it leaves a choice:

- Dealing goes on while nothing but `sets_dealt` and `monster_built` has happened; the latter answers the
  former. A set that somebody owns already is an `impossible_card`, also twice in one `sets_dealt`. If the
  whole field is dealt, the final round begins with the first player.
- `monster_built` by somebody who need not build is `not_your_turn` while others must, else `wrong_phase`.
- `search_ended` anywhere but after two cards with Prophet is `wrong_phase`.
- A search of one card, where no other can be turned over, is over with it.
- The parts of a monster lie between 1 and 13 (`bad_field`); a card or set of another number is an
  `unknown_card`. Numbers and parts of the wrong type are a `bad_field`.
- An unannounced power is judged like an announced one, then denied instead of taking effect.
- A Sacrifice is checked for sets at hand and for the power before `must_build` (M13-R17).
- The final round is a new turn for everybody, its first player included: one attack each, nothing denied.
- `points` of a battle tell the latest throw of each fighter, also while the fighter still throws.
- While monsters are chosen for a Death Battle nobody is on turn; a choice is not taken back.
- What can only be deduced (the last unseen places must be empty) is not: the companion believes its eyes.
- A trade that makes two Elemental Masters at once is a shared win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.fields import Event, EventKind, Setup
from companion.games.contract.legality import Breach
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook, Ruling
from companion.games.thirteen_monsters.battle import (
    attack_declared,
    dice_thrown,
    monster_chosen,
    set_taken,
    throwing_ended,
)
from companion.games.thirteen_monsters.building import built, settled
from companion.games.thirteen_monsters.dealing import sets_dealt, traded
from companion.games.thirteen_monsters.field import field_of
from companion.games.thirteen_monsters.legality import breach
from companion.games.thirteen_monsters.position import placed
from companion.games.thirteen_monsters.powers import power_used
from companion.games.thirteen_monsters.proposals import proposals
from companion.games.thirteen_monsters.search import card_revealed, search_over, turn_ended
from companion.games.thirteen_monsters.sets import EVERYTHING, NOTHING, health, parts_from, set_from
from companion.games.thirteen_monsters.state import GRID, ThirteenMonstersSettings
from companion.games.thirteen_monsters.state import ThirteenMonstersState as State
from companion.games.thirteen_monsters.story import story
from companion.games.thirteen_monsters.view import as_json
from companion.games.thirteen_monsters.vocabulary import EVENTS
from companion.games.thirteen_monsters.waivers import waivers


class ThirteenMonsters(Rulebook[State]):
    """The rules of 13 Monsters."""

    name: ClassVar[str] = "thirteen_monsters"
    title: ClassVar[str] = "13 Monsters"
    seats: ClassVar[range] = range(2, 9)
    settings_type: ClassVar[type[msgspec.Struct]] = ThirteenMonstersSettings
    state_type: ClassVar[type[msgspec.Struct]] = State
    events: ClassVar[Mapping[str, EventKind]] = EVENTS

    def start(self, setup: Setup) -> State:
        """78 cards face down round the gap; nobody owns anything (M13-3, M13-4, M13-6, M13-7)."""
        return State(
            setup=setup,
            phase="before_search",
            turn=setup.settings.first_player or setup.players[0],
            dealing=True,
            unfound=EVERYTHING,
            field=field_of((row * GRID + column for row, column in setup.settings.gap), {}),
            must_build=(),
            sets=(NOTHING,) * len(setup.players),
            monsters=((),) * len(setup.players),
            frozen=(),
            revealed=(),
            found=False,
            set_found=False,
            prophet=False,
            attacked=False,
            denied=(),
            frozen_this_turn=0,
            battle=None,
            finals=None,
            winners=(),
            time=0.0,
        )

    def waivers(self, state: State, event: Event) -> Iterable[Mapping[str, Any]]:
        """What a turn has used up may be used again."""
        return waivers(state, event)

    def pardon(self, state: State, event: Event) -> Ruling[State]:
        """A power that was not announced counts as announced; other remarks are dropped."""
        if event.get("event") == "power_used":
            event = {**event, "announced": True}
        return super().pardon(state, event)

    def breach(self, state: State, event: Event) -> Breach | None:
        """First what must be built, then phase, turn and the event's own codes."""
        return breach(state, event)

    def effects(self, state: State, event: Event) -> Ruling[State]:
        """What a legal event does."""
        name, player = event["event"], event["player"]
        if name == "sets_dealt":
            return sets_dealt(state, event)
        if name == "monster_built":
            return settled(built(state, state.setup.players.index(player), parts_from(event["parts"])))
        if state.dealing:
            state = replace(state, dealing=False)
        match name:
            case "card_revealed":
                row, column = event["at"]
                return card_revealed(state, player, row * GRID + column, set_from(event["card"]))
            case "search_ended":
                return Ruling(search_over(state))
            case "turn_ended":
                return Ruling(turn_ended(state))
            case "traded":
                return traded(state, event)
            case "power_used":
                return power_used(state, event)
            case "attack_declared":
                return attack_declared(state, player, parts_from(event["parts"]), set_from(event["set"]))
            case "dice_thrown":
                return dice_thrown(state, player, event["dice"], event.get("kept", []))
            case "throwing_ended":
                return throwing_ended(state, player)
            case "set_taken":
                return set_taken(state, player, None if event["set"] is None else set_from(event["set"]))
            case _:
                return monster_chosen(state, player, parts_from(event["parts"]))

    def explained(self, before: State, event: Event, ruling: Ruling[State]) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def proposals(self, state: State) -> Iterable[Offer]:
        """What may be turned over, traded, used, attacked, thrown and built."""
        return proposals(state)

    def deadline(self, state: State) -> float | None:
        """There is no hurry in this game."""
        return None

    def view(self, state: State) -> StateView:
        """The JSON state."""
        return as_json(state)

    def placed(self, state: State, shown: Mapping[str, Any], given: Mapping[str, Any]) -> State:
        """Field, sets, monsters and fight as agreed."""
        return placed(state, shown, given)

    def scores(self, state: State) -> dict[str, int]:
        """Health points (M13-61)."""
        return {
            player: health(monsters)
            for player, monsters in zip(state.setup.players, state.monsters, strict=True)
        }

    def winner(self, state: State) -> list[str]:
        """The Elemental Master, or whoever has most health points after the final round."""
        return list(state.winners)

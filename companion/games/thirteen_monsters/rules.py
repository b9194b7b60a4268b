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

from companion.core.errors import Rejected
from companion.core.events import StateView
from companion.core.sentence import Sentence
from companion.games.contract.fields import Event, EventKind, Field, Setup, a_boolean, a_player
from companion.games.contract.offers import Offer
from companion.games.contract.rulebook import Rulebook, Ruling
from companion.games.thirteen_monsters.battle import (
    attack_declared,
    dice_thrown,
    monster_chosen,
    set_taken,
    throwing_ended,
)
from companion.games.thirteen_monsters.building import (
    given,
    level,
    monster_built,
    must_build,
    settled,
    with_sets,
)
from companion.games.thirteen_monsters.final_round import final_round
from companion.games.thirteen_monsters.offers import offers
from companion.games.thirteen_monsters.position import as_json, placed
from companion.games.thirteen_monsters.powers import power_used
from companion.games.thirteen_monsters.search import card_revealed, search_ended
from companion.games.thirteen_monsters.state import (
    CARDS,
    GRID,
    HEALTH,
    Battle,
    Monster,
    ThirteenMonstersSettings,
    a_field_place,
    a_power,
    a_set,
    a_set_or_none,
    health,
    owner_of,
    parts_from,
    place_as_json,
    set_as_json,
    set_from,
    some_dice,
    some_monsters,
    some_parts,
    some_sets,
    species,
    throws,
)
from companion.games.thirteen_monsters.state import ThirteenMonstersState as State
from companion.games.thirteen_monsters.story import story
from companion.games.thirteen_monsters.turn import turn_ended
from companion.games.thirteen_monsters.waivers import waivers


def _bargain(event: Event, setup: Setup) -> str | None:
    """Something changes hands, no set twice, and not with oneself (M13-20)."""
    gives, gets = event.get("gives"), event.get("gets")
    if "with" in event and event["with"] == event.get("player"):
        return "bad_field"
    if some_sets(gives, setup) is not None or some_sets(gets, setup) is not None:
        return None
    both = [set_from(one) for one in (*(gives or ()), *(gets or ()))]
    return "bad_field" if not both or len(set(both)) != len(both) else None


_PLAYER = Field("player", a_player)
_POWER = (_PLAYER, Field("power", a_power), Field("announced", a_boolean, required=False))
_BEFORE = frozenset({"before_search", "final_round"})
_FIGHT = frozenset({"attack", "death_battle"})

POWER_KINDS = {
    "sacrifice": EventKind((*_POWER, Field("rebuilt", some_monsters)), _BEFORE),
    "permafrost": EventKind((*_POWER, Field("at", a_field_place)), _BEFORE | {"after_search"}),
    "prophet": EventKind(_POWER, _BEFORE),
    "supernova": EventKind((*_POWER, Field("parts", some_parts)), _BEFORE),
}
"""What each power needs beside its name."""

_PHASE_RULE = {
    "before_search": "M13-11",
    "search": "M13-11",
    "after_search": "M13-13",
    "attack": "M13-51",
    "spoils": "M13-58",
    "final_round": "M13-60",
    "death_battle": "M13-62",
}
"""What the table is about in each phase: why another event does not belong there."""


class ThirteenMonsters(Rulebook[State]):
    """The rules of 13 Monsters."""

    name: ClassVar[str] = "thirteen_monsters"
    title: ClassVar[str] = "13 Monsters"
    seats: ClassVar[range] = range(2, 9)
    settings_type: ClassVar[type[msgspec.Struct]] = ThirteenMonstersSettings
    state_type: ClassVar[type[msgspec.Struct]] = State
    events: ClassVar[Mapping[str, EventKind]] = {
        "sets_dealt": EventKind(
            (_PLAYER, Field("sets", some_sets)),
            frozenset({"before_search"}),
            "The short game's Grunts, or an interrupted game taken up again.",
        ),
        "card_revealed": EventKind(
            (_PLAYER, Field("at", a_field_place), Field("card", a_set)),
            frozenset({"before_search", "search"}),
            "A card is turned over in a search.",
        ),
        "search_ended": EventKind(
            (_PLAYER,), frozenset({"search"}), "The third card of a search with Prophet is declined."
        ),
        "turn_ended": EventKind(
            (_PLAYER,),
            frozenset({"before_search", "after_search", "final_round"}),
            "The next player's turn.",
        ),
        "traded": EventKind(
            (_PLAYER, Field("with", a_player), Field("gives", some_sets), Field("gets", some_sets)),
            frozenset({"before_search"}),
            "Loose sets change hands.",
            _bargain,
        ),
        "power_used": EventKind(
            (
                *_POWER,
                Field("rebuilt", some_monsters, required=False),
                Field("at", a_field_place, required=False),
                Field("parts", some_parts, required=False),
            ),
            _BEFORE | {"after_search"},
            "A special power; `rebuilt` for Sacrifice, `at` for Permafrost, `parts` for Supernova.",
        ),
        "monster_built": EventKind(
            (_PLAYER, Field("parts", some_parts)),
            frozenset({"before_search", "search", "final_round"}),
            "Somebody chooses the sets of a monster that must be built.",
        ),
        "attack_declared": EventKind(
            (_PLAYER, Field("parts", some_parts), Field("set", a_set)),
            _BEFORE,
            "An attack with this monster for that set.",
        ),
        "dice_thrown": EventKind(
            (_PLAYER, Field("dice", some_dice), Field("kept", some_dice, required=False)),
            _FIGHT,
            "A throw: the values just thrown, and those left lying aside.",
        ),
        "throwing_ended": EventKind((_PLAYER,), _FIGHT, "A fighter stops before the last throw."),
        "set_taken": EventKind(
            (_PLAYER, Field("set", a_set_or_none)),
            frozenset({"spoils"}),
            "The successful defender takes a set of the attacking monster, or declines (null).",
        ),
        "monster_chosen": EventKind(
            (_PLAYER, Field("parts", some_parts)),
            frozenset({"death_battle"}),
            "A tied player chooses the monster for the Death Battle.",
        ),
    }

    def start(self, setup: Setup) -> State:
        """78 cards face down round the gap; nobody owns anything (M13-3, M13-4, M13-6, M13-7)."""
        nothing: tuple[tuple[Any, ...], ...] = ((),) * len(setup.players)
        return State(
            setup=setup,
            phase="before_search",
            turn=setup.settings.first_player or setup.players[0],
            dealing=True,
            cards_left=CARDS,
            empty=frozenset(row * GRID + column for row, column in setup.settings.gap),
            seen={},
            sets=nothing,
            monsters=nothing,
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

    def kind_of(self, event: Event) -> EventKind | None:
        """Each power has fields of its own."""
        if event.get("event") == "power_used":
            power = event.get("power")
            if isinstance(power, str) and power in POWER_KINDS:
                return POWER_KINDS[power]
        return super().kind_of(event)

    def waivers(self, state: State, event: Event) -> Iterable[Mapping[str, Any]]:
        """What a turn has used up may be used again."""
        return waivers(state, event)

    def pardon(self, state: State, event: Event) -> Ruling[State]:
        """A power that was not announced counts as announced; other remarks are dropped."""
        if event.get("event") == "power_used":
            event = {**event, "announced": True}
        return super().pardon(state, event)

    def apply(self, state: State, event: Event) -> Ruling[State]:
        """Judges an admitted event: first what must be built, then phase, turn and the event's own codes."""
        if "t" in event:
            state = replace(state, time=float(event["t"]))
        kind, player = event["event"], event["player"]
        if kind == "monster_built":
            return monster_built(state, player, parts_from(event["parts"]))
        if must_build(state):
            raise Rejected("must_build", "M13-16")
        expected = self.kind_of(event)
        if expected is None or state.phase not in expected.phases:
            raise Rejected("wrong_phase", _PHASE_RULE[state.phase])
        if kind == "sets_dealt":
            return _sets_dealt(state, player, event["sets"])
        if state.phase in _ON_TURN and player != state.turn:
            raise Rejected("not_your_turn", "M13-13")
        return _judged(replace(state, dealing=False) if state.dealing else state, event)

    def explained(self, before: State, event: Event, ruling: Ruling[State]) -> tuple[Sentence, ...]:
        """What the event meant (see `Rulebook.story`)."""
        return story(before, event, ruling.state, ruling.verdicts)

    def expects(self, state: State) -> list[Offer]:
        """What may be turned over, traded, used, attacked, thrown and built."""
        return offers(state)

    def deadline(self, state: State) -> float | None:
        """There is no hurry in this game."""
        return None

    def view(self, state: State) -> StateView:
        """The JSON state."""
        players, settings = state.setup.players, state.setup.settings
        return {
            "phase": state.phase,
            "turn": state.turn,
            "cards_left": state.cards_left,
            "must_build": must_build(state),
            "level": {player: level(state, seat) for seat, player in enumerate(players)},
            "sets": {
                player: [set_as_json(one) for one in loose]
                for player, loose in zip(players, state.sets, strict=True)
            },
            "monsters": {
                player: [_monster_as_json(monster, settings) for monster in monsters]
                for player, monsters in zip(players, state.monsters, strict=True)
            },
            "frozen": [{"at": place_as_json(one.place), "player": one.player} for one in state.frozen],
            "battle": _battle_as_json(state.battle),
            **as_json(state),
        }

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


_ON_TURN = frozenset({"before_search", "search", "after_search", "final_round"})
"""Phases in which everything is done by the player on turn; in fights the fight says who acts."""


def _judged(state: State, event: Event) -> Ruling[State]:
    """An event in its phase, by whoever may act."""
    player = event["player"]
    match event["event"]:
        case "card_revealed":
            return card_revealed(state, player, event["at"], set_from(event["card"]))
        case "search_ended":
            return Ruling(search_ended(state))
        case "turn_ended":
            return Ruling(turn_ended(state))
        case "traded":
            return _traded(state, event)
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


def _sets_dealt(state: State, player: str, sets: Any) -> Ruling[State]:
    """Sets leave the field before the game; their places stay unknown (M13-10)."""
    if not state.dealing:
        raise Rejected("wrong_phase", "M13-10")
    seat = state.setup.players.index(player)
    for one in map(set_from, sets):
        if owner_of(state, one) is not None:
            raise Rejected("impossible_card", "M13-R12")
        state = replace(given(state, seat, one), cards_left=state.cards_left - 2)
    ruling = settled(state)
    if ruling.state.cards_left == 0 and ruling.state.phase != "over":
        assert ruling.state.turn is not None
        return Ruling(final_round(ruling.state, ruling.state.turn), ruling.verdicts)
    return ruling


def _traded(state: State, event: Event) -> Ruling[State]:
    """Loose sets for loose sets, before the search (M13-8, M13-17 to M13-20, M13-R1)."""
    players = state.setup.players
    seat, other = players.index(event["player"]), players.index(event["with"])
    if not state.sets[seat] and not state.monsters[seat]:
        raise Rejected("not_allowed_yet", "M13-8")
    gives, gets = [set_from(one) for one in event["gives"]], [set_from(one) for one in event["gets"]]
    mine, theirs = set(state.sets[seat]), set(state.sets[other])
    if not mine.issuperset(gives) or not theirs.issuperset(gets):
        raise Rejected("no_such_set", "M13-R1")
    state = with_sets(state, seat, tuple(mine.difference(gives).union(gets)))
    return settled(with_sets(state, other, tuple(theirs.difference(gets).union(gives))))


def _monster_as_json(monster: Monster, settings: ThirteenMonstersSettings) -> dict[str, Any]:
    kind = species(monster.parts)
    return {
        "parts": list(monster.parts),
        "species": kind,
        "hp": HEALTH[kind],
        "throws": throws(monster.parts, settings),
        "spent": monster.spent,
    }


def _battle_as_json(battle: Battle | None) -> dict[str, Any] | None:
    """An attack or a Death Battle as a JSON object, null in peace."""
    if battle is None:
        return None
    allowed = {player: n for player, n in zip(battle.players, battle.throws, strict=True) if n is not None}
    points = {player: n for player, n in zip(battle.players, battle.points, strict=True) if n is not None}
    thrown = {"thrown": battle.thrown, "lying": list(battle.lying)}
    dice = {"throws": allowed, "points": points, **thrown}
    if battle.target is None:
        chosen = zip(battle.players, battle.monsters, strict=True)
        return {
            "players": list(battle.players),
            "chosen": {player: None if parts is None else list(parts) for player, parts in chosen},
            **dice,
        }
    return {
        "attacker": battle.players[0],
        "defender": battle.players[1],
        "parts": list(battle.monsters[0] or ()),
        "set": set_as_json(battle.target),
        **dice,
    }

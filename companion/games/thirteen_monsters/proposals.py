"""What may come next in 13 Monsters, before the rules have sorted out what is refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.games.contract.choices import Collection, Number, Objects
from companion.games.contract.offers import Choice, Offer, OneOf
from companion.games.thirteen_monsters.building import unspent
from companion.games.thirteen_monsters.field import EMPTY, PLACES, UNSEEN, faces_seen, times_seen
from companion.games.thirteen_monsters.legality import attacking, buildable_parts, thrown_dice
from companion.games.thirteen_monsters.power_legality import rearrangements
from companion.games.thirteen_monsters.powers import holds_power
from companion.games.thirteen_monsters.sets import (
    EVERYTHING,
    Parts,
    set_as_json,
    sets_in,
    sets_of,
)
from companion.games.thirteen_monsters.state import (
    DICE,
    POWERS,
    ThirteenMonstersState,
    place_as_json,
)

State = ThirteenMonstersState


def proposals(state: State) -> Iterator[Offer]:
    """Everything that the phase is about, by whoever may act."""
    if state.must_build:
        for player in state.must_build:
            yield _offer(state, "monster_built", player, {"parts": buildable_parts(state, player)})
        return
    if state.turn is None:
        yield from _choosing(state)
        return
    match state.phase:
        case "attack" | "death_battle":
            yield from _throwing(state, state.turn)
        case "spoils":
            sets = sorted(sets_in(sets_of(attacking(state.battle))), key=lambda one: one % 3)
            yield _offer(state, "set_taken", state.turn, {"set": _objects(sets)}, rule="M13-58")
            yield _offer(state, "set_taken", state.turn, {"set": OneOf((None,))}, rule="M13-R19")
        case _:
            yield from _in_turn(state, state.turn)


def _in_turn(state: State, player: str) -> Iterator[Offer]:
    """What a player does in the own turn."""
    if state.phase == "after_search":
        yield _offer(state, "turn_ended", player, rule="M13-13")
    if state.phase != "search":
        yield from _powers(state, player)
    if state.phase in ("before_search", "final_round"):
        yield from _attacks(state, player)
    if state.phase in ("before_search", "search"):
        yield from _searching(state, player)
    if state.phase == "before_search":
        yield from _trades(state, player)
        yield from _deals(state)
        yield _offer(state, "turn_ended", player, rule="M13-R6")
    if state.phase == "search":
        yield _offer(state, "search_ended", player, rule="M13-41")
    if state.phase == "final_round":
        yield _offer(state, "turn_ended", player, rule="M13-60")


def _offer(
    state: State,
    event: str,
    player: str,
    fields: dict[str, Choice] | None = None,
    optional: tuple[str, ...] = (),
    rule: str = "M13-15",
) -> Offer:
    when = {"t": Number(low=state.time)}
    return Offer(event, {"player": OneOf((player,)), **(fields or {}), **when}, (*optional, "t"), rule=rule)


_SETS = [set_as_json(one) for one in sets_in(EVERYTHING)]
_PLACES = [place_as_json(place) for place in PLACES]


def _as_json(sets: Iterable[int]) -> tuple[dict[str, object], ...]:
    return tuple(_SETS[one] for one in sets)


def _objects(sets: Iterable[int]) -> Objects:
    return Objects(_as_json(sets))


def _places(places: Iterable[int]) -> OneOf:
    return OneOf(tuple(_PLACES[place] for place in places))


def _parts(monsters: Iterable[Parts]) -> OneOf:
    return OneOf(tuple(list(parts) for parts in monsters))


# --- searching and trading --------------------------------------------------------------------------------


def _searching(state: State, player: str) -> Iterator[Offer]:
    """Cards to turn over: known ones with their face, the others with any face that can still turn up."""
    known: dict[int, list[int]] = {}
    for place, face in faces_seen(state.field).items():
        known.setdefault(face, []).append(place)
    classes = [(places, [face]) for face, places in known.items()]
    hidden = [place for place in PLACES if state.field[place] == UNSEEN]
    faces = [one for one in sets_in(state.unfound) if times_seen(state.field, one) < 2]
    for places, cards in (*classes, (hidden, faces)):
        fields: dict[str, Choice] = {"at": _places(places), "card": _objects(cards)}
        yield _offer(state, "card_revealed", player, fields, rule="M13-11")


def _deals(state: State) -> Iterator[Offer]:
    """Sets for anybody before the game begins."""
    if state.dealing:
        for player in state.setup.players:
            fields: dict[str, Choice] = {"sets": Collection(_as_json(sets_in(state.unfound)))}
            yield _offer(state, "sets_dealt", player, fields, rule="M13-10")


def _trades(state: State, player: str) -> Iterator[Offer]:
    """Something for something or nothing, something or nothing for something."""
    players = state.setup.players
    mine = state.sets[players.index(player)]
    for other, theirs in zip(players, state.sets, strict=True):
        for least, most in (((1, 0), mine), ((0, 1), theirs)):
            if other != player and most:
                fields: dict[str, Choice] = {
                    "with": OneOf((other,)),
                    "gives": Collection(_as_json(sets_in(mine)), least[0]),
                    "gets": Collection(_as_json(sets_in(theirs)), least[1]),
                }
                yield _offer(state, "traded", player, fields, rule="M13-17")


# --- powers and fights ------------------------------------------------------------------------------------


_POWER_RULE = {"sacrifice": "M13-33", "permafrost": "M13-34", "prophet": "M13-40", "supernova": "M13-43"}


def _powers(state: State, player: str) -> Iterator[Offer]:
    """The powers of the own monsters."""
    for power in POWERS:
        if holds_power(state, player, power):
            fields = {"power": OneOf((power,)), **_aim(state, player, power)}
            yield _offer(state, "power_used", player, fields, rule=_POWER_RULE[power])


def _aim(state: State, player: str, power: str) -> dict[str, Choice]:
    """What a power may be aimed at."""
    match power:
        case "sacrifice":
            return {"rebuilt": rearrangements(state, player)}
        case "permafrost":
            return {"at": _places(place for place in PLACES if state.field[place] != EMPTY)}
        case "supernova":
            return {"parts": _parts(_of_others(state, player))}
        case _:
            return {}


def _of_others(state: State, player: str) -> list[Parts]:
    """The unspent monsters of the opponents."""
    seats = [seat for seat, other in enumerate(state.setup.players) if other != player]
    return [parts for seat in seats for parts in unspent(state, seat)]


def _attacks(state: State, player: str) -> Iterator[Offer]:
    """Own monsters, and sets of the opponents."""
    targets = EVERYTHING & ~state.unfound & ~state.sets[state.setup.players.index(player)]
    own = unspent(state, state.setup.players.index(player))
    fields: dict[str, Choice] = {"parts": _parts(own), "set": _objects(sets_in(targets))}
    yield _offer(state, "attack_declared", player, fields, rule="M13-24")


def _throwing(state: State, player: str) -> Iterator[Offer]:
    """A throw with all dice, or with those that do not stay, or stopping (M13-51 to M13-54)."""
    for count in range(DICE):
        kept = [[value] * count for value in range(1, 7)] if count else [[]]
        fields: dict[str, Choice] = {"dice": thrown_dice(kept[0]), "kept": OneOf(tuple(kept))}
        yield _offer(state, "dice_thrown", player, fields, ("kept",) if count == 0 else (), "M13-51")
    yield _offer(state, "throwing_ended", player, rule="M13-53")


def _choosing(state: State) -> Iterator[Offer]:
    """A monster of each tied player who has not chosen yet."""
    for seat, player in enumerate(state.setup.players):
        fields: dict[str, Choice] = {"parts": _parts(unspent(state, seat))}
        yield _offer(state, "monster_chosen", player, fields, rule="M13-62")

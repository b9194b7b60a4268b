"""A position of Seven Merry Monsters: trick, displays, cards owed, rounds played."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

from companion.core.events import StateView
from companion.games.contract.fields import Setup
from companion.games.contract.position import (
    Shown,
    a_seat,
    by_player,
    flag,
    listed,
    mapped,
    one_of,
    require,
    whole,
)
from companion.games.seven_merry_monsters.state import (
    HAND,
    JOKER,
    JOKERS,
    LAST_CARDS,
    PER_MONSTER,
    TRICKS,
    Column,
    Display,
    TrickCard,
    all_cards,
    totals,
    trick_card,
)
from companion.games.seven_merry_monsters.state import SevenMerryMonstersState as State
from companion.games.seven_merry_monsters.vocabulary import a_played_card

PHASES = ("setup", "trick", "award", "placing", "last_cards", "scan", "over")


def as_json(state: State) -> StateView:
    """What a position holds beyond what the table shows."""
    players = state.setup.players
    return {
        "revealed": {player: list(one) for player, one in zip(players, state.bared, strict=True)},
        "numbers_seen": [
            {"monster": monster, "number": number}
            for monster, left in sorted((state.numbers or {}).items())
            for number in sorted(set(state.setup.settings.numbers).difference(left))
        ],
        "scanned": dict(zip(players, state.scanned, strict=True)),
    }


def placed(state: State, shown: Shown, given: Shown) -> State:
    """The state of a position (see `companion.games.nasty_7.position.placed`).

    Raises:
        Rejected: `bad_position`.
    """
    setup = state.setup
    monsters = setup.settings.monsters
    after = replace(
        state,
        phase=one_of(shown["phase"], PHASES),
        round=whole(shown["round"], 1),
        trick=whole(shown["trick"], 0, TRICKS),
        turn=None if shown["turn"] is None else a_seat(shown["turn"], setup),
        leader=a_seat(shown["leader"], setup),
        table=tuple(_laid(one, setup) for one in listed(shown["table"])),
        display=by_player(shown["display"], setup, lambda value: _display(value, monsters)),
        aside=by_player(shown["aside"], setup, whole),
        hidden=by_player(shown["face_down"], setup, _hidden),
        bared=by_player(
            shown["revealed"], setup, lambda value: tuple(one_of(one, monsters) for one in listed(value))
        ),
        numbers=_numbers(shown["numbers_seen"], setup),
        scanned=by_player(shown["scanned"], setup, flag),
        rounds=tuple(by_player(points, setup, whole) for points in listed(shown["round_scores"])),
    )
    after = _owing(after, mapped(shown["to_place"]))
    after = replace(after, left=_left(after))
    _check_cards(after)
    _check_course(after)
    return after


# --- readers ----------------------------------------------------------------------------------------------


def _laid(value: Any, setup: Setup) -> TrickCard:
    found = mapped(value)
    require(a_played_card(found["card"], setup) is None)
    return trick_card(a_seat(found["player"], setup), found["card"], setup)


def _display(value: Any, monsters: tuple[str, ...]) -> Display:
    """Columns in the order in which they were started; none of jokers alone (SMM-21)."""
    found: Display = {}
    for monster, column in mapped(value).items():
        cards = whole(mapped(column)["cards"], 1)
        found[one_of(monster, monsters)] = Column(cards, whole(column["jokers"], 0, cards - 1))
    return found


def _numbers(value: Any, setup: Setup) -> dict[str, tuple[int, ...]] | None:
    """The numbers left of each monster, without those seen."""
    monsters, numbers = setup.settings.monsters, setup.settings.numbers
    seen = [(one_of(mapped(one)["monster"], monsters), whole(one["number"])) for one in listed(value)]
    require(not seen or numbers is not None)
    if numbers is None:
        return None
    require(all(number in numbers for _, number in seen))
    return {monster: tuple(n for n in numbers if (monster, n) not in seen) for monster in monsters}


def _hidden(value: Any) -> tuple[int, int]:
    cards = [whole(one, 0, LAST_CARDS) for one in listed(value)]
    require(len(cards) == 2)
    return cards[0], cards[1]


def _owing(state: State, to_place: dict[str, Any]) -> State:
    """Who owes cards of the hand, and who jokers of the last trick: which it is follows from the phase."""
    players = state.setup.players
    require(to_place.keys() <= set(players))
    due = [whole(to_place.get(player, 0)) for player in players]
    none = (0,) * len(players)
    if state.phase == "placing":
        taker = players.index(state.leader)
        jokers = tuple(cards if seat == taker else 0 for seat, cards in enumerate(due))
        hand = tuple(0 if seat == taker else cards for seat, cards in enumerate(due))
        require(any(due) and max(hand) <= 1 and (jokers[taker] == 0 or bool(state.display[taker])))
        return replace(state, hand_owed=hand, jokers_owed=jokers)
    if state.phase == "last_cards":
        other = [
            sum(hidden) + (aside if display else 0)
            for hidden, aside, display in zip(state.hidden, state.aside, state.display, strict=True)
        ]
        hand = tuple(cards - more for cards, more in zip(due, other, strict=True))
        require(min(hand) >= 0 and max(hand) <= LAST_CARDS and any(due))
        return replace(state, hand_owed=hand, jokers_owed=none)
    if state.phase == "setup":
        require(max(due) <= LAST_CARDS and any(due))
        return replace(state, hand_owed=tuple(due), jokers_owed=none)
    require(not any(due))
    return replace(state, hand_owed=none, jokers_owed=none)


# --- laws -------------------------------------------------------------------------------------------------


def _left(state: State) -> dict[str, int]:
    """What the open cards of the round leave; nothing is counted where displays are scanned."""
    left = all_cards(state.setup)
    if state.phase == "scan":
        return left
    for laid in state.table:
        left[laid.monster] -= 1
    for display in state.display:
        for monster, column in display.items():
            left[monster] -= column.cards - column.jokers
            left[JOKER] -= column.jokers
    left[JOKER] -= sum(state.aside) + sum(state.jokers_owed)
    require(min(left.values()) >= 0)
    return {monster: cards for monster, cards in left.items() if cards}


def _check_cards(state: State) -> None:
    """Seven of each monster, eleven jokers, ten cards a player (SMM-2, SMM-4)."""
    columns = [column for display in state.display for column in display.values()]
    plain: Counter[str] = Counter(laid.monster for laid in state.table if laid.monster != JOKER)
    for display in state.display:
        for monster, column in display.items():
            plain[monster] += column.cards - column.jokers
    jokers = sum(column.jokers for column in columns) + sum(state.aside) + sum(state.jokers_owed)
    jokers += sum(laid.monster == JOKER for laid in state.table)
    require(max(plain.values(), default=0) <= PER_MONSTER and jokers <= JOKERS)
    lying = sum(column.cards for column in columns) + sum(map(sum, state.hidden)) + sum(state.aside)
    require(lying + sum(state.jokers_owed) + len(state.table) <= HAND * len(state.setup.players))


def _check_course(state: State) -> None:
    """Phase, turn and rounds fit each other. A table may go over from following cards to reading displays,
    and back."""
    settings, phase, players = state.setup.settings, state.phase, state.setup.players
    require(phase != "setup" or settings.variant != "standard")
    require((state.turn is not None) == (phase in ("trick", "award")))
    laid_by = [laid.player for laid in state.table]
    require(len(set(laid_by)) == len(laid_by) and (not laid_by or phase in ("trick", "award")))
    if phase == "trick":
        require(len(laid_by) < len(players) and state.turn not in laid_by and state.trick >= 1)
    elif phase == "award":
        require(len(laid_by) > 1 and state.turn == laid_by[-1])
    under_the_bed = settings.variant == "monster_under_the_bed"
    require(under_the_bed or not any(map(any, state.hidden)))
    played = state.round if phase == "over" else state.round - 1
    require(len(state.rounds) == played)
    require(phase != "over" or max(totals(state)) >= settings.target)
    require(phase in ("scan", "over") or not any(state.scanned))

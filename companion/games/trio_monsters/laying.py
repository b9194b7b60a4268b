"""What legal events of Trio Monsters do: a card is laid, catches others, and the turn goes on."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.contract.rulebook import Ruling, Verdict
from companion.games.trio_monsters.cells import beside, cell_of, chain, groups, place_of
from companion.games.trio_monsters.state import BLACK, CHAIN, HAND, START, TrioMonstersState


def opened(state: TrioMonstersState, card: str) -> TrioMonstersState:
    """The start card lies in the middle; the youngest begins (TRIO-4, TRIO-5)."""
    return replace(
        state,
        phase="play",
        turn=state.setup.settings.first_player or state.setup.players[0],
        draw_pile=state.draw_pile - 1,
        table={cell_of(START): card},
    )


def card_played(state: TrioMonstersState, card: str, cell: int) -> Ruling[TrioMonstersState]:
    """Lays a card, then resolves what it catches and what hangs loose (TRIO-R1)."""
    player = state.turn
    assert player is not None
    seat = state.setup.players.index(player)
    table = {**state.table, cell: card}
    hands = _changed(state.hands, seat, -1)
    caught, rule = _caught(table, cell, state.setup.settings.black_counts_as_colour)
    if not caught:
        return Ruling(replace(state, laid=state.laid + 1, hands=hands, table=table))
    verdicts = [Verdict(player, "caught", {"cards": _listed(caught)}, rule)]
    left = [lying for lying in table if lying not in caught]
    loose = _detached(left)
    if loose:
        verdicts.append(Verdict(player, "detached", {"cards": _listed(loose)}, "TRIO-17"))
    after = replace(
        state,
        laid=state.laid + 1,
        hands=hands,
        draw_pile=state.draw_pile + len(loose),
        won=_changed(state.won, seat, len(caught)),
        table={lying: table[lying] for lying in left if lying not in loose},
    )
    return Ruling(after, tuple(verdicts))


def _caught(table: dict[int, str], cell: int, black_counts: bool) -> tuple[set[int], str]:
    """What the card just laid catches, all on the position as it is now (TRIO-R3), and the rule."""
    caught: set[int] = set()
    rule = ""
    neighbours = beside(cell)
    if table[cell] != BLACK:
        linked = chain(cell, table)
        if len(linked) >= CHAIN:
            caught, rule = linked, "TRIO-12" if len(linked) == CHAIN else "TRIO-13"
    for black in (cell, *neighbours):
        if table.get(black) != BLACK:
            continue
        round_it = {table.get(place) for place in beside(black)}
        if len(round_it) == 3 and None not in round_it and (black_counts or BLACK not in round_it):
            caught = caught.union((black,), beside(black))
            rule = rule or "TRIO-16"
    return caught, rule


def _detached(cells: list[int]) -> set[int]:
    """What is not in the largest group, of equal ones the one with the card laid earliest (TRIO-R6)."""
    split = groups(cells)
    if len(split) < 2:
        return set()
    stays = max(split, key=len)  # the first of equal ones: groups come in the order of laying
    return {cell for group in split if group is not stays for cell in group}


def turn_ended(state: TrioMonstersState) -> TrioMonstersState:
    """Draws up to three and looks for the next player who has cards (TRIO-8, TRIO-R8, TRIO-R12)."""
    assert state.turn is not None
    players, hands, pile = state.setup.players, state.hands, state.draw_pile
    own = players.index(state.turn)
    hands, pile = _drawn(hands, own, pile)
    for steps in range(1, len(players) + 1):
        seat = (own + steps) % len(players)
        if hands[seat] == 0:
            hands, pile = _drawn(hands, seat, pile)
        if hands[seat]:
            return replace(state, turn=players[seat], laid=0, hands=hands, draw_pile=pile)
    return replace(state, phase="over", turn=None, laid=0, hands=hands, draw_pile=pile)


def _drawn(hands: tuple[int, ...], seat: int, pile: int) -> tuple[tuple[int, ...], int]:
    """Hands and draw pile after somebody has drawn up to three cards, as far as the pile reaches."""
    cards = min(HAND - hands[seat], pile)
    return _changed(hands, seat, cards), pile - cards


def _changed(values: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + by, *values[seat + 1 :])


def _listed(cells: Iterable[int]) -> list[list[int]]:
    return [list(place_of(cell)) for cell in sorted(cells)]

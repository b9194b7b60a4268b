"""Which events explain cards when the camera has not seen their order, or not seen the cards themselves.

Turns end where hands are empty, because cards are drawn only at their end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations
from math import inf
from typing import Any

import msgspec

from companion.core.errors import Rejected
from companion.games.spotter import GameView
from companion.games.trio_monsters.lattice import Place, sides
from companion.games.trio_monsters.rules import TrioMonsters

Event = dict[str, Any]


def layings(
    new: Mapping[Place, str], game: GameView, since: Mapping[Place, float] | None = None
) -> list[list[Event]]:
    """The possible sequences of events that laid the new cards: one for each different result.

    If no order is legal, the one with the most legal cards is given, and the referee finds what is wrong.
    `since`: the times of the game at which the cards came to rest, if they are known; of orders with the same
    result the one is given in which the cards did.
    """
    state = state_after(game.past, game)
    times = since or {}
    outcomes: dict[str, list[Event]] = {}
    farthest: tuple[int, list[Event]] = (-1, [])
    for order in permutations(sorted(new, key=lambda at: (times.get(at, 0.0), at))):
        events, after, good = _played(state, [(at, new[at]) for at in order])
        events = _timed(events, times) if since else events
        if good < len(order):
            farthest = max(farthest, (good, events), key=lambda one: one[0])
            continue
        outcomes.setdefault(_outcome(after), events)
    return list(outcomes.values()) or [farthest[1]]


def _timed(events: Sequence[Event], since: Mapping[Place, float]) -> list[Event]:
    """The events with their times: a turn ends when the next card is laid, and no card before the last."""
    timed: list[Event] = []
    t = -inf
    for number, event in enumerate(events):
        laid = next(later for later in events[number:] if later["event"] == "card_played")
        t = max(t, since[place_of(laid)])
        timed.append({**event, "t": t})
    return timed


def catches(
    laid: Iterable[tuple[Place, str]], missing: Collection[Place], game: GameView
) -> dict[tuple[str, str], list[Event]]:
    """The events of each of these cards that catches, or cuts off, exactly the cards that are missing, and is
    taken away with them: the first one of each card and result."""
    state = state_after(game.past, game)
    left = {place: name for place, name in table_of(game.view).items() if place not in missing}
    found: dict[tuple[str, str], list[Event]] = {}
    for at, card in laid:
        events, after, good = _played(state, [(at, card)])
        if good and table_of(TrioMonsters().view(after)) == left:
            found.setdefault((card, _outcome(after)), events)
    return found


def unseen_catches(missing: Collection[Place], game: GameView) -> list[list[Event]]:
    """The events of one more card that explains that the cards at these places have gone: one for each card
    and result.

    A player who has caught takes the cards at once, often before the table has come to rest.
    """
    known = table_of(game.view)
    free = sorted({side for lying in known for side in sides(lying)} - known.keys())
    cards = game.labels or tuple(sorted({*known.values()}))
    return list(catches(((at, card) for at in free for card in cards), missing, game).values())


def state_after(past: Sequence[Mapping[str, Any]], game: GameView) -> Any:
    """The state of the game after these events."""
    book = TrioMonsters()
    state = book.start(book.header(list(game.players), msgspec.to_builtins(game.settings)))
    for event in past:
        state = book.play(state, event).state
    return state


def _played(state: Any, cards: list[tuple[Place, str]]) -> tuple[list[Event], Any, int]:
    """The events of cards laid in this order (turns end where hands are empty), the state after the legal
    ones, and the number of legal cards."""
    book = TrioMonsters()
    events: list[Event] = []
    good, stopped = 0, False
    for at, card in cards:
        view = book.view(state)
        player = view["turn"]
        if not stopped and player is not None and not view["hand"][player]:
            ended: Event = {"event": "turn_ended", "player": player}
            state = book.play(state, ended).state
            events.append(ended)
            player = book.view(state)["turn"]
        event: Event = {"event": "card_played", "player": player, "card": card, "at": list(at)}
        events.append(event)
        try:
            state = state if stopped else book.play(state, event).state
            good += not stopped
        except Rejected:
            stopped = True
    return events, state, good


def _outcome(state: Any) -> str:
    view = TrioMonsters().view(state)
    return repr({name: view[name] for name in ("turn", "won", "hand", "table", "draw_pile")})


def table_of(view: Mapping[str, Any]) -> dict[Place, str]:
    """The cards on the known table, by place."""
    return {(laid["at"][0], laid["at"][1]): str(laid["card"]) for laid in view.get("table", ())}


def place_of(event: Mapping[str, Any]) -> Place:
    """The place of a laid card."""
    row, column = event["at"]
    return int(row), int(column)

"""Scripts of Trio Monsters: triangles side to side, catches, turns ended by button or by an empty hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bench.evenings.habits import Habits, drawn, seats
from bench.evenings.script import NAMES, ButtonPress, Json, Rng, Script, ScriptWriter
from companion.art.scene import Placed
from companion.art.scene.lattice import triangle
from companion.art.scene.moves import LayMove, Move, Push, Reach, Take
from companion.core.errors import Rejected
from companion.games.trio_monsters.game import CARDS
from companion.games.trio_monsters.lattice import Place, sides

SPAN = 900.0
ROWS, COLUMNS = 3, 10
"""How far from the start card people lay: the picture ends beyond."""
WHOLE = 10
"""Every so many games are played with the whole deck."""
LONGEST = 220


@dataclass
class _TrioPlay:
    """The physical game beside the true record."""

    writer: ScriptWriter
    rng: Rng
    habits: dict[str, Habits]
    seats: dict[str, float]
    pile: list[str]
    hands: dict[str, list[str]]
    table: dict[Place, Placed]
    turn: float
    copies: int = 0
    ending: str | None = None
    """The player whose hand is empty: the turn ends with the next card."""


def script(seed: int) -> Script:
    """The game of a seed."""
    rng = np.random.default_rng([seed, 7777])
    players = NAMES[: int(rng.choice([2, 2, 3]))]
    deck = [label for label, count in CARDS.items() for _ in range(count)]
    rng.shuffle(deck)
    size = 60 if seed % WHOLE == 0 else 3 * len(players) + int(rng.integers(6, 13))
    deck = deck[:size]
    writer = ScriptWriter("trio_monsters", players, {"deck_size": size, "colours": list(CARDS)})
    game = _TrioPlay(
        writer,
        rng,
        {player: drawn(rng) for player in players},
        dict(zip(players, seats(len(players)), strict=True)),
        deck,
        {player: [] for player in players},
        {},
        float(rng.uniform(-12, 12)),
    )
    for player in players:
        _draw(game, player)
    card = game.pile.pop()
    _lay(game, players[0], card, (0, 0), 1.5)
    writer.happen(1.5, {"event": "card_revealed", "card": card, "at": [0, 0]}, "camera", "start card")
    writer.end_beat(3.2, look=True)
    while not writer.over and len(writer.beats) < LONGEST:
        _turn(game)
    writer.end_beat(1.5, look=True)
    return writer.script(seed, SPAN)


def _draw(game: _TrioPlay, player: str) -> None:
    """The player draws up to three cards."""
    hand = game.hands[player]
    while len(hand) < 3 and game.pile:
        hand.append(game.pile.pop())


def _turn(game: _TrioPlay) -> None:
    """One to three cards; the turn ends by the seat's button or by an empty hand."""
    writer, rng = game.writer, game.rng
    view = writer.view
    player = str((game.ending and _next_with_cards(game)) or view["turn"])
    if not game.hands[player]:
        _draw(game, player)  # the pile was empty after the last turn, and caught cards lie there again
    for number in range(int(rng.integers(1, 4))):
        if not game.hands[player] or writer.over:
            break
        _card(game, player, number)
    if game.hands[player] or (not any(game.hands.values()) and not game.pile):
        writer.happen(0.6, {"event": "turn_ended", "player": player}, "buttons", "turn ended by button")
        writer.presses.append(ButtonPress(0.6, f"seat {writer.players.index(player) + 1}"))
        _draw(game, player)
        writer.end_beat(1.0, look=True)
    else:
        game.ending = player
        writer.end_beat(0.5, look=True)


def _next_with_cards(game: _TrioPlay) -> str:
    """Whose turn it will be once the empty hand has ended the present one."""
    players = game.writer.players
    first = players.index(str(game.ending))
    _draw(game, str(game.ending))
    for step in range(1, len(players) + 1):
        player = players[(first + step) % len(players)]
        if not game.hands[player]:
            _draw(game, player)
        if game.hands[player]:
            return player
    return str(game.ending)


def _card(game: _TrioPlay, player: str, number: int) -> None:
    """One card of a turn; what it catches is taken away."""
    writer, rng, habits = game.writer, game.rng, game.habits[player]
    pause = (1.1 + 0.9 * float(rng.random())) * habits.pace + (0.8 if number == 0 else 0.0)
    if game.ending is not None:
        event = {"event": "turn_ended", "player": game.ending}
        writer.happen(pause - 0.05, event, "camera", "turn ended by an empty hand")
        game.ending = None
    card, at = _choice(game, player)
    game.hands[player].remove(card)
    moment = _lay(game, player, card, at, pause)
    before = set(game.table)
    event = {"event": "card_played", "player": player, "card": card, "at": list(at)}
    verdicts = writer.happen(pause, event, "camera", moment)
    after = pause + 1.0
    if "caught" in verdicts:
        left = {(place["at"][0], place["at"][1]) for place in writer.view["table"]}
        gone = sorted(before - left)
        caught = {
            tuple(place)
            for one in writer.record.verdicts[-2:]
            if one["verdict"] == "caught"
            for place in one["cards"]
        }
        game.pile[:0] = [game.table[place].label for place in gone if place not in caught]
        taken = pause + float(rng.uniform(1.4, 2.4))
        writer.moves.append(Take(taken, tuple(game.table.pop(place) for place in gone), game.seats[player]))
        writer.end_beat(taken + 1.6, look=True)
        return
    fidget = _fidget(game, player, after + 0.8)
    writer.moves += fidget
    writer.end_beat(after + (1.9 if fidget else 0.0))


def _choice(game: _TrioPlay, player: str) -> tuple[str, Place]:
    """A card of the hand and a legal place near the others, rather one that catches."""
    book, state = game.writer.record.book, game.writer.record.state
    free = {side for at in game.table for side in sides(at)} - set(game.table) or {(0, 0)}
    options: list[tuple[float, str, Place]] = []
    for card in dict.fromkeys(game.hands[player]):
        for at in sorted(free):
            event: Json = {"event": "card_played", "player": player, "card": card, "at": list(at)}
            try:
                ruling = book.play(state, event)
            except Rejected:
                continue
            far = abs(at[0]) > ROWS or abs(at[1]) > COLUMNS
            worth = 3.0 * bool(ruling.verdicts) - 9.0 * far - 0.1 * (abs(at[0]) + abs(at[1]) / 2)
            options.append((worth + 2.0 * float(game.rng.random()), card, at))
    _, card, at = max(options)
    return card, at


def _lay(game: _TrioPlay, player: str, card: str, at: Place, t: float) -> str:
    """The hand that lays a triangle; the circumstances."""
    rng, habits = game.rng, game.habits[player]
    crooked = rng.random() < habits.crooked
    game.copies += 1
    careless = (4.0, 6.0) if crooked else (1.5, 2.0)
    placed = triangle(card, at, rng, turn=game.turn, copy=game.copies, careless=careless)
    stays = rng.random() < habits.lets_lie
    rest = float(rng.uniform(0.9, 1.6) if stays else rng.uniform(0.08, 0.3))
    game.writer.moves.append(LayMove(t, placed, game.seats[player], rest))
    game.table[at] = placed
    return "triangle laid crooked" if crooked else "hand stays on it" if stays else "triangle"


def _fidget(game: _TrioPlay, player: str, t: float) -> list[Move]:
    """Now and then a hand reaches across, or pushes a triangle that lies there."""
    rng, habits = game.rng, game.habits[player]
    if rng.random() < habits.reaches:
        return [Reach(t, float(rng.uniform(-150, 150)), float(rng.uniform(-80, 80)), game.seats[player])]
    if rng.random() < habits.pushes:
        at = sorted(game.table)[int(rng.integers(len(game.table)))]
        card = game.table[at]
        slip = rng.normal(0, (5.0, 5.0, 6.0))
        to = Placed(
            card.label,
            card.x + float(slip[0]),
            card.y + float(slip[1]),
            card.degrees + float(slip[2]),
            card.copy,
            size=card.size,
        )
        game.table[at] = to
        return [Push(t, card, to, game.seats[player], 0.4)]
    return []

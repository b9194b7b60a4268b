"""Scripts of Seven Merry Monsters: tricks in the middle, displays of columns before three players."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bench.evenings.habits import Habits, drawn, fidgets, lay
from bench.evenings.script import NAMES, Json, Rng, Script, ScriptWriter
from companion.art.decks.frame import HEIGHT, WIDTH
from companion.art.scene import Placed
from companion.art.scene.moves import Take
from companion.games.seven_merry_monsters.game import CARDS
from companion.games.spotter import card_of

SPAN = 1150.0
"""Millimetres of table across the picture: three displays need that much."""
TALL = SPAN * 720 / 1280
SHOWN = HEIGHT / 3
"""Of each card but the last of a column, mm."""
GAP = 10.0
TRICK = 0.13
"""Half the height of the trick's zone, as a share of the picture."""


@dataclass(frozen=True)
class MerryPlace:
    """Where a player sits, and where the display begins; the player sees its columns from left to right."""

    hand: float
    corner: tuple[float, float]
    """Middle of the first card of the first column, mm."""
    way: float
    """1: the display grows towards the right and the reader, -1: it is turned round."""


SEATS = (
    MerryPlace(90.0, (-SPAN * 0.46, TALL * 0.19), 1.0),
    MerryPlace(248.0, (-SPAN * 0.05, -TALL * 0.19), -1.0),
    MerryPlace(292.0, (SPAN * 0.46, -TALL * 0.19), -1.0),
)
"""The first player at the reader's side, the others opposite."""
ZONES = {
    "trick": ((0.0, 0.5 - TRICK), (1.0, 0.5 - TRICK), (1.0, 0.5 + TRICK), (0.0, 0.5 + TRICK)),
    "display:1": ((0.0, 0.5 + TRICK), (1.0, 0.5 + TRICK), (1.0, 1.0), (0.0, 1.0)),
    "display:2": ((0.0, 0.0), (0.5, 0.0), (0.5, 0.5 - TRICK), (0.0, 0.5 - TRICK)),
    "display:3": ((0.5, 0.0), (1.0, 0.0), (1.0, 0.5 - TRICK), (0.5, 0.5 - TRICK)),
}


@dataclass
class _MerryPlay:
    """The physical game beside the true record."""

    writer: ScriptWriter
    rng: Rng
    habits: dict[str, Habits]
    seats: dict[str, MerryPlace]
    hands: dict[str, list[str]]
    copies: dict[str, int] = field(default_factory=dict)
    trick: list[Placed] = field(default_factory=list)
    columns: dict[str, dict[str, list[Placed]]] = field(default_factory=dict)
    aside: dict[str, list[Placed]] = field(default_factory=dict)


def script(seed: int) -> Script:
    """The game of a seed: one round of all 30 cards."""
    rng = np.random.default_rng([seed, 77])
    players = NAMES[:3]
    deck = [label for label, count in CARDS.items() for _ in range(count)]
    rng.shuffle(deck)
    writer = ScriptWriter("seven_merry_monsters", players, {"target": 1})
    game = _MerryPlay(
        writer,
        rng,
        {player: drawn(rng) for player in players},
        dict(zip(players, SEATS, strict=True)),
        {player: deck[10 * i : 10 * i + 10] for i, player in enumerate(players)},
        columns={player: {} for player in players},
        aside={player: [] for player in players},
    )
    while not writer.over:
        phase = writer.view["phase"]
        {"trick": _play, "award": _award, "placing": _place, "last_cards": _place}[phase](game)
    writer.end_beat(2.0, look=True)
    return writer.script(seed, SPAN, zones=ZONES)


def _copy(game: _MerryPlay, label: str) -> int:
    game.copies[label] = game.copies.get(label, -1) + 1
    return game.copies[label]


def _play(game: _MerryPlay) -> None:
    """The player whose turn it is plays a card to the trick."""
    writer, rng = game.writer, game.rng
    player = str(writer.view["turn"])
    habits, seat = game.habits[player], game.seats[player]
    label = game.hands[player].pop(int(rng.integers(len(game.hands[player]))))
    place = (len(game.trick) - 1) * 95.0
    turn = 0.0 if seat.way > 0 else 180.0
    card = Placed(label, place, 0.0, turn, _copy(game, label))
    pause = float(rng.uniform(1.0, 2.2)) * habits.pace
    if rng.random() < habits.takes_back and not game.trick:
        _take_back(game, player, label, card, pause)
        return
    laid = lay(rng, habits, card, pause, seat.hand)
    writer.moves.append(laid.move)
    game.trick.append(laid.move.card)
    event = {"event": "card_played", "player": player, "card": _card(game, label)}
    writer.happen(pause, event, "camera", laid.moment)
    after = pause + laid.move.rest + 0.3
    writer.moves += fidgets(rng, habits, game.trick, after + 0.8, seat.hand)
    closed = writer.view["phase"] != "trick" or not writer.view["table"]
    if closed and writer.view["phase"] != "award":
        _carry(game, after + 0.6, str(writer.view["leader"]))
        return
    writer.end_beat(after + 0.2)


def _take_back(game: _MerryPlay, player: str, label: str, card: Placed, pause: float) -> None:
    """A card is laid and taken back at once: it was never played."""
    seat = game.seats[player]
    laid = lay(game.rng, game.habits[player], card, pause, seat.hand)
    game.writer.moves += [laid.move, Take(pause + 1.8, (laid.move.card,), seat.hand)]
    game.hands[player].append(label)
    game.copies[label] -= 1
    game.writer.end_beat(pause + 2.8, look=True, what="card taken back")


def _card(game: _MerryPlay, label: str) -> Json:
    monsters = tuple(game.writer.record.setup.settings.monsters)
    return dict(card_of(label, monsters))


def _award(game: _MerryPlay) -> None:
    """The player who made the tie decides who takes the trick; the cards go there."""
    writer, rng = game.writer, game.rng
    view = writer.view
    offers = [one for one in writer.record.book.expects(writer.record.state) if one.event == "trick_awarded"]
    tied = [str(name) for one in offers for name in one.fields["to"].values]  # type: ignore[attr-defined]
    taker = tied[int(rng.integers(len(tied)))]
    event = {"event": "trick_awarded", "player": view["turn"], "to": taker}
    # the camera sees it when the first card lies in the taker's display
    _carry(game, float(rng.uniform(1.0, 2.0)), taker, event)


def _carry(game: _MerryPlay, at: float, taker: str, award: Json | None = None) -> None:
    """The taker puts the trick away, card by card: monsters to their columns, jokers where they are owed."""
    writer, rng = game.writer, game.rng
    seat = game.seats[taker]
    cards, game.trick = list(game.trick), []
    writer.moves.append(Take(at, tuple(cards), seat.hand))
    at += 1.7
    monsters = [card for card in cards if card.label != "joker"]
    for card in sorted(monsters, key=lambda one: one.label):
        _to_column(game, taker, card.label, card.copy, card.label.split()[0], at)
        if award is not None:
            writer.happen(at, award, "camera", "trick put away")
            award = None
        at += float(rng.uniform(1.1, 1.5))
    if award is not None:
        writer.happen(at, award, "phone", "trick of jokers")
    for card in [one for one in cards if one.label == "joker"]:
        if writer.view["to_place"].get(taker, 0):
            at = _joker(game, taker, card.copy, at)
        else:
            game.aside[taker].append(_lie(game, taker, "joker", card.copy, 8, 0, at))
            at += 1.3
    writer.end_beat(at + 0.6, look=True)


def _joker(game: _MerryPlay, player: str, copy: int, at: float) -> float:
    """A joker joins one of the player's columns, or is put aside; when the next card may come."""
    names = list(_columns_of(game, player))
    column = names[int(game.rng.integers(len(names)))] if names else "aside"
    moment = "joker to a column" if names else "joker aside"
    if names:
        _to_column(game, player, "joker", copy, column, at)
    else:
        game.aside[player].append(_lie(game, player, "joker", copy, 8, 0, at))
    event = {"event": "card_placed", "player": player, "card": {"monster": "joker"}, "column": column}
    game.writer.happen(at, event, "camera", moment)
    return at + float(game.rng.uniform(1.2, 1.7))


def _columns_of(game: _MerryPlay, player: str) -> Json:
    """The true columns of a player."""
    return dict(game.writer.view["display"][player])


def _to_column(game: _MerryPlay, player: str, label: str, copy: int, column: str, at: float) -> None:
    """The move that lays a card into a column."""
    columns = game.columns[player]
    number = list(columns).index(column) if column in columns else len(columns)
    row = len(columns.get(column, []))
    laid = _lie(game, player, label, copy, number, row, at)
    columns.setdefault(column, []).append(laid)


def _lie(game: _MerryPlay, player: str, label: str, copy: int, number: int, row: int, at: float) -> Placed:
    """Lays a card at a place of the player's display: column and row from the first."""
    seat, habits = game.seats[player], game.habits[player]
    room = SPAN * (0.92 if seat.way > 0 else 0.41)
    step = min(WIDTH + GAP, (room - WIDTH) / 7)
    x = seat.corner[0] + (WIDTH / 2 + number * step) * seat.way
    y = seat.corner[1] + row * SHOWN * seat.way
    place = Placed(label, x, y, 0.0 if seat.way > 0 else 180.0, copy)
    laid = lay(game.rng, habits, place, at, seat.hand, (2.0, 2.5))
    game.writer.moves.append(laid.move)
    return laid.move.card


def _place(game: _MerryPlay) -> None:
    """Everybody who owes cards lays them: left-out players one, at the end two."""
    writer, rng = game.writer, game.rng
    view = writer.view
    owing = [player for player in writer.players if view["to_place"].get(player)]
    player = owing[int(rng.integers(len(owing)))]
    at = float(rng.uniform(1.0, 1.8)) * game.habits[player].pace
    if game.aside[player] and view["phase"] == "last_cards" and not game.hands[player]:
        joker = game.aside[player].pop(0)
        writer.moves.append(Take(at, (joker,), game.seats[player].hand))
        writer.end_beat(_joker(game, player, joker.copy, at + 1.6), look=True)
        return
    hand = game.hands[player]
    label = hand.pop(int(rng.integers(len(hand))))
    if label == "joker":
        writer.end_beat(_joker(game, player, _copy(game, label), at), look=not hand)
        return
    card = _card(game, label)
    _to_column(game, player, label, _copy(game, label), label.split()[0], at)
    event = {"event": "card_placed", "player": player, "card": card}
    moment = "last cards" if view["phase"] == "last_cards" else "card of a left-out player"
    writer.happen(at, event, "camera", moment)
    writer.end_beat(at + 1.3, look=not hand)

"""Scripts of The Nasty 7: cards onto the pile, calls, mistakes, accusations by button."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench.evenings.habits import Habits, drawn, fidgets, lay, seats
from bench.evenings.script import NAMES, ButtonPress, Rng, Script, ScriptWriter, SpokenCall
from companion.art.scene import Placed
from companion.art.scene.moves import Take
from companion.games.contract.offers import Words
from companion.games.nasty_7.game import CARDS

WORD_S = 0.45
"""Seconds that a word of a call takes."""
LONGEST = 90
"""Cards after which a game that does not end is broken off."""
MISTAKES = ("wrong call", "wrong call", "no call", "late card", "talk on a gun", "plays though skipped")


@dataclass
class _NastyPlay:
    """The physical game beside the true record."""

    writer: ScriptWriter
    rng: Rng
    habits: dict[str, Habits]
    seats: dict[str, float]
    stacks: dict[str, list[tuple[str, int]]]
    pile: list[tuple[str, int]]
    lying: list[Placed]


def script(seed: int, habits: Callable[[Rng], Habits] = drawn, seats_taken: int | None = None) -> Script:
    """The game of a seed, by players whose habits are drawn with `habits`; `seats_taken`: how many of them,
    None: 2 to 4."""
    rng = np.random.default_rng([seed, 7])
    drawn_seats = int(rng.choice([2, 3, 3, 4]))
    players = NAMES[: seats_taken or drawn_seats]
    each = int(rng.integers(5, 9))
    settings = {"deck_size": each * len(players)}
    writer = ScriptWriter("nasty_7", players, settings)
    names, counts = list(CARDS), np.array(list(CARDS.values()), float)
    drawn_cards = rng.choice(len(names), each * len(players), p=counts / counts.sum())
    cards = [(names[int(kind)], copy) for copy, kind in enumerate(drawn_cards)]
    game = _NastyPlay(
        writer,
        rng,
        {player: habits(rng) for player in players},
        dict(zip(players, seats(len(players)), strict=True)),
        {player: cards[i * each : (i + 1) * each] for i, player in enumerate(players)},
        [],
        [],
    )
    while not writer.over and len(writer.beats) < LONGEST:
        _card(game)
    writer.end_beat(3.0, look=True)
    return writer.script(seed, span=float(rng.uniform(560, 720)))


def _card(game: _NastyPlay) -> None:
    """One card with its call; now and then with a mistake or an accusation."""
    writer, rng = game.writer, game.rng
    view = writer.view
    if 0 in view["stack"].values():  # a gun as last card: silence decides
        writer.happen(3.3, {"event": "time_passed"}, "microphone", "silence on a gun")
        writer.end_beat(3.3)
        return
    player, first = str(view["turn"]), not view["pile"]
    habits = game.habits[player]
    mistake = MISTAKES[int(rng.integers(len(MISTAKES)))] if rng.random() < habits.errs and not first else ""
    if mistake == "plays though skipped" and view["skipped"] and game.stacks[view["skipped"]]:
        player = str(view["skipped"])
    pause = float(rng.uniform(1.0, 1.7)) * habits.pace
    if rng.random() < habits.hesitates:
        pause = float(rng.uniform(2.2, 2.7))
    if first:
        pause += 1.2
    elif mistake == "late card":
        pause = float(rng.uniform(3.6, 4.3))
    card = game.stacks[player].pop(0)
    moment = _lay(game, player, card, pause)
    event = {"event": "card_played", "player": player, "card": card[0]}
    if mistake == "late card" and player == view["turn"]:
        # the table says so before the card falls; the card is taken with the pile
        event, moment = {"event": "time_passed"}, mistake
    verdicts = writer.happen(pause, event, "camera", moment)
    at = pause
    if not _wrong(verdicts):
        at, verdicts = _call(game, player, card[0], pause, mistake)
    if not _wrong(verdicts) and not writer.over and rng.random() < 0.03:
        at, verdicts = _accuse(game, player, at)
    _settle(game, at, verdicts)


def _lay(game: _NastyPlay, player: str, card: tuple[str, int], t: float) -> str:
    """The hand that lays the card; the circumstances."""
    place = Placed(card[0], 0.0, 0.0, game.seats[player] - 90.0, card[1])
    laid = lay(game.rng, game.habits[player], place, t, game.seats[player], (6.0, 7.0))
    game.writer.moves.append(laid.move)
    game.lying.append(laid.move.card)
    game.pile.append(card)
    return laid.moment


def _wrong(verdicts: list[str]) -> bool:
    return any(one != "correct" for one in verdicts)


def _right(writer: ScriptWriter) -> tuple[str, ...]:
    """The call that is due; empty: none."""
    for offer in writer.record.book.expects(writer.record.state):
        words = offer.fields.get("words")
        if offer.event == "heard" and isinstance(words, Words) and words.right:
            return tuple(words.right[0])
    return ()


def _call(game: _NastyPlay, player: str, card: str, landed: float, mistake: str) -> tuple[float, list[str]]:
    """The call of a card: when it ends, and the verdicts about it."""
    writer, rng, habits = game.writer, game.rng, game.habits[player]
    right = _right(writer)
    start = landed + float(rng.uniform(0.25, 0.9)) * habits.pace
    moment = "call"
    words = right
    if mistake == "wrong call" and right:
        words, moment = _other(rng, right), "wrong call"
    elif mistake == "talk on a gun" and card == "gun":
        words, moment = (str(rng.choice(["one", "three", "six"])),), "talk on a gun"
    elif mistake == "no call" and right:
        late = landed + float(rng.uniform(3.3, 3.8))
        verdicts = writer.happen(late, {"event": "time_passed"}, "microphone", "no call")
        return late, verdicts
    elif right and rng.random() < habits.shouts_early:
        start, moment = landed - float(rng.uniform(0.05, habits.early_s)), "call before the card is down"
    if not words:
        return landed, []
    length = WORD_S * len(words)
    writer.calls.append(SpokenCall(start, player, words, float(rng.uniform(0.6, 1.2))))
    begun = writer.clock + max(start, landed + 0.001)
    event = {"event": "heard", "words": list(words)}
    times = {"start": round(begun, 3), "end": round(max(begun + 0.1, writer.clock + start + length), 3)}
    over = max(start + length, landed + 0.01)
    verdicts = writer.happen(over, {**event, **times}, "microphone", moment)
    return over, verdicts


def _other(rng: Rng, right: tuple[str, ...]) -> tuple[str, ...]:
    """A wrong call that somebody could make: a number beside the right one, the sound for a number."""
    numbers = ("one", "two", "three", "four", "five", "six", "seven")
    if right[0] not in numbers:
        return (numbers[int(rng.integers(7))],)
    if rng.random() < 0.2:
        return ("hmmrrr",)
    at = numbers.index(right[0])
    return (numbers[at - 1 if at > 3 or (at and rng.random() < 0.5) else at + 1],)


def _accuse(game: _NastyPlay, player: str, at: float) -> tuple[float, list[str]]:
    """Somebody doubts the latest call, wrongly; nothing happens where no call can be doubted."""
    writer = game.writer
    others = [one for one in writer.players if one != player]
    by = others[int(game.rng.integers(len(others)))]
    if not any(offer.event == "accused" for offer in writer.record.book.expects(writer.record.state)):
        return at, []
    at += 0.5
    verdicts = writer.happen(at, {"event": "accused", "by": [by]}, "buttons", "accusation")
    writer.presses.append(ButtonPress(at, f"seat {writer.players.index(by) + 1}"))
    return at, verdicts


def _settle(game: _NastyPlay, at: float, verdicts: list[str]) -> None:
    """Ends the beat; whoever made a mistake takes the pile."""
    writer = game.writer
    view = writer.view
    if view["pile"] or writer.over:
        culprit = writer.players[0]
        writer.moves += fidgets(game.rng, game.habits[culprit], game.lying, at + 0.6, game.seats[culprit])
        writer.end_beat(at)
        return
    taken = dict(view["stack"])
    for player, stack in game.stacks.items():
        missing = taken[player] - len(stack)
        stack += [game.pile.pop(0) for _ in range(min(missing, len(game.pile)))]
    assert not game.pile, f"{verdicts}: cards of the pile are left over"
    culprit = str(view["turn"])
    gone = at + float(game.rng.uniform(1.4, 2.2))
    writer.moves.append(Take(gone, tuple(game.lying), game.seats[culprit]))
    game.lying.clear()
    writer.end_beat(gone + 1.0, look=True)

"""The five short games of the demo: legal by the rules, three minutes long, and seen as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from companion.commands.demo_night import night
from companion.commands.demo_night.drawn_table import DrawnTable
from companion.commands.demo_night.programme import (
    AnswerQuestion,
    GamePlan,
    PhotographTiles,
    PlaceCard,
    PressButton,
    Say,
    Step,
    Tap,
    ThrowDice,
    TurnOver,
)
from companion.commands.demo_night.stage import BETWEEN_S, schedule
from companion.commands.demo_night.trailer import countdown, elemental_master, great_catch, trailer
from companion.core.observations import LatticeSeen
from companion.games.spotter import card_of
from companion.games.thirteen_monsters.spotter import card_of_label
from companion.host.deck_library import SHIPPED
from companion.table.record import opened
from companion.vision.deck.deck import Deck
from companion.vision.tracking.background import Background
from companion.vision.tracking.dice_watch import DiceWatcher
from companion.vision.tracking.lattice_watch import LatticeWatcher

Json = dict[str, Any]


def events(plan: GamePlan, view: Json, t: float, step: Step) -> Iterator[Json]:
    """What a step means, as the senses and phones should report it."""
    match step:
        case Tap():
            yield dict(step.data)
        case PlaceCard() if plan.lattice:
            yield {
                "event": "card_played",
                "player": step.player,
                "card": step.label,
                "at": list(step.at or ()),
            }
        case PlaceCard() if plan.game == "nasty_7":
            yield {"event": "card_played", "player": step.player, "card": step.label, "t": t}
        case PlaceCard() if step.at is None:
            yield {"event": "card_played", "player": step.player, "card": card_of(step.label, ("red",))}
        case PlaceCard() if step.label != "joker":
            yield {"event": "card_placed", "player": step.player, "card": card_of(step.label, ("red",))}
        case AnswerQuestion():
            card = {"monster": "joker"}
            yield {"event": "card_placed", "player": "Jo", "card": card, "column": step.option}
        case Say():
            yield {"event": "heard", "words": step.call.split(), "start": t, "end": t + 0.4}
        case TurnOver():
            card = card_of_label(step.label) or {}
            yield {"event": "card_revealed", "player": step.player, "at": list(step.at), "card": card}
        case ThrowDice():
            yield {"event": "dice_thrown", "player": step.player, "dice": list(step.values)}
        case PressButton():
            player = plan.players[int(step.button.split()[1]) - 1]
            yield {"event": "trophy_taken", "player": player, "value": view["trophies"][0], "t": t}
        case PhotographTiles():
            yield {"event": "tiles_scored", "player": step.player, "tiles": step.tiles, "t": t}
        case _:
            return


@pytest.mark.parametrize("plan", trailer(), ids=lambda plan: plan.game)
def test_each_game_ends_by_the_rules_as_its_programme_says(plan: GamePlan) -> None:
    record = opened({"game": plan.game, "players": plan.players, "settings": plan.settings})
    if plan.position is not None:
        assert record.push({"event": "position", "state": plan.position}).code is None
    for t, step in plan.timed():
        for event in events(plan, dict(record.book.view(record.state)), t, step):
            kind = record.book.events[event["event"]]
            timed = {"t": t} if any(field.name == "t" for field in kind.fields) else {}
            entry = record.push({**timed, **event})
            assert entry.code is None, (event, entry.code)
    found = [(one["player"], one["verdict"]) for one in record.verdicts if one["verdict"] != "correct"]
    assert (record.scores(), record.winner(), found) == (
        plan.result.scores,
        plan.result.winner,
        plan.result.verdicts,
    )


def test_the_five_games_take_three_minutes() -> None:
    scheduled = schedule(trailer())
    assert len({one.plan.game for one in scheduled}) == 5
    assert 150 <= scheduled[-1].end + BETWEEN_S <= 180


def test_the_triangles_are_seen_as_they_are_laid_and_taken() -> None:
    plan = great_catch()
    scheduled = schedule([plan])[0]
    table = DrawnTable(scheduled, np.random.default_rng(7))
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    watcher = LatticeWatcher(Deck.load(SHIPPED / plan.game), {"table": corners})
    seen = [
        sorted(card.card for card in one.cards)
        for k in range(int(scheduled.end * 10))
        for one in watcher.feed(table.picture(k / 10), k / 10)
        if isinstance(one, LatticeSeen)
    ]
    start = sorted(plan.lattice.values())
    rest = ["blue", "pink", "purple", "red", "yellow"]
    assert seen[0] == start
    assert seen[1:3] == [sorted([*start, "pink"]), sorted([*start, "pink", "green"])]
    assert seen[3:5] == [rest, sorted([*rest, "orange"])]


def test_the_dice_are_read_as_they_are_thrown() -> None:
    scheduled = schedule([elemental_master()])[0]
    table = DrawnTable(scheduled, np.random.default_rng(7))
    background = Background()
    watcher = DiceWatcher([(0.8, 0.0), (1.0, 0.0), (1.0, 1.0), (0.8, 1.0)], background)
    watcher.expect(frozenset({"dice"}))
    throws = [(t, step.values) for t, step in scheduled.steps if isinstance(step, ThrowDice)]
    first, last = throws[0][0] - 2.0, throws[-1][0] + 1.5
    moments = [first + k / 10 for k in range(int((last - first) * 10))]
    pictures = ((table.picture(t), t) for t in moments)
    read = [one.sighting for image, t in pictures for one in watcher.see(image, background.feed(image, t))]
    assert [sorted(map(int, one.label.split()[1:])) for one in read if one] == [
        sorted(values) for _, values in throws
    ]
    assert min(one.confidence for one in read if one) > 0.9


def test_a_game_of_buttons_and_photographs_goes_through_the_whole_service() -> None:
    """The shortest of the five, as fast as it goes: presses, the countdown, tiles read from photographs."""
    lines: list[str] = []
    standings = night.run([countdown()], 1000.0, 0, lines.append, lambda address: None)
    assert [(one.player, one.points) for one in standings] == [("Kai", 2), ("Ida", 1), ("Jo", 0)]
    assert any(line.endswith("Stop!") for line in lines)

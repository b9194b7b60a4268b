"""How far the senses can be trusted: their readings counted over the latest games, and advice.

Pure. Each rule of advice names the fewest readings that it needs, so that chance alone seldom gives it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.api.history import CallFigure, SenseFigure, SenseFigures
from companion.core.message import Message, message
from companion.table.readings import SENSES, Reading

FEWEST_CARDS, POOR_CARDS = 40, 0.9
"""Cards from which on the camera as a whole is judged, and the share of right ones below which it is poor."""
FEWEST_OF_A_KIND, WRONG_OF_A_KIND, POOR_OF_A_KIND = 12, 4, 0.75
"""Cards of one colour or monster, how many of them must have been wrong, and the poor share."""
WORSE_OF_A_KIND = 0.1
"""Its share must lie so far below that of all other cards."""
FEWEST_CALLS, POOR_CALLS = 20, 0.8
"""Calls from which on the microphone as a whole is judged, and its share."""
FEWEST_OF_A_PLAYER, POOR_OF_A_PLAYER, WORSE_OF_A_PLAYER = 12, 0.8, 0.15
"""Calls of one player, and so many of the others; the share, and how far below the others' it must lie."""
FEWEST_PRESSES, POOR_PRESSES = 10, 0.8
"""Presses from which on the buttons are judged, and their share."""


def figures(readings: Iterable[Reading], games: int) -> SenseFigures:
    """The figures of each sense and each caller, and the advice that follows from them.

    Args:
        readings: of all games that count.
        games: how many games these are.
    """
    found = list(readings)
    senses = tuple(one for sense in SENSES if (one := _of_sense(sense, found)).total)
    calls = _calls(found)
    return SenseFigures(games, senses, calls, tuple(_advice(found, senses, calls)))


def _of_sense(sense: str, readings: Sequence[Reading]) -> SenseFigure:
    count = Counter(one.outcome for one in readings if one.sense == sense)
    return SenseFigure(
        sense, count["right"], count.total(), count["asked"], count["corrected"], count["missed"]
    )


def _calls(readings: Sequence[Reading]) -> tuple[CallFigure, ...]:
    """Each player's calls, in the order of their names."""
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for one in readings:
        if one.sense == "microphone" and one.player is not None:
            total[one.player] += 1
            right[one.player] += one.outcome == "right"
    return tuple(CallFigure(player, right[player], total[player]) for player in sorted(total))


# --- advice -----------------------------------------------------------------------------------------------


def _advice(
    readings: Sequence[Reading], senses: Sequence[SenseFigure], calls: Sequence[CallFigure]
) -> list[Message]:
    of = {one.sense: one for one in senses}
    kinds = _poor_cards(readings)
    players = _far_players(calls)
    found = [*kinds, *players]
    camera, microphone, buttons = (of.get(sense) for sense in SENSES)
    if not kinds and _is_poor(camera, FEWEST_CARDS, POOR_CARDS):
        found.append(message("trust.camera_poor"))
    if not players and _is_poor(microphone, FEWEST_CALLS, POOR_CALLS):
        found.append(message("trust.microphone_poor"))
    if _is_poor(buttons, FEWEST_PRESSES, POOR_PRESSES):
        found.append(message("trust.buttons_poor"))
    return found


def _is_poor(figure: SenseFigure | None, fewest: int, poor: float) -> bool:
    return figure is not None and figure.total >= fewest and figure.right < poor * figure.total


def _poor_cards(readings: Sequence[Reading]) -> list[Message]:
    """Colours and monsters that are read worse than the others."""
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for one in readings:
        if one.sense == "camera" and one.card:
            total[one.card] += 1
            right[one.card] += one.outcome == "right"
    found = []
    for card in sorted(total):
        here, others = total[card], total.total() - total[card]
        wrong, share = here - right[card], right[card] / here
        if here < FEWEST_OF_A_KIND or wrong < WRONG_OF_A_KIND or share >= POOR_OF_A_KIND or not others:
            continue
        if (right.total() - right[card]) / others - share >= WORSE_OF_A_KIND:
            found.append(message("trust.card_poor", card=card.replace("_", " "), wrong=wrong, total=here))
    return found


def _far_players(calls: Sequence[CallFigure]) -> list[Message]:
    """Players who are understood worse than the others: the microphone is far from them."""
    total, right = sum(one.total for one in calls), sum(one.right for one in calls)
    found = []
    for one in calls:
        others = total - one.total
        if min(one.total, others) < FEWEST_OF_A_PLAYER or one.right >= POOR_OF_A_PLAYER * one.total:
            continue
        if (right - one.right) / others - one.right / one.total >= WORSE_OF_A_PLAYER:
            found.append(message("trust.player_far", player=one.player, right=one.right, total=one.total))
    return found

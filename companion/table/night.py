"""The game night: several games one after the other, and the ranking over all of them.

Games score on different scales, so the night counts one point for each player finished above.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from companion.api.snapshot import NightGame, NightSummary, Standing
from companion.games import known_game


class Finished(msgspec.Struct, frozen=True):
    """One game of the night. Without a winner it has not ended or was not finished."""

    id: int
    name: str
    players: tuple[str, ...]
    winner: tuple[str, ...]
    scores: Mapping[str, int]
    ended: bool


def fewest_points_win(name: str) -> bool:
    """Whether the lowest score of a game wins; false for a game that is not known."""
    game = known_game(name)
    return game is not None and game.fewest_points_win


def places(game: Finished) -> dict[str, int]:
    """Place of each player, 1 for the best, equal places for equal results.

    The winners come first whatever their score (a tie may have been broken by other means); the others follow
    by score. A player without a score is last.
    """
    sign = 1 if fewest_points_win(game.name) else -1

    def rank(player: str) -> tuple[bool, bool, int]:
        score = game.scores.get(player)
        if player in game.winner:
            return (False, False, 0)
        return (True, score is None, 0 if score is None else sign * score)

    ranks = {player: rank(player) for player in game.players}
    return {player: 1 + sum(other < ranks[player] for other in ranks.values()) for player in game.players}


def points(game: Finished) -> dict[str, int]:
    """One point for each player finished above; nobody gets any from a game without a winner."""
    if not game.winner:
        return dict.fromkeys(game.players, 0)
    place = places(game)
    return {player: sum(place[player] < place[other] for other in game.players) for player in game.players}


def standings(games: Iterable[Finished]) -> tuple[Standing, ...]:
    """The night's players with their points, best first; players with equal points in order of appearance."""
    total: dict[str, int] = {}
    for game in games:
        for player, won in points(game).items():
            total[player] = total.get(player, 0) + won
    order = sorted(total, key=lambda player: -total[player])
    return tuple(Standing(player, total[player]) for player in order)


def night(games: Sequence[Finished]) -> NightSummary:
    """The night as pages get it."""
    return NightSummary(
        tuple(
            NightGame(
                game.id,
                game.name,
                game.players,
                game.winner,
                dict(game.scores),
                game.ended,
                points(game),
            )
            for game in games
        ),
        standings(games),
    )

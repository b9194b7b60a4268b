"""Each player's report over all evenings: wins by game, head to head, times of calls. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.api.players import CallTimes, GameTally, HeadToHead, PlayerReport
from companion.table.night import Finished, places, points

Calls = Mapping[str, Sequence[CallTimes]]
"""Player -> times of calls, oldest game first."""


def player_reports(
    games: Sequence[Finished], titles: Mapping[str, str], calls: Calls
) -> tuple[PlayerReport, ...]:
    """Everybody who played a decided game, most points first.

    Args:
        games: oldest first; those without a winner do not count.
        titles: name of a game -> its title.
    """
    decided = [game for game in games if game.winner]
    players = dict.fromkeys(player for game in decided for player in game.players)
    found = [_report(player, decided, titles, tuple(calls.get(player, ()))) for player in players]
    return tuple(sorted(found, key=lambda one: (-one.points, -one.won)))


def _report(
    player: str, decided: Sequence[Finished], titles: Mapping[str, str], calls: tuple[CallTimes, ...]
) -> PlayerReport:
    own = [game for game in decided if player in game.players]
    played = Counter(game.name for game in own)
    won = Counter(game.name for game in own if player in game.winner)
    return PlayerReport(
        player,
        len(own),
        won.total(),
        sum(points(game)[player] for game in own),
        tuple(GameTally(name, titles.get(name, name), n, won[name]) for name, n in played.most_common()),
        _opponents(player, own),
        calls,
    )


def _opponents(player: str, own: Sequence[Finished]) -> tuple[HeadToHead, ...]:
    together: Counter[str] = Counter()
    above: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for game in own:
        place = places(game)
        for other in game.players:
            if other != player:
                together[other] += 1
                above[other] += place[player] < place[other]
                below[other] += place[player] > place[other]
    return tuple(HeadToHead(other, n, above[other], below[other]) for other, n in together.most_common())

"""The game that a tournament has planned for this table: offered, begun or declined by the players.

What the hub sends is not trusted: an offer with impossible players or an unknown game is refused, and nothing
begins without the players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.core.errors import BadHeader
from companion.games import known_game
from companion.table import names

if TYPE_CHECKING:
    from companion.api.snapshot import SeatingOffer
    from companion.games.game import Game
    from companion.table.referee import Referee
    from companion.table.running_game import RunningGame


def offer(referee: Referee, planned: SeatingOffer | None) -> bool:
    """Shows a planned game; None: nothing is planned. A repeated offer keeps that it was declined.

    Returns:
        False: the game cannot be played so, or has been played; nothing is offered.
    """
    before = referee.seating
    if planned is not None and before is not None and planned.id == before.id:
        planned = msgspec.structs.replace(planned, declined=before.declined)
    game = None if planned is None else known_game(planned.game)
    possible = planned is None or (
        game is not None and _possible(game, planned) and not _played(referee, planned.id)
    )
    if game is not None and planned is not None:
        planned = msgspec.structs.replace(planned, title=game.rulebook.title)
    referee.seating = planned if possible else None
    referee.changed |= referee.seating != before
    return possible


def begin(referee: Referee, seating: str, now: float) -> RunningGame | None:
    """Begins the planned game with the seating's id as its key; None: another one is planned, or none.

    Raises:
        JournalFailed: it could not be written; nothing has changed.
    """
    planned = referee.seating
    if planned is None or planned.id != seating:
        return None
    game = referee.begin(planned.game, list(planned.players), {}, now, planned.id)
    referee.seating = None
    return game


def decline(referee: Referee, seating: str) -> bool:
    """The players do not want the planned game now; False: it is not planned."""
    planned = referee.seating
    if planned is None or planned.id != seating:
        return False
    referee.seating = msgspec.structs.replace(planned, declined=True)
    referee.changed = True
    return True


def _possible(game: Game, planned: SeatingOffer) -> bool:
    try:
        players = names.tidied(list(planned.players))
        game.rulebook.header(players, {})
    except BadHeader:
        return False
    return bool(players == list(planned.players))


def _played(referee: Referee, key: str) -> bool:
    return any(game.key == key for game in referee.journal.games())

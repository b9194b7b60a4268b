"""What of a table's snapshot is published as its retained state: the small part that others need."""

from __future__ import annotations

from companion.api.snapshot import Snapshot
from companion.core.version import VERSION
from companion.mqtt.cursor import OutboxPosition
from companion.mqtt.messages import TableState, TableStatus


def state_of(table: str, snapshot: Snapshot, key: str | None) -> TableState:
    """The state of a table.

    Args:
        key: id of the game in the snapshot.
    """
    down = tuple(sorted(name for name, source in snapshot.sources.items() if not source.up))
    game, planned = snapshot.game, snapshot.seating
    declined = planned.id if planned is not None and planned.declined else None
    if game is None:
        return TableState(table=table, seq=snapshot.seq, down=down, declined=declined)
    number = snapshot.state.get("round")
    return TableState(
        table=table,
        seq=snapshot.seq,
        game=key,
        name=game.name,
        title=game.title,
        players=tuple(seat.name for seat in game.players),
        scores=dict(snapshot.scores),
        turn=snapshot.turn,
        phase=snapshot.phase,
        round=number if isinstance(number, int) else None,
        winner=snapshot.winner,
        paused=snapshot.paused,
        questions=len(snapshot.questions),
        down=down,
        declined=declined,
    )


def online(table: str, position: OutboxPosition, takes_commands: bool) -> TableStatus:
    """The status of a connected table."""
    return TableStatus(
        table=table,
        online=True,
        version=VERSION,
        series=position.series,
        number=position.number,
        takes_commands=takes_commands,
    )


def offline(table: str) -> TableStatus:
    """The status of a table that is not connected: its last will."""
    return TableStatus(table=table, online=False)

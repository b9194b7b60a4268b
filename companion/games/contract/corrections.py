"""Events that correct the record of a game (companion.table.amend says what they do)."""

from __future__ import annotations

from companion.games.contract.fields import Event


def amended(n: int, replacement: Event | None, **rest: object) -> Event:
    """The event by which the event with number `n` was really `replacement`, or did not happen.

    >>> amended(3, None)
    {'event': 'amended', 'n': 3, 'replacement': None}
    """
    return {"event": "amended", "n": n, "replacement": replacement, **rest}

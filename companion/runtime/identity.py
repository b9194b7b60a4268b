"""What makes two runs of the service differ although the same things happen: times of day and random ids."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from companion.core.clock import Clock
from companion.evidence.photos import random_id
from companion.store.journal import Wall, random_key, utc_now


@dataclass(frozen=True)
class Identity:
    """The sources of times of day and ids."""

    wall: Wall
    """The time of day of what the journal holds."""
    game_key: Callable[[], str]
    """The key of a new game in the journal."""
    photo_id: Callable[[], str]
    """The id of a picture for the pages."""


RANDOM = Identity(utc_now, random_key, random_id)
"""For a service that people use: ids that cannot be guessed."""


def repeatable(clock: Clock, began: datetime) -> Identity:
    """For a service that is run again: the same ids in the same order, and times of day that follow `clock`.

    Args:
        clock: it shows the start now.
        began: the time of day at the start.
    """
    start = clock()
    games, photos = itertools.count(1), itertools.count(1)
    return Identity(
        lambda: began + timedelta(seconds=clock() - start),
        lambda: uuid.uuid5(uuid.NAMESPACE_OID, f"{began.isoformat()} {start} {next(games)}").hex,
        lambda: f"picture-{next(photos)}",
    )

"""Pictures that the pages show: photographs of displays with what was recognised, cards that had no name.

In memory only, the latest few; nothing is written.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable

from companion.core.errors import Unavailable

KEPT = 40
"""The most pictures that are kept."""


def random_id() -> str:
    """An id that cannot be guessed."""
    return secrets.token_urlsafe(9)


class Photos:
    """JPEGs by their ids. Every method may be called from any thread.

    Args:
        kept: the most pictures that are kept.
        new_id: makes the id of a picture.
    """

    def __init__(self, kept: int = KEPT, new_id: Callable[[], str] = random_id) -> None:
        self._kept = kept
        self._new_id = new_id
        self._lock = threading.Lock()
        self._photos: OrderedDict[str, bytes] = OrderedDict()

    def keep(self, jpeg: bytes) -> str:
        """Takes a picture and returns its id; the oldest one goes when there are too many."""
        name = self._new_id()
        with self._lock:
            self._photos[name] = jpeg
            while len(self._photos) > self._kept:
                self._photos.popitem(last=False)
        return name

    def get(self, name: str) -> bytes:
        """The picture of this id.

        Raises:
            Unavailable: no picture has this id, or it is not kept any more.
        """
        with self._lock:
            if name not in self._photos:
                raise Unavailable("picture.not_kept")
            return self._photos[name]

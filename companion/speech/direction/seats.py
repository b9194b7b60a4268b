"""The players' seats: in which direction each one sits, and what the direction of a sound says about who made
it.

The directions are kept in one file beside the trained voices, on this device only.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from companion.core.errors import Unavailable, UsageError
from companion.core.replace_file import replace_file

logger = logging.getLogger(__name__)

FILE = "seats.json"
MIN_SPREAD_DEG = 8.0
"""Players lean and turn while they play: nobody's directions are taken for steadier than this."""
NEAR_DEG = 30.0
"""Parts of a name that are farther than this from the middle one are echoes or noise ..."""
MIN_NEAR = 0.6
"""... and only this share of the parts must be nearer for the name to give a seat."""


class SeatDirection(msgspec.Struct, frozen=True):
    """Where a player sits, seen from the array."""

    degrees: float
    """Direction, 0 to 360."""
    spread: float
    """Standard deviation of the player's directions, in degrees."""


class SeatModel(msgspec.Struct, frozen=True):
    """How directions of calls and of other sounds are distributed."""

    wander: float = 11.0
    """Standard deviation (degrees) of the directions of a player's calls, beside that of the parts of the
    name: people lean, and noise pulls."""
    stray: float = 0.08
    """Share of a player's calls for which the direction of another sound was found, in noise."""
    own: float = 0.15
    """Share of the other sounds that the caller makes, who also talks; the rest comes from where sounds came
    lately, ..."""
    new_place: float = 0.1
    """Share of them from a place from which none came lately."""
    settled: float = 8.0
    """... as far as more than about so many directions are known; ..."""
    others: float = 0.4
    """... else this share from the other players, and the rest from any direction."""
    kernel: float = 8.0
    """Standard deviation (degrees) of the directions of a television that stands still."""

    def log_ratio(
        self,
        degrees: float,
        caller: str,
        seats: Mapping[str, SeatDirection],
        background: Sequence[float] = (),
    ) -> float:
        """Log-likelihood ratio (nats) of a direction: the caller's call against any other sound. 0 if nothing
        is known about the caller's seat.

        Args:
            degrees: the direction.
            caller: who is to call.
            seats: those that are known, by player.
            background: directions from which sound came lately, calls or not.
        """
        if caller not in seats:
            return 0.0
        anywhere = 1.0 / 360.0
        rest = [self._density(degrees, seat) for player, seat in seats.items() if player != caller]
        others = self.others if rest else 0.0
        elsewhere = (1.0 - others) * anywhere + others * sum(rest) / max(1, len(rest))
        if background:
            lately = sum(_normal(between(one, degrees), self.kernel) for one in background) / len(background)
            known = len(background) / (len(background) + self.settled)
            heard = (1.0 - self.new_place) * lately + self.new_place * anywhere
            elsewhere += known * (heard - elsewhere)
        mine = (1.0 - self.stray) * self._density(degrees, seats[caller]) + self.stray * elsewhere
        return math.log(mine / (self.own * mine + (1.0 - self.own) * elsewhere))

    def _density(self, degrees: float, seat: SeatDirection) -> float:
        return _normal(between(seat.degrees, degrees), math.hypot(seat.spread, self.wander))


FITTED = SeatModel()
"""`wander` and `stray`: from 160 calls of the development speakers in simulated rooms, with a television or
foreign numbers 5 dB below them; 8 % were more than 30 degrees beside the seat. `own` and `others` are
assumptions: in the simulated rooms nobody talks. The rest are assumptions too; `python -m bench --fit seats`
in three rooms found none that served three other rooms better (docs/lab/speech/who-spoke.md)."""


def _normal(off: float, spread: float) -> float:
    """Density per degree of a normal distribution; beyond half the circle there is nothing."""
    return math.exp(-0.5 * (off / spread) ** 2) / (spread * math.sqrt(2.0 * math.pi))


def between(first: float, second: float) -> float:
    """Degrees from one direction to another, -180 to 180.

    >>> between(350.0, 20.0), between(20.0, 350.0)
    (30.0, -30.0)
    """
    return (second - first + 180.0) % 360.0 - 180.0


def seat_of(directions: Sequence[float]) -> SeatDirection | None:
    """The seat of a player from directions (degrees) of parts of the name; None if too few agree.

    >>> seat_of([350.0, 354.0, 10.0, 358.0, 180.0]).degrees
    358.0
    """
    if not directions:
        return None
    middle = min(directions, key=lambda one: sum(abs(between(one, other)) for other in directions))
    near = [off for one in directions if abs(off := between(middle, one)) <= NEAR_DEG]
    if len(near) < MIN_NEAR * len(directions):
        return None
    mean = sum(near) / len(near)
    spread = math.sqrt(sum((off - mean) ** 2 for off in near) / len(near))
    return SeatDirection(round((middle + mean) % 360.0, 1), round(max(MIN_SPREAD_DEG, spread), 1))


class Seats:
    """The seats that were learned, in one file.

    Args:
        folder: of the trained voices; is made when the first seat is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all_of(self, players: Iterable[str]) -> dict[str, SeatDirection]:
        """The seats of some players, by name, without those that are not known."""
        known = self.known()
        return {player: known[player] for player in players if player in known}

    def known(self) -> dict[str, SeatDirection]:
        """Every seat by player; none if the file is missing or damaged."""
        try:
            data = (self._folder / FILE).read_bytes()
            return msgspec.json.decode(data, type=dict[str, SeatDirection])
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.DecodeError):
            logger.exception("the seats are not used")
            return {}

    def keep(self, player: str, seat: SeatDirection) -> None:
        """Writes a player's seat in place of the former one.

        Raises:
            Unavailable: the file cannot be written.
        """
        self._write({**self.known(), player: seat})

    def forget(self, player: str) -> None:
        """Deletes a player's seat.

        Raises:
            UsageError: the player has none.
            Unavailable: the file cannot be written.
        """
        known = self.known()
        if player not in known:
            raise UsageError("seats.unknown", player=player)
        del known[player]
        self._write(known)

    def _write(self, seats: Mapping[str, SeatDirection]) -> None:
        file = self._folder / FILE
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(file, msgspec.json.format(msgspec.json.encode(seats), indent=1) + b"\n")
        except OSError as error:
            raise Unavailable("seats.cannot_write", why=error.strerror) from error

"""The zones of the table: drawn on a phone, else configured, else guessed.

Drawn zones are stored in `zones.json` of the data folder, written atomically. Corners are shares of the
picture's width and height; `display:1` is the first player's.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from companion.core.config import Config
from companion.core.errors import Unavailable, Unreadable, UsageError, reason
from companion.core.mat_layout import Mat, Mm, before_seat
from companion.core.replace_file import replace_file
from companion.games import game_names, known_game
from companion.games.game import Game
from companion.games.zone import default_zones

Shape = list[tuple[float, float]]
SMALLEST = 0.002
"""Share of the picture below which a zone is refused: it was drawn by accident."""
MOST_CORNERS = 24


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    zones: dict[str, dict[str, Shape]]
    mats: list[str] = []


class Zones:
    """The zones of all games. Every method may be called from any thread.

    Args:
        config: its zones are used where none were drawn.
        path: the file of the drawn zones.
    """

    def __init__(self, config: Config, path: Path) -> None:
        self._config = config
        self._path = path
        self._listeners: list[Callable[[str], None]] = []
        self._lock = threading.Lock()
        self._drawn: dict[str, dict[str, Shape]] | None = None
        self._mats: set[str] = set()

    def on_change(self, listener: Callable[[str], None]) -> None:
        """Calls the listener with the name of a game whenever its zones have changed."""
        self._listeners.append(listener)

    def of(self, game: str, players: Sequence[str]) -> dict[str, Shape]:
        """The zones of a running game, named `display:<player>` instead of by the seat's number."""
        seats = {f"display:{i}": f"display:{player}" for i, player in enumerate(players, 1)}
        return {seats.get(zone, zone): shape for zone, shape in self.shapes(game, len(players)).items()}

    def shapes(self, game: str, seats: int) -> dict[str, Shape]:
        """The zones of a game, named by the numbers of its seats; zones that were neither drawn nor
        configured are guessed. Zones that the game does not use are left out."""
        known = known_game(game)
        if known is None:
            return {}
        guessed = default_zones(known.zones, seats)
        configured = {z: s for z, s in self._config.zones.get(game, {}).items() if z in guessed}
        set_up = {**(configured or guessed), **self._read().get(game, {})}
        return {zone: list(set_up[zone]) for zone in guessed if zone in set_up}

    def source(self, game: str) -> str:
        """Where the zones of a game come from: `mat`, `drawn`, `configured` or `guessed`."""
        if self._read().get(game):
            return "mat" if game in self._mats else "drawn"
        return "configured" if self._config.zones.get(game) else "guessed"

    def drawn(self, game: str) -> dict[str, Shape]:
        """The zones of a game that were drawn or taken from the mat."""
        return dict(self._read().get(game, {}))

    def draw(self, game: str, shapes: Mapping[str, Shape], *, from_mat: bool = False) -> None:
        """Stores these zones of a game; zones that are not named stay unchanged.

        Raises:
            UsageError: there is no such game, or a shape is not a possible zone.
            Unavailable: the file cannot be written.
        """
        _check(game, shapes)
        with self._lock:
            before = dict(self._loaded())
            now = {**before, game: {**before.get(game, {}), **{z: list(s) for z, s in shapes.items()}}}
            mats = self._mats | {game} if from_mat else self._mats - {game}
            self._write(now, mats)
        self._tell(game)

    def reset(self, game: str) -> None:
        """Deletes the drawn zones of a game.

        Raises:
            Unavailable: the file cannot be written.
        """
        with self._lock:
            self._write({name: z for name, z in self._loaded().items() if name != game}, self._mats - {game})
        self._tell(game)

    def _tell(self, game: str) -> None:
        for listener in self._listeners:
            listener(game)

    def _read(self) -> dict[str, dict[str, Shape]]:
        with self._lock:
            return self._loaded()

    def _loaded(self) -> dict[str, dict[str, Shape]]:
        if self._drawn is None:
            try:
                kept = msgspec.json.decode(self._path.read_bytes(), type=_File)
                for game, shapes in kept.zones.items():
                    _check(game, shapes)
            except FileNotFoundError:
                kept = _File(1, {})
            except (OSError, msgspec.DecodeError, UnicodeDecodeError, UsageError) as error:
                raise Unreadable("zones.unreadable", path=self._path, why=reason(error)) from error
            self._drawn, self._mats = kept.zones, set(kept.mats)
        return self._drawn

    def _write(self, zones: dict[str, dict[str, Shape]], mats: set[str]) -> None:
        data = msgspec.json.format(msgspec.json.encode(_File(1, zones, sorted(mats))))
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, data, 0o600)
        except OSError as error:
            raise Unavailable("zones.cannot_write", path=self._path, why=error.strerror) from error
        self._drawn, self._mats = zones, mats


def mat_zones(mat: Mat, game: Game, seats: int) -> dict[str, tuple[Mm, ...]]:
    """The zones of a game in mm of the mat: shared zones are on it, each player's zone is beside it."""
    found: dict[str, tuple[Mm, ...]] = {}
    for zone in game.zones:
        if zone.each_player:
            found |= {f"{zone.name}:{seat + 1}": before_seat(mat, seat, seats) for seat in range(seats)}
        else:
            found[zone.name] = before_seat(mat, 0, 1) if zone.beside_mat else mat.inside()
    return found


def _check(game: str, shapes: Mapping[str, Shape]) -> None:
    if game not in game_names():
        raise UsageError("game.unknown", game=game)
    for zone, shape in shapes.items():
        if not 3 <= len(shape) <= MOST_CORNERS or not all(0.0 <= v <= 1.0 for point in shape for v in point):
            raise UsageError("zones.corners", zone=zone)
        pairs = zip(shape, [*shape[1:], shape[0]], strict=True)
        if abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2 < SMALLEST:
            raise UsageError("zones.too_small", zone=zone)
        if not zone or len(zone) > 64 or not zone.isprintable():
            raise UsageError("zones.bad_name")

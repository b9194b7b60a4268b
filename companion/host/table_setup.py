"""Table set-up with the phone: the camera's picture and its quality, the zones, the mat, the lens.

A thread checks the quality of the picture every few seconds (companion.vision.camera.quality); a fault found
twice in a row is reported. Only measurements of the view are stored, never a picture.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.api.enrolment import Share
from companion.api.table_setup import (
    GameTitle,
    LensState,
    MarkerSeen,
    MatState,
    PictureFault,
    SeenCard,
    SeenCards,
    TableSetupState,
)
from companion.core.active_game import ActiveGame
from companion.core.clock import Clock, monotonic
from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.games import game_names, games, known_game
from companion.host.deck_library import DeckLibrary
from companion.host.zones import Zones, mat_zones
from companion.senses.latest_frame import Image, LatestFrame
from companion.store.folder import DataFolder

if TYPE_CHECKING:
    from companion.vision.camera.lens import Lens
    from companion.vision.camera.markers import DetectedMat
    from companion.vision.camera.quality import ReferenceView, ViewFault

CHECK_S = 3.0
"""Seconds between two checks of the camera's picture."""
LIGHT = {"too_dark", "too_bright", "out_of_focus"}
"""Faults that may disappear when the camera adapts to the light again ..."""
AGAIN_S = 60.0
"""... which is tried at most once in this many seconds."""
SEATS = 4
"""Seats that the page shows for a game that is not being played."""
logger = logging.getLogger(__name__)


class TableSetupService:
    """The service behind the set-up page. Every method may be called from any thread.

    Args:
        active_game: the game on the table.
        relock: has the camera adapt to the light and lock exposure, white balance and focus again.
        report_quality: called with the code of the worst fault when it changes; "" without a fault.
    """

    def __init__(
        self,
        data: DataFolder,
        decks: DeckLibrary,
        zones: Zones,
        latest_frame: LatestFrame,
        active_game: Callable[[], ActiveGame | None],
        relock: Callable[[], None] = lambda: None,
        clock: Clock = monotonic,
        report_quality: Callable[[str], None] = lambda code: None,
    ) -> None:
        self._clock = clock
        self._report_quality = report_quality
        self._reported = ""
        self._settled = clock()
        self._view_file = data.path / "view.npz"
        self._lens_file = data.path / "lens.json"
        self._decks = decks
        self._zones = zones
        self._latest_frame = latest_frame
        self._active_game = active_game
        self._relock = relock
        self._lock = threading.Lock()
        self._found: tuple[ViewFault, ...] = ()
        self._before: set[str] = set()
        self._view: ReferenceView | None = None
        self._lens: Lens | None = None
        self._mats: list[DetectedMat] = []
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera check", daemon=True)

    # --- camera check --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the thread; it first loads the stored view and lens."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def straighten(self, image: Image) -> Image:
        """The camera's picture with the lens distortion corrected, if it is known and large enough."""
        lens = self._lens
        return lens.undistort(image) if lens is not None and lens.helps else image

    def examine(self) -> tuple[ViewFault, ...]:
        """Checks the picture once; returns the faults that the check before found as well."""
        from companion.vision.camera.quality import examine

        try:
            image = self._latest_frame.latest()[0]
        except Unavailable:
            latest: tuple[ViewFault, ...] = ()
        else:
            latest = examine(image, self._view)
        with self._lock:
            found = tuple(one for one in latest if one.code in self._before)
            self._found, self._before = found, {one.code for one in latest}
        worst = found[0].code if found else ""
        if worst != self._reported and self._latest_frame.available:
            self._reported = worst
            self._report_quality(worst)
        return found

    def load(self) -> None:
        """Loads the stored view and lens."""
        if self._view_file.exists() or self._lens_file.exists():
            from companion.vision.camera.lens import Lens
            from companion.vision.camera.quality import ReferenceView

            self._view, self._lens = ReferenceView.load(self._view_file), Lens.load(self._lens_file)

    def _run(self) -> None:
        self.load()
        while not self._stopping.wait(CHECK_S):
            try:
                self.check_picture()
            except Exception:  # a fault here must not end the thread
                logger.exception("the camera's picture could not be examined")

    def check_picture(self) -> set[str]:
        """Checks the picture and corrects what can be corrected automatically; returns the codes of the
        faults."""
        if not self._latest_frame.available:
            return set()
        found = {one.code for one in self.examine()}
        if found & LIGHT and self._clock() - self._settled > AGAIN_S:
            self._settled = self._clock()
            self._relock()
        if "camera_bumped" in found:
            self._follow_mat()
        return found

    def _follow_mat(self) -> None:
        """Moves zones that come from the mat with it: a bumped camera needs no action then."""
        if self._mat() is None:
            return
        for game in game_names():
            if self._zones.source(game) == "mat":
                self.from_mat(game)

    # --- what the page shows ------------------------------------------------------------------------------

    def state(self, game: str = "") -> TableSetupState:
        """Everything the page shows.

        Raises:
            CompanionError: there is no such game, or the zones cannot be read.
        """
        game, seats = self._game(game)
        with self._lock:
            found, view, lens, mats = self._found, self._view, self._lens, len(self._mats)
        mat = self._mat()
        return TableSetupState(
            self._latest_frame.available,
            game,
            tuple(GameTitle(one.name, one.title) for one in games()),
            seats,
            {name: tuple(shape) for name, shape in self._zones.shapes(game, seats).items()},
            self._zones.source(game),
            None if mat is None else _mat_state(*mat),
            tuple(PictureFault(one.code, one.amount, one.where) for one in found),
            view is not None,
            None if lens is None else _lens_state(lens),
            mats,
        )

    def draw(self, game: str, shapes: Mapping[str, Sequence[Share]]) -> TableSetupState:
        """Stores drawn zones, and the present view to detect when the camera is bumped.

        Raises:
            CompanionError: see Zones.draw.
        """
        self._zones.draw(game, {zone: list(shape) for zone, shape in shapes.items()})
        self._remember_quietly()
        return self.state(game)

    def reset(self, game: str) -> TableSetupState:
        """Deletes the drawn zones of a game."""
        self._zones.reset(game)
        return self.state(game)

    def from_mat(self, game: str) -> TableSetupState:
        """Takes the zones of a game from the mat in the picture.

        Raises:
            UsageError: the camera watches no zones of that game.
            Unavailable: there is no mat in the picture.
        """
        game, seats = self._game(game)
        known = known_game(game)
        if known is None or not known.zones:
            raise UsageError("mat.no_zones", game=game)
        found = self._mat()
        if found is None:
            raise Unavailable("mat.not_seen")
        seen, size = found
        shapes = mat_zones(seen.mat, known, seats)
        placed = {zone: seen.project_zone(shape, size) for zone, shape in shapes.items()}
        self._zones.draw(game, {zone: shape for zone, shape in placed.items() if shape}, from_mat=True)
        self._remember_quietly()
        return self.state(game)

    def remember(self, game: str = "") -> TableSetupState:
        """Stores the present view as the right one.

        Raises:
            CompanionError: the camera gives no picture, or it cannot be written.
        """
        from companion.vision.camera.quality import reference_view

        view = reference_view(self._latest_frame.latest()[0])
        view.save(self._view_file)
        with self._lock:
            self._view, self._found, self._before = view, (), set()
        return self.state(game)

    def relock(self, game: str = "") -> TableSetupState:
        """Has the camera adapt to the present light and locks it again."""
        self._relock()
        return self.state(game)

    def learn_lens(self, game: str = "") -> TableSetupState:
        """Takes one more picture of the mat; from the fourth on the lens is learned.

        Raises:
            CompanionError: there is no mat in the picture, or the pictures are too similar.
        """
        from companion.vision.camera.lens import calibrate_lens
        from companion.vision.image.limits import camera_limits

        if self._lens is not None and self._lens.helps:
            raise UsageError("lens.known")
        limits, found = camera_limits().mat, self._mat()
        if found is None or len(found[0].markers) < limits.markers:
            raise Unavailable("mat.too_few_markers", fewest=limits.markers)
        seen, size = found
        with self._lock:
            self._mats.append(seen)
            mats = list(self._mats)
        if len(mats) >= limits.pictures:
            lens = calibrate_lens(mats, size)
            lens.save(self._lens_file)
            with self._lock:
                self._lens = lens
        return self.state(game)

    def forget_lens(self, game: str = "") -> TableSetupState:
        """Deletes the lens and the pictures of the mat."""
        self._lens_file.unlink(missing_ok=True)
        with self._lock:
            self._lens, self._mats = None, []
        return self.state(game)

    def look(self, game: str) -> SeenCards:
        """What the camera recognises now.

        Raises:
            CompanionError: the camera gives no picture, or the game has no deck.
        """
        from companion.vision.cards.recognise import recognise

        game, _ = self._game(game)
        image = self._latest_frame.latest()[0]
        reading = recognise(image, self._decks.deck(game))
        height, width = image.shape[:2]
        return SeenCards(
            tuple(
                SeenCard(
                    card.label,
                    round(card.confidence, 3),
                    tuple(
                        (round((x + 0.5) / width, 4), round((y + 0.5) / height, 4)) for x, y in card.corners
                    ),
                )
                for card in reading.cards
            ),
            reading.unknown,
        )

    def _game(self, game: str) -> tuple[str, int]:
        """The requested game ("": the running one, else the first) and its number of seats."""
        active = self._active_game()
        if not game:
            game = active.name if active else game_names()[0]
        if game not in game_names():
            raise UsageError("game.unknown", game=game)
        return game, len(active.players) if active and active.name == game else SEATS

    def _mat(self) -> tuple[DetectedMat, tuple[int, int]] | None:
        from companion.vision.camera.markers import find_mat

        try:
            image = self._latest_frame.latest()[0]
        except Unavailable:
            return None
        found = find_mat(image)
        return None if found is None else (found, (image.shape[1], image.shape[0]))

    def _remember_quietly(self) -> None:
        """Stores the view; without a camera there is none, and zones can still be drawn."""
        try:
            self.remember()
        except CompanionError as error:
            logger.info("the view is not stored: %s", error)


def _mat_state(seen: DetectedMat, size: tuple[int, int]) -> MatState:
    shares = seen.in_picture.reshape(-1, 4, 2) / (size[0], size[1])
    return MatState(
        seen.mat.name,
        round(seen.error, 2),
        tuple(
            MarkerSeen(number, tuple((round(float(x), 4), round(float(y), 4)) for x, y in quad))
            for number, quad in zip(seen.markers, shares, strict=True)
        ),
    )


def _lens_state(lens: Lens) -> LensState:
    return LensState(
        lens.helps,
        round(lens.error, 2),
        round(lens.error_corrected, 2),
        round(lens.error_uncorrected, 2),
        lens.pictures,
    )

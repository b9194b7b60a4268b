"""A camera above a table of the project's own cards, which a test lays down and moves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from still_host import eventually
from web_server import serving_table

from companion.announce.render import TableRenderer
from companion.art.scene import Conditions, Placed, Scene, View
from companion.core.clock import monotonic
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.story import phrases
from hardware.streams import Frame
from web import create_app

VIEW = View(width=1280, height=720, span=520.0, tilt=6.0)
LIGHT = Conditions("cloth", 0.92, (1.02, 1.0, 0.97), 0.15, blur=0.4, noise=2.0, jpeg=95)


class CameraTable:
    """What the camera sees: `show` lays cards down and takes the ones before away."""

    def __init__(self, game: str) -> None:
        self._scene = Scene(game, VIEW, LIGHT, np.random.default_rng(3))
        self._lock = threading.Lock()
        self.show([])

    def show(self, cards: Sequence[Placed]) -> None:
        """Shows these cards from now on."""
        image = np.asarray(self._scene.render(cards).image, np.uint8)
        self.put(image)

    def put(self, image: np.ndarray) -> None:
        """Shows any picture from now on."""
        with self._lock:
            self.image = image

    def row(self, labels: Sequence[str], columns: int = 5, turn: float = 0.0) -> None:
        """Cards apart from each other in rows."""
        at = [divmod(i, columns) for i in range(len(labels))]
        self.show(
            [
                Placed(label, (c - (columns - 1) / 2) * 84.0, (r - 0.5) * 108.0, turn + 4.0 * (-1) ** c)
                for label, (r, c) in zip(labels, at, strict=True)
            ]
        )

    def stream(self) -> CameraStream:
        """The opened camera."""
        return CameraStream(lambda: self.image)


class CameraStream:
    """Ten pictures a second."""

    def __init__(self, look: Callable[[], np.ndarray]) -> None:
        self._look = look
        self._closed = threading.Event()

    def __iter__(self) -> Iterator[Frame]:
        while not self._closed.wait(0.1):
            yield Frame(self._look(), monotonic())

    def close(self) -> None:
        self._closed.set()


@contextmanager
def served(folder: Path, camera: CameraTable | None) -> Iterator[tuple[str, App]]:
    """A real table with that camera and no other sense; gives its address and the app."""
    inputs = Inputs(camera=camera.stream if camera else None)
    app = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(folder), inputs=inputs)
    with serving_table(
        app, create_app(app.host, secret_key=app.data.key(), writer=TableRenderer(phrases))
    ) as address:
        yield address, app


def await_picture(app: App, image: np.ndarray) -> None:
    """Waits until the camera has given this picture."""
    eventually(
        lambda: app.latest_frame.available and app.latest_frame.latest()[0] is image,
        "the camera gave no such picture",
    )

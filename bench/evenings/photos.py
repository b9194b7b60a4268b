"""Photographs that phones send: the tiles of Bugs & Co, displays of Seven Merry Monsters."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from bench.evenings.counts import Cause, Evening
from bench.evenings.script import PlayedPhoto, Rng
from bench.tiles.scenes import laid
from companion.api.commands import EnterEvent, Reply, Request
from companion.art.scene import Scene, View, display, fitted, random_conditions
from companion.core.errors import CompanionError
from companion.runtime.stepped import SteppedApp

TABLES = ("wood", "cloth", "white", "checked")
MOST_TILES = 15
"""Tiles that one photograph shows."""


class Photographer:
    """Takes photographs for a phone, and puts right on it what was read wrongly."""

    def __init__(self, app: SteppedApp, counts: Evening, rng: Rng) -> None:
        self._app, self._counts, self._rng = app, counts, rng

    def take(self, photo: PlayedPhoto, send: Callable[[Request], Reply]) -> None:
        """Photographs, corrects the reading, and enters it."""
        snapshot = self._app.snapshot()
        assert snapshot.game is not None
        if snapshot.game.name == "bugs_and_co":
            true = {name: len(labels) for name, labels in photo.columns.items()}
            read = self._read_tiles(photo)
            event = {"event": "tiles_scored", "player": photo.player, "tiles": true}
        else:
            true = {
                name: {"cards": len(labels), "jokers": list(labels).count("joker")}
                for name, labels in photo.columns.items()
            }
            read = self._read_display(photo)
            event = {"event": "display_scanned", "player": photo.player, "display": true}
        wrong = [name for name in {*true, *read} if true.get(name) != read.get(name)]
        if wrong:
            self._counts.corrections += 1
            self._counts.taps += 1 + len(wrong)
            detail = ", ".join(f"{name}: {read.get(name)} for {true.get(name)}" for name in sorted(wrong))
            t = round(self._app.clock(), 1)
            self._counts.causes.append(Cause("camera", "photograph misread", "photograph", t, detail))
        self._counts.needed_taps += 2
        send(EnterEvent(event))

    def _read_tiles(self, photo: PlayedPhoto) -> dict[str, object]:
        names = [label for labels in photo.columns.values() for label in labels]
        self._rng.shuffle(names)
        read: dict[str, object] = {}
        for first in range(0, len(names), MOST_TILES):
            kind = TABLES[int(self._rng.integers(len(TABLES)))]
            image = laid(names[first : first + MOST_TILES], kind, int(self._rng.integers(1 << 30)))
            for name, count in self._reading(photo.player, image, "tiles").items():
                read[name] = int(read.get(name, 0)) + int(count)  # type: ignore[call-overload]
        return read

    def _read_display(self, photo: PlayedPhoto) -> dict[str, object]:
        cards = display(photo.columns, self._rng)
        view = fitted(cards, View(width=1600, height=1200, tilt=float(self._rng.uniform(0, 20))))
        light = random_conditions(self._rng, 0.4)
        image = Scene("seven_merry_monsters", view, light, self._rng).render(cards).image
        return self._reading(photo.player, image, "display")

    def _reading(self, player: str, image: np.ndarray, what: str) -> dict[str, object]:
        coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()
        try:
            reading = self._app.app.host.read_photo(player, coded)
        except CompanionError:
            return {}
        if what == "tiles":
            return dict(reading.tiles or {})
        columns = reading.display or {}
        return {name: {"cards": one.cards, "jokers": one.jokers} for name, one in columns.items()}

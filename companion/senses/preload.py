"""Loads what eyes and ears need, each on its own thread, once the service is ready and before a game starts.

Loading libraries takes seconds on a small Pi, and Python can hardly take the microphone's sound meanwhile:
the first call of the first game would be lost.
"""

from __future__ import annotations

import importlib


def nothing() -> None:
    """For a sense without a device."""


def eyes() -> None:
    """Loads OpenCV and the modules that recognise cards."""
    importlib.import_module("companion.vision.tracking.landing")


def ears() -> None:
    """Loads Vosk, the verifier's OpenCV, and the companion's English model, which is opened once so that its
    file is in the page cache.

    Raises:
        Unavailable: Vosk is not installed, or there is no model.
    """
    from companion.speech.model import models

    importlib.import_module("companion.speech.recognition.recogniser")
    models.open_model(models.find_model())

"""What eyes and ears load before a game wants them, each on its own thread, once the service is ready.

Loading libraries takes a small Pi seconds, during which Python can hardly take the microphone's sound: the
first call of the first game would be lost.
"""

from __future__ import annotations

import importlib


def nothing() -> None:
    """For a sense without a device."""


def eyes() -> None:
    """OpenCV, and what looks at cards."""
    importlib.import_module("companion.vision.tracking.landing")


def ears() -> None:
    """Vosk, the verifier's OpenCV, and the companion's own English model, which is opened once to have been
    read.

    Raises:
        Unavailable: Vosk is not installed, or there is no model.
    """
    from companion.speech.model import models

    importlib.import_module("companion.speech.recognition.recogniser")
    models.open_model(models.find_model())

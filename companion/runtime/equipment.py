"""The recorder of evenings, and the decks and speech models that a service uses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from companion.core.clock import Clock
from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.games import game_names
from companion.host.deck_library import SHIPPED, DeckLibrary
from companion.recording.recorder import Recorder
from companion.recording.setup import Equipment
from companion.speech.model.grammar import languages
from companion.store.folder import DataFolder


def equipment(config: Config, decks: DeckLibrary, added_models: Path) -> Equipment:
    """What can be read of it: a game without a deck, or a language without a model, is left out."""
    from companion.speech.model import models  # imported late: it loads numpy, which makes every start slower

    found_decks: dict[str, Path] = {}
    for game in game_names():
        with contextlib.suppress(CompanionError):
            folder = decks.folder(game)
            if folder is not None:
                found_decks[game] = folder
    found_models: dict[str, Path] = {}
    for language in languages():
        with contextlib.suppress(CompanionError):
            found_models[language] = models.find_model(
                language, models.named(config.speech.model, added_models)
            )
    return Equipment(found_decks, found_models, SHIPPED)


def built_recorder(
    config: Config,
    data: DataFolder,
    decks: DeckLibrary,
    clock: Clock,
    wall: Callable[[], datetime],
    record: Path | None,
    lossless: bool,
) -> Recorder:
    """The recorder of evenings; `record` is the folder if it is not the configured one."""
    configured = config.recording.folder
    folder = Path(configured).expanduser() if configured else data.path / "evenings"
    return Recorder(
        folder if record is None else record,
        config,
        data,
        lambda: equipment(config, decks, data.models),
        clock,
        wall,
        lossless=lossless,
    )

"""The decks and speech models that a service uses, for the recording of an evening."""

from __future__ import annotations

import contextlib
from pathlib import Path

from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.games import game_names
from companion.host.deck_library import SHIPPED, DeckLibrary
from companion.recording.setup import Equipment
from companion.speech.model.grammar import languages


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

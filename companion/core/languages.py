"""The languages of the companion: English, and every language with a catalogue in `companion/locale`.

They are found by looking, so that a language is added as files only (docs/add-a-language.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

ENGLISH = "en"
LOCALE = Path(__file__).parent.parent / "locale"
"""Folder of the catalogues: `<language>/LC_MESSAGES/companion.mo`."""


def english_first(found: Iterable[str]) -> tuple[str, ...]:
    """Names of languages in the order in which they are shown: English, then the others by name."""
    return (ENGLISH, *sorted({*found} - {ENGLISH}))


LANGUAGES = english_first(path.parts[-3] for path in LOCALE.glob("*/LC_MESSAGES/companion.mo"))
if TYPE_CHECKING:
    TableLanguage: TypeAlias = str
else:
    TableLanguage = Literal[LANGUAGES]

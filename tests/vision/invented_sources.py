"""What invented decks are made of, without any package: flat photographs, a stamp, Pillow's own typeface."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import ImageFont

from models.vision.namer.made_decks import DeckSources


def invented_sources(folder: Path) -> DeckSources:
    """The sources; the typeface is written to the folder."""
    face = folder / "face.ttf"
    font = ImageFont.load_default(20)
    assert isinstance(font, ImageFont.FreeTypeFont)
    assert isinstance(font.path, BytesIO)
    face.write_bytes(font.path.getvalue())
    photographs = [np.full((200, 240, 3), level, np.uint8) for level in (60, 140)]
    stamp = np.full((120, 120, 4), 200, np.uint8)
    return DeckSources(photographs, [stamp], [face], [face])

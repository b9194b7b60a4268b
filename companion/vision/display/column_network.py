"""The column network: a small network that says where cards begin in a column, and where its open card ends.

It looks at one column turned upright, its open card below, with cards 96 pixels wide: twice as fine as the
card finder sees them. It was trained on invented decks (models/vision/column_reader). A column that is shown
the wrong way round, and what is no column, begin and end nowhere.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Bytes, Floats, Image
from companion.vision.models import shipped_network

FILE = "column_reader/column_reader.onnx"
CARD_WIDTH, CARD_ROWS, SIDE = 96, 144, 16
"""Pixels of the upright picture across and along a card, and beside the column on either side."""
BEYOND = 0.5
"""Card lengths beyond either end of the column that are shown."""
STEP, ROW_STEP = 16, 4
"""The network takes pictures whose height is a multiple of STEP and answers for every ROW_STEP rows."""
RESOLUTION = CARD_ROWS // ROW_STEP
"""Places along a column, to a card length, for which the network answers."""


def column_picture(image: Image, quad: Floats, lengths: float) -> Bytes:
    """A column turned upright (rows, CARD_WIDTH + 2 SIDE, 3). `quad`: its corners (4, 2) in pixels of the
    image, clockwise, its covered end first; `lengths`: its length in card lengths. The cards in the image
    should be less than twice CARD_WIDTH wide."""
    rows = -(-round((lengths + 2 * BEYOND) * CARD_ROWS) // STEP) * STEP
    top, bottom = BEYOND * CARD_ROWS, (BEYOND + lengths) * CARD_ROWS
    frame = geometry.rectangle(SIDE, top, SIDE + CARD_WIDTH, bottom) - 0.5
    matrix = geometry.homography(np.asarray(quad, np.float32), frame)
    size = (CARD_WIDTH + 2 * SIDE, rows)
    return np.asarray(cv2.warpPerspective(image, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def seen_events(picture: Bytes) -> Floats:
    """What the network sees in a picture made by `column_picture`: the probabilities (2, places), 0 to 1,
    that a card's visible part begins at each place (first row), and that the open card ends there (second
    row). There are RESOLUTION places to a card length; the first one lies BEYOND card lengths before the
    column."""
    odds = shipped_network(FILE).forward(cv2.dnn.blobFromImage(picture, 1 / 255.0)).reshape(2, -1)
    return np.asarray((1.0 + np.tanh(odds / 2.0)) / 2.0, np.float32)  # the logistic function

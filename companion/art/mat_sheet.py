"""The mat on paper: markers along the rim, an outline in the middle, drawn as vectors in exact size."""

from __future__ import annotations

import io

import cv2
import numpy as np
from reportlab.pdfgen.canvas import Canvas

from companion.art.draw.raster import Pixels
from companion.art.sheets import MARGIN, MM, PAPERS
from companion.core.errors import UsageError
from companion.core.mat_layout import Mat, mat_named

DICTIONARY = cv2.aruco.DICT_4X4_100
MODULES = 6
"""Squares along a marker's side: four of its pattern and a black rim."""


def marker(number: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """A marker's squares, row by row; True is black."""
    drawn = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, MODULES)
    return np.asarray(drawn) < 128


def mat_pdf(name: str, paper: str | None = None) -> bytes:
    """The mat as a PDF: one page of its own size, or cut into pages of `paper` ("a4" or "letter") that are
    laid edge to edge.

    Raises:
        UsageError: there is no such mat or paper.
    """
    mat = mat_named(name)
    if paper is not None and paper not in PAPERS:
        raise UsageError("art.no_paper", paper=paper, papers=tuple(PAPERS))
    out = io.BytesIO()
    size = PAPERS[paper][::-1] if paper else (mat.width, mat.height)
    canvas = Canvas(out, pagesize=(size[0] * MM, size[1] * MM), invariant=1, pageCompression=1)
    canvas.setTitle(f"Companion mat {name}")
    if paper is None:
        canvas.transform(MM, 0, 0, -MM, 0, mat.height * MM)
        _draw(canvas, mat)
        canvas.showPage()
    else:
        _tiled(canvas, mat, size)
    canvas.save()
    return out.getvalue()


def pages(name: str, paper: str | None) -> tuple[int, int]:
    """How many pages lie side by side, and below each other."""
    mat = mat_named(name)
    if paper is None:
        return 1, 1
    wide, high = (side - 2 * MARGIN for side in PAPERS[paper][::-1])
    return int(-(-mat.width // wide)), int(-(-mat.height // high))


def mat_picture(mat: Mat, pixels_per_mm: float) -> Pixels:
    """The mat as a picture (BGR), as a scanner shows it."""
    width, height = round(mat.width * pixels_per_mm), round(mat.height * pixels_per_mm)
    picture = np.full((height, width, 3), 255, np.uint8)
    for number in mat.middles():
        corners = np.array(mat.corners(number)) * pixels_per_mm
        (left, top), (right, bottom) = np.round(corners[0]).astype(int), np.round(corners[2]).astype(int)
        squares = np.where(marker(number), 0, 255).astype(np.uint8)
        drawn = cv2.resize(squares, (right - left, bottom - top), interpolation=cv2.INTER_NEAREST)
        picture[top:bottom, left:right] = drawn[..., None]
    return picture


def _tiled(canvas: Canvas, mat: Mat, size: tuple[float, float]) -> None:
    wide, high = size[0] - 2 * MARGIN, size[1] - 2 * MARGIN
    across, down = int(-(-mat.width // wide)), int(-(-mat.height // high))
    for row in range(down):
        for column in range(across):
            canvas.saveState()
            canvas.transform(MM, 0, 0, -MM, MARGIN * MM, (size[1] - MARGIN) * MM)
            frame = canvas.beginPath()
            frame.rect(0, 0, wide, high)
            canvas.saveState()
            canvas.clipPath(frame, stroke=0)
            canvas.translate(-column * wide, -row * high)
            _draw(canvas, mat)
            canvas.restoreState()
            canvas.setLineWidth(0.1)
            canvas.setStrokeGray(0.6)
            canvas.rect(0, 0, wide, high, stroke=1, fill=0)
            canvas.restoreState()
            canvas.setFont("Helvetica", 7)
            place = f"row {row + 1} of {down}, column {column + 1} of {across}"
            note = f"{place}: print at 100 %, cut along the line"
            canvas.drawString(MARGIN * MM, 2.2 * MM, note)
            canvas.showPage()


def _draw(canvas: Canvas, mat: Mat) -> None:
    """In mm, y downwards."""
    canvas.setFillGray(0)
    square = mat.side / MODULES
    for number in mat.middles():
        left, top = mat.corners(number)[0]
        for row, line in enumerate(marker(number)):
            for column in np.flatnonzero(line).tolist():
                # A hair larger than its square: no white seam between two of them.
                canvas.rect(
                    left + column * square, top + row * square, square + 0.02, square + 0.02, stroke=0, fill=1
                )
    (left, top), _, (right, bottom), _ = mat.inside()
    canvas.setStrokeGray(0.75)
    canvas.setLineWidth(0.4)
    canvas.roundRect(left, top, right - left, bottom - top, 6, stroke=1, fill=0)
    canvas.saveState()
    canvas.transform(1, 0, 0, -1, left + 4, bottom - 4)
    canvas.setFillGray(0.6)
    canvas.setFont("Helvetica", 3.2)
    canvas.drawString(0, 0, f"companion mat {mat.name}: print at 100 %; this line is 50 mm")
    canvas.setStrokeGray(0.6)
    canvas.line(0, 4, 50, 4)
    canvas.restoreState()

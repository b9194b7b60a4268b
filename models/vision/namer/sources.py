"""Pictures out of Debian packages: photographs, stamps, typefaces and printed decks, with their licences."""

from __future__ import annotations

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as PillowImage

from companion.vision.image.picture import Image
from models.speech.train.packages import unpacked

PHOTOGRAPHS = (
    "mate-backgrounds",
    "gnome-backgrounds",
    "plasma-workspace-wallpapers",
    "ukui-wallpapers",
    "lomiri-wallpapers-16.04",
    "lomiri-wallpapers-20.04",
)
"""Backgrounds, and pictures printed on cards (GPL-2+, CC-BY-SA 3.0 and 4.0, CC-BY 4.0, CC0)."""
STAMPS = ("tuxpaint-stamps-default",)
"""Photographs and drawings of single things (GPL-2)."""
TYPEFACES = (
    "fonts-dejavu-core",
    "fonts-dejavu-extra",
    "fonts-liberation",
    "fonts-lato",
    "fonts-roboto-unhinted",
    "fonts-comic-neue",
    "fonts-cantarell",
)
"""Letters and digits (Bitstream Vera, OFL-1.1, Apache-2.0)."""
SYMBOLS = ("fonts-symbola", "fonts-font-awesome")
"""Pictograms as type (free for any use, OFL-1.1)."""
DECKS = ("kdegames-card-data-kf5", "kdegames-mahjongg-data-kf5")
"""Sixteen decks of 52 playing cards and six sets of mahjongg tiles as SVG (GPL-2+, LGPL, BSD, CC-BY-SA
3.0)."""
CARD_ID = re.compile(r"^(\d+|king|queen|jack)_(club|heart|spade|diamond)$")
TILE_ID = re.compile(r"^(CHARACTER|BAMBOO|ROD|WIND|DRAGON|SEASON|FLOWER)_\d$")
PHOTOGRAPH_WIDTH = 480
SMALLEST_PHOTOGRAPH = 400


def files(packages: tuple[str, ...], suffixes: tuple[str, ...], work: Path) -> Iterator[Path]:
    """The files of packages that end so, in order."""
    for package in packages:
        for path in sorted(unpacked(package, work).rglob("*")):
            if path.suffix.lower() in suffixes and path.is_file():
                yield path


def photographs(work: Path) -> list[Image]:
    """Every photograph once, PHOTOGRAPH_WIDTH wide; several sizes of one file count as one."""
    folder = work / "photographs"
    if not folder.exists():
        half = folder.with_suffix(".half")
        half.mkdir(parents=True, exist_ok=True)
        seen: set[bytes] = set()
        for path in files(PHOTOGRAPHS, (".jpg", ".jpeg", ".webp"), work):
            picture = cv2.imread(str(path))
            if picture is None or min(picture.shape[:2]) < SMALLEST_PHOTOGRAPH:
                continue
            key = cv2.resize(picture, (4, 4), interpolation=cv2.INTER_AREA) // 32
            if key.tobytes() in seen:
                continue
            seen.add(key.tobytes())
            high = round(PHOTOGRAPH_WIDTH * picture.shape[0] / picture.shape[1])
            small = cv2.resize(picture, (PHOTOGRAPH_WIDTH, high), interpolation=cv2.INTER_AREA)
            cv2.imwrite(str(half / f"{len(seen):04d}.png"), small)
        half.rename(folder)
    return [np.asarray(cv2.imread(str(path)), np.uint8) for path in sorted(folder.glob("*.png"))]


def stamps(work: Path, side: int = 120) -> list[Image]:
    """Things on a transparent ground, (side, side, 4), their colours not multiplied."""
    found = []
    for path in files(STAMPS, (".png",), work):
        with PillowImage.open(path) as opened:
            if "A" not in opened.getbands() and opened.mode != "P":
                continue
            opened.thumbnail((side, side), PillowImage.Resampling.LANCZOS, reducing_gap=2.0)
            picture = np.asarray(opened.convert("RGBA"), np.uint8)
        if (picture[..., 3] > 128).mean() < 0.1:
            continue
        square = np.zeros((side, side, 4), np.uint8)
        top, left = (side - picture.shape[0]) // 2, (side - picture.shape[1]) // 2
        square[top : top + picture.shape[0], left : left + picture.shape[1]] = picture[..., [2, 1, 0, 3]]
        found.append(square)
    return found


def typefaces(work: Path) -> list[Path]:
    """Files of typefaces with letters and digits."""
    return list(files(TYPEFACES, (".ttf", ".otf"), work))


def symbol_faces(work: Path) -> list[Path]:
    """Files of typefaces with pictograms."""
    return list(files(SYMBOLS, (".ttf", ".otf"), work))


def printed_decks(work: Path, width: int, height: int) -> dict[str, list[Image]]:
    """The decks that packages hold as SVG, every card (height, width, 3); drawn by Chromium, once."""
    folder = work / "printed"
    if not folder.exists():
        half = folder.with_suffix(".half")
        for path in files(DECKS, (".svgz",), work):
            _draw(path, half / path.stem.lower())
        half.rename(folder)
    decks: dict[str, list[Image]] = {}
    for deck in sorted(folder.iterdir()):
        pictures = [cv2.imread(str(path)) for path in sorted(deck.glob("*.png"))]
        decks[deck.name] = [
            np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            for picture in pictures
            if picture is not None
        ]
    return decks


def _draw(path: Path, folder: Path) -> None:
    """Writes every card of an SVG file as a picture about 160 pixels high."""
    from playwright.sync_api import sync_playwright

    text = gzip.decompress(path.read_bytes())
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', text.decode("utf-8", "replace")))
    cards = [name for name in ids if CARD_ID.match(name) or TILE_ID.match(name)]
    if not cards:
        return
    folder.mkdir(parents=True, exist_ok=True)
    drawing = folder / "deck.svg"
    drawing.write_bytes(text)
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 2600, "height": 2600})
        page.goto(f"file://{drawing}")
        page.evaluate(
            "() => { const s = document.documentElement; const b = s.getBBox();"
            " s.setAttribute('viewBox', `${b.x} ${b.y} ${b.width} ${b.height}`);"
            " s.setAttribute('width', '2600'); s.setAttribute('height', '2600');"
            " s.setAttribute('preserveAspectRatio', 'xMinYMin'); s.style.background = 'white'; }"
        )
        boxes = page.evaluate(
            "(ids) => ids.map(i => { const r = document.getElementById(i).getBoundingClientRect();"
            " return [r.x, r.y, r.width, r.height]; })",
            cards,
        )
        whole = folder / "whole.png"
        page.screenshot(path=str(whole))
        browser.close()
    picture = np.asarray(cv2.imread(str(whole)), np.uint8)
    for name, (x, y, wide, high) in zip(cards, boxes, strict=True):
        part = picture[max(0, round(y)) : round(y + high), max(0, round(x)) : round(x + wide)]
        if min(part.shape[:2]) >= 24:
            cv2.imwrite(str(folder / f"{name}.png"), part)
    drawing.unlink()
    whole.unlink()
    print(f"{path.stem}: {len(list(folder.glob('*.png')))} cards", file=sys.stderr)

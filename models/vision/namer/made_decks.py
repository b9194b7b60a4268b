"""Decks made by code: groups and values as in number cards, pips, pictures of things, photographs, text.

Cards of one deck share frame and typeface and differ in a colour, a number, a symbol or a picture, as the
cards of printed games do. `made_deck(seed)` always gives the same deck. A pale style has cards of one light
colour with few small marks: little of them shows where one card ends and the next begins.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from companion.vision.image.picture import Image

WIDTH, HEIGHT = 80, 120
"""Pixels of a finished card; it is drawn twice as large."""
W, H = 2 * WIDTH, 2 * HEIGHT
PALE_MOTIFS = ("tokens", "tokens", "tokens", "pips", "symbol", "number")
MOTIFS = ("number", "number", "pips", "symbol", "stamp", "photograph", "shapes", "text")
SHARP = "0123456789ABCDEFGHJKLMNPRSTUVXYZ+?!&"
Colour = tuple[int, int, int]
Rng = np.random.Generator


@dataclass(frozen=True)
class DeckSources:
    """What decks are made of (see sources)."""

    photographs: Sequence[Image]
    stamps: Sequence[Image]
    typefaces: Sequence[Path]
    symbols: Sequence[Path]


@dataclass(frozen=True)
class DeckStyle:
    """What the cards of one deck share."""

    motif: str
    colours: tuple[Colour, ...]
    border: Colour
    margin: int
    panel: str
    panel_colour: Colour
    tilt: float
    face: Path
    symbols: tuple[str, ...]
    symbol_face: Path
    corner: str
    ink: str
    shadow: bool
    ground: str
    texture: int
    title: bool
    marked: bool = False
    """Cards of one colour show the same picture and differ by the mark in their corners alone."""


def made_deck(
    seed: int, sources: DeckSources, cards: int = 36, *, large: bool = False, marked: bool = False
) -> list[Image]:
    """The cards (HEIGHT, WIDTH, 3) of one deck, (H, W, 3) if `large`. `marked`: cards of one colour differ by
    the mark in their corners alone."""
    rng = np.random.default_rng([seed, 17])
    style = random_style(rng, sources)
    if marked:
        style = replace(style, marked=True, corner=str(rng.choice(["value", "value", "symbol"])), title=False)
    groups = len(style.colours)
    values = max(1, math.ceil(cards / groups))
    deck = []
    for index in range(min(cards, groups * values)):
        group, value = divmod(index, values)
        card = drawn_card(style, group, value, np.random.default_rng([seed, group, value]), sources)
        deck.append(card if large else small_card(card))
    return deck


def pale(style: DeckStyle, rng: Rng) -> DeckStyle:
    """The style with cards of one light colour, some with a border or a touch of their group's colour, and
    few small marks."""
    paper = hsv_colour(rng.random(), rng.uniform(0, 0.12), rng.uniform(0.82, 1))
    tinted = rng.random() < 0.2
    return replace(
        style,
        motif=str(rng.choice(PALE_MOTIFS)),
        border=paper,
        margin=style.margin if tinted else 0,
        panel="none",
        ink="dark" if rng.random() < 0.15 else "group",
        shadow=False,
        ground="tint" if tinted else "paper",
        corner=str(rng.choice(["value", "value", "symbol", "none"])),
    )


def random_style(rng: Rng, sources: DeckSources) -> DeckStyle:
    groups = int(rng.choice([1, 2, 3, 4, 4, 4, 5, 6, 9]))
    start, saturation = float(rng.random()), float(rng.uniform(0.35, 1.0))
    even = rng.random() < 0.5
    hues = [start + index / groups if even else float(rng.random()) for index in range(groups)]
    colours = [hsv_colour(hue, saturation, float(rng.uniform(0.35, 0.95))) for hue in hues]
    if rng.random() < 0.25:
        colours[0] = hsv_colour(0, 0, float(rng.uniform(0.02, 0.25)))
    border = (
        (255, 255, 255)
        if rng.random() < 0.65
        else hsv_colour(rng.random(), rng.uniform(0, 0.8), rng.uniform(0, 1))
    )
    face = sources.symbols[int(rng.integers(len(sources.symbols)))]
    return DeckStyle(
        motif=str(rng.choice(MOTIFS)),
        colours=tuple(colours),
        border=border,
        margin=int(rng.choice([0, 4, 8, 10, 14])),
        panel=str(rng.choice(["none", "ellipse", "ellipse", "circle", "rectangle", "diamond"])),
        panel_colour=(250, 250, 248) if rng.random() < 0.7 else hsv_colour(rng.random(), 0.25, 0.9),
        tilt=float(rng.choice([0, 0, 15, 25, 35])),
        face=sources.typefaces[int(rng.integers(len(sources.typefaces)))],
        symbols=tuple(random_symbol(rng, face) for _ in range(40)),
        symbol_face=face,
        corner=str(rng.choice(["value", "value", "symbol", "both", "none"])),
        ink=str(rng.choice(["group", "group", "dark", "white"])),
        shadow=bool(rng.random() < 0.4),
        ground=str(rng.choice(["group", "group", "white", "tint", "stripes", "photograph"])),
        texture=int(rng.integers(1 << 30)),
        title=bool(rng.random() < 0.3),
    )


def drawn_card(style: DeckStyle, group: int, value: int, rng: Rng, sources: DeckSources) -> Image:
    """A card (H, W, 3) of a deck; `group` counts its colours, `value` any number from 0."""
    own = style.colours[group]
    picture = PillowImage.new("RGB", (W, H), style.border)
    ground = _ground(style, own, sources)
    m = style.margin
    mask = PillowImage.new("L", (W, H), 0)
    ImageDraw.Draw(mask).rounded_rectangle((m, m, W - 1 - m, H - 1 - m), radius=12, fill=255)
    picture.paste(ground, (0, 0), mask)
    draw = ImageDraw.Draw(picture)
    on_panel = style.panel != "none"
    if on_panel:
        _panel(picture, style)
    light = on_panel or style.ground in ("white", "tint", "paper")
    ink = {"group": own, "dark": (22, 20, 24), "white": (250, 250, 250)}[style.ink]
    if light and style.ink == "white":
        ink = own
    if not light and style.ink == "group":
        ink = (250, 250, 250)
    shown = 0 if style.marked else value
    if style.marked:
        rng = np.random.default_rng([style.texture, group])
    _motif(picture, style, group, shown, ink, rng, sources)
    corner_ink = (250, 250, 250) if style.ground == "group" else own
    if style.corner in ("value", "both"):
        _corners(picture, value_name(value), style.face, corner_ink, 30)
    if style.corner == "symbol" or (style.corner == "both" and style.motif != "number"):
        symbol = (value if style.marked else group) + 7
        _corners(picture, style.symbols[symbol % 40], style.symbol_face, corner_ink, 26, 34)
    if style.title:
        text = _words(np.random.default_rng([style.texture, group, value, 5]))
        draw.text((W / 2, 0.86 * H), text, fill=corner_ink, font=font_of(style.face, 17), anchor="mm")
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[..., ::-1])


def small_card(card: Image) -> Image:
    """A card (HEIGHT, WIDTH, 3) of one that was drawn large."""
    return np.asarray(cv2.resize(card, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def _ground(style: DeckStyle, own: Colour, sources: DeckSources) -> PillowImage.Image:
    if style.ground == "photograph":
        rng = np.random.default_rng(style.texture)
        crop = photograph_crop(sources.photographs, rng, W, H)
        tint = 0.5 * crop.astype(np.float32) + 0.5 * np.array(own[::-1], np.float32)
        return PillowImage.fromarray(np.ascontiguousarray(tint.astype(np.uint8)[..., ::-1]))
    colour = own
    if style.ground == "paper":
        colour = style.border
    elif style.ground == "white":
        colour = (250, 250, 250)
    elif style.ground == "tint":
        colour = tuple(int(190 + 0.25 * c) for c in own)  # type: ignore[assignment]
    ground = PillowImage.new("RGB", (W, H), colour)
    if style.ground == "stripes":
        draw = ImageDraw.Draw(ground)
        other = tuple(int(0.75 * c) for c in colour)
        step = 8 + style.texture % 30
        for at in range(-H, W + H, 2 * step):
            draw.line((at, 0, at + H, H), fill=other, width=step // 2)
    return ground


def _panel(picture: PillowImage.Image, style: DeckStyle) -> None:
    mask = PillowImage.new("L", (W, H), 0)
    draw = ImageDraw.Draw(mask)
    if style.panel == "circle":
        draw.ellipse((W * 0.14, H / 2 - W * 0.36, W * 0.86, H / 2 + W * 0.36), fill=255)
    elif style.panel == "ellipse":
        draw.ellipse((W * 0.16, H * 0.12, W * 0.84, H * 0.88), fill=255)
    elif style.panel == "diamond":
        draw.polygon([(W / 2, 0.14 * H), (0.9 * W, H / 2), (W / 2, 0.86 * H), (0.1 * W, H / 2)], fill=255)
    else:
        draw.rounded_rectangle((0.15 * W, 0.16 * H, 0.85 * W, 0.84 * H), radius=14, fill=255)
    if style.panel in ("ellipse", "rectangle"):
        mask = mask.rotate(-style.tilt, resample=PillowImage.Resampling.BILINEAR)
    picture.paste(PillowImage.new("RGB", (W, H), style.panel_colour), (0, 0), mask)


def _motif(
    picture: PillowImage.Image,
    style: DeckStyle,
    group: int,
    value: int,
    ink: Any,
    rng: Rng,
    sources: DeckSources,
) -> None:
    draw = ImageDraw.Draw(picture)
    if style.motif == "number":
        text = value_name(value) if value < 10 or style.texture % 2 else style.symbols[value % 40]
        face = style.face if text == value_name(value) else style.symbol_face
        size = 120 if len(text) == 1 else 88
        if style.shadow:
            draw.text((W / 2 - 3, H / 2 + 4), text, fill=(10, 10, 10), font=font_of(face, size), anchor="mm")
        draw.text((W / 2, H / 2), text, fill=ink, font=font_of(face, size), anchor="mm")
    elif style.motif == "pips":
        symbol, font = style.symbols[group], font_of(style.symbol_face, 34)
        for x, y in _places(value + 1):
            draw.text((W * x, H * y), symbol, fill=ink, font=font, anchor="mm")
    elif style.motif == "tokens":
        _tokens(draw, style, group, value, ink)
    elif style.motif == "symbol":
        symbol = style.symbols[(value + (group * 11 if style.texture % 3 == 0 else 0)) % 40]
        draw.text((W / 2, H / 2), symbol, fill=ink, font=font_of(style.symbol_face, 105), anchor="mm")
    elif style.motif == "stamp":
        stamp = sources.stamps[
            int(np.random.default_rng([style.texture, group * 50 + value]).integers(len(sources.stamps)))
        ]
        thing = PillowImage.fromarray(np.ascontiguousarray(stamp[..., [2, 1, 0, 3]]))
        picture.paste(thing, ((W - 120) // 2, (H - 120) // 2), thing)
    elif style.motif == "photograph":
        wide, high = int(0.74 * W), int((0.45 if style.title else 0.62) * H)
        crop = photograph_crop(sources.photographs, rng, wide, high)
        picture.paste(
            PillowImage.fromarray(np.ascontiguousarray(crop[..., ::-1])), ((W - wide) // 2, (H - high) // 2)
        )
    elif style.motif == "shapes":
        _shapes(draw, style, rng, ink)
    else:
        lines = int(rng.integers(4, 8))
        for line in range(lines):
            text = " ".join(_words(rng) for _ in range(2))
            draw.text(
                (W / 2, H * (0.3 + 0.06 * line)),
                text[:16],
                fill=ink,
                font=font_of(style.face, 15),
                anchor="mm",
            )


def _tokens(draw: ImageDraw.ImageDraw, style: DeckStyle, group: int, value: int, ink: Any) -> None:
    """As many small marks as the value: in a ring, in rows, along the sides or strewn, at times round the
    number."""
    rng = np.random.default_rng([style.texture, 11])
    size, reach, layout = float(rng.uniform(4, 17)), float(rng.uniform(0.16, 0.36)), int(rng.integers(4))
    turns = np.arange(value + 1) * 2 * math.pi / rng.integers(value + 1, 10) - math.pi / 2
    places = [(0.5 + reach * math.cos(t), 0.5 + reach * math.sin(t)) for t in turns]
    if layout == 1:
        places = _places(value + 1)
    elif layout == 2:
        places = [(0.15 + 0.7 * (i % 2), 0.2 + 0.6 * (i // 2) / 3) for i in range(value + 1)]
    elif layout == 3:
        own = np.random.default_rng([style.texture, group, 12])
        places = [(float(x), float(y)) for x, y in own.uniform(0.15, 0.85, (value + 1, 2))]
    for x, y in places:
        _token(draw, (W * x, H * y), size, group % 5, ink)
    if rng.random() < 0.6:
        font = font_of(style.face, int(rng.integers(18, 70)))
        draw.text((W / 2, H / 2), value_name(value + 1), fill=ink, font=font, anchor="mm")


def _token(draw: ImageDraw.ImageDraw, at: tuple[float, float], size: float, kind: int, ink: Any) -> None:
    """A disc, a circle, or a polygon of 3 to 5 corners."""
    box = (at[0] - size, at[1] - size, at[0] + size, at[1] + size)
    if kind == 0:
        draw.ellipse(box, fill=ink)
    elif kind == 1:
        draw.ellipse(box, outline=ink, width=max(2, int(size / 4)))
    else:
        turns = np.linspace(0, 2 * math.pi, kind + 1, endpoint=False) - math.pi / 2
        draw.polygon([(at[0] + size * math.cos(t), at[1] + size * math.sin(t)) for t in turns], fill=ink)


def _shapes(draw: ImageDraw.ImageDraw, style: DeckStyle, rng: Rng, ink: Any) -> None:
    for _ in range(int(rng.integers(2, 7))):
        x, y, size = rng.uniform(0.25, 0.75) * W, rng.uniform(0.25, 0.75) * H, rng.uniform(12, 42)
        colour = (
            ink if rng.random() < 0.5 else hsv_colour(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.2, 1))
        )
        kind = int(rng.integers(4))
        if kind == 0:
            draw.ellipse((x - size, y - size, x + size, y + size), fill=colour)
        elif kind == 1:
            draw.ellipse((x - size, y - size, x + size, y + size), outline=colour, width=int(size / 4) + 2)
        else:
            turn = rng.uniform(0, 2 * math.pi) + np.linspace(0, 2 * math.pi, kind + 2, endpoint=False)
            draw.polygon([(x + size * math.cos(t), y + size * math.sin(t)) for t in turn], fill=colour)


def _corners(picture: PillowImage.Image, text: str, face: Path, ink: Any, size: int, lower: int = 0) -> None:
    """Text in the upper left corner and, turned, in the lower right one."""
    layer = PillowImage.new("L", (W, H), 0)
    ImageDraw.Draw(layer).text((24, 26 + lower), text, fill=255, font=font_of(face, size), anchor="mm")
    both = PillowImage.fromarray(np.maximum(np.asarray(layer), np.asarray(layer)[::-1, ::-1]))
    picture.paste(PillowImage.new("RGB", (W, H), ink), (0, 0), both)


def _places(count: int) -> list[tuple[float, float]]:
    """Where the pips of a card stand."""
    if count > 12:
        return [(0.2 + 0.2 * (i % 4), 0.2 + 0.6 * (i // 4) / max(1, (count - 1) // 4)) for i in range(count)]
    rows = math.ceil(count / 2)
    places = [(0.33 + 0.34 * (i % 2), 0.2 + 0.6 * (i // 2) / max(1, rows - 1)) for i in range(count)]
    if count % 2:
        places[-1] = (0.5, places[-1][1] if count > 1 else 0.5)
    return places


def value_name(value: int) -> str:
    """A numeral, or a sign for a value from 16 on."""
    return str(value) if value < 16 else SHARP[(value - 6) % len(SHARP)]


def _words(rng: Rng) -> str:
    return "".join(str(rng.choice(list("aeioustrnlmkdp"))) for _ in range(int(rng.integers(3, 9)))).title()


def random_symbol(rng: Rng, face: Path) -> str:
    """A pictogram that the typeface has."""
    for _ in range(60):
        first, last = (
            ((0xF000, 0xF2E0) if "wesome" in face.name else (0x1F300, 0x1F5F0))
            if rng.random() < 0.8
            else (0x2600, 0x27B0)
        )
        text = chr(int(rng.integers(first, last)))
        if _is_plain(face, text):
            return text
    return str(rng.choice(list(SHARP)))


@lru_cache(maxsize=4096)
def _is_plain(face: Path, text: str) -> bool:
    """Whether the typeface has this sign, and with enough ink."""
    font = font_of(face, 60)
    ink = font.getmask(text)
    if ink.getbbox() is None or bytes(ink) == _missing(face):
        return False
    box = font.getbbox(text)
    return bool(box[2] - box[0] > 15 and np.asarray(ink).mean() > 20)


@lru_cache
def _missing(face: Path) -> bytes:
    """A sign that the typeface does not have: any other that is missing looks the same."""
    return bytes(font_of(face, 60).getmask("\uffff"))


_FONTS: dict[tuple[Path, int], Any] = {}


def font_of(face: Path, size: int) -> Any:
    """A typeface at a size in pixels, read once."""
    if (face, size) not in _FONTS:
        _FONTS[face, size] = ImageFont.truetype(str(face), size)
    return _FONTS[face, size]


def hsv_colour(hue: float, saturation: float, value: float) -> Colour:
    """RGB, 0 to 255, of a hue in turns and two shares."""
    red, green, blue = colorsys.hsv_to_rgb(float(hue) % 1.0, float(saturation), float(value))
    return round(255 * red), round(255 * green), round(255 * blue)


def photograph_crop(photographs: Sequence[Image], rng: Rng, width: int, height: int) -> Image:
    """A random part of a random photograph, (height, width, 3)."""
    photograph = photographs[int(rng.integers(len(photographs)))]
    rows, columns = photograph.shape[:2]
    scale = float(rng.uniform(0.25, 1.0)) * min(rows / height, columns / width)
    high, wide = max(8, int(height * scale)), max(8, int(width * scale))
    top, left = int(rng.integers(rows - high + 1)), int(rng.integers(columns - wide + 1))
    part = photograph[top : top + high, left : left + wide]
    return np.asarray(cv2.resize(part, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

"""Decks whose cards are hard to tell apart: one mark more or less, a small numeral, one colour and the next.

A verifier that has seen only cards with large differences takes a card that is not enrolled for its
neighbour. Three kinds, each with its own layout, typeface and colours: *counted* cards show as many marks as
their value; *flat* cards have one colour and one small numeral; *tinted* cards show the same picture on
colours that are close to each other. `alike_deck(seed)` always gives the same deck.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageDraw

from companion.vision.image.picture import Image
from models.vision.namer.made_decks import (
    Colour,
    DeckSources,
    H,
    Rng,
    W,
    font_of,
    hsv_colour,
    random_symbol,
    small_card,
    value_name,
)

KINDS = ("counted", "counted", "counted", "flat", "flat", "tinted")
LAYOUTS = ("rows", "columns", "ring", "strewn", "dice", "spiral")
Place = tuple[float, float]


@dataclass(frozen=True)
class AlikeStyle:
    """What the cards of one deck share. `sizes`: of a mark and of a numeral, in pixels of W x H; `numerals`:
    where they stand, on the unit card; `strewn`: where the marks of that layout stand."""

    kind: str
    layout: str
    paper: tuple[Colour, ...]
    inks: tuple[Colour, ...]
    border: Colour
    margin: int
    face: Path
    marks: tuple[str, ...]
    mark_face: Path
    sizes: tuple[int, int]
    numerals: tuple[Place, ...]
    strewn: tuple[Place, ...]
    ornament: int | None


def alike_deck(seed: int, sources: DeckSources, cards: int = 32, *, large: bool = False) -> list[Image]:
    """The cards (HEIGHT, WIDTH, 3) of one deck, (H, W, 3) if `large`, neighbours by number one after the
    other."""
    rng = np.random.default_rng([seed, 23])
    style = _random_style(rng, sources)
    values = math.ceil(cards / len(style.paper))
    deck = []
    for index in range(min(cards, values * len(style.paper))):
        group, value = divmod(index, values)
        card = _drawn(style, group, value)
        deck.append(card if large else small_card(card))
    return deck


def _random_style(rng: Rng, sources: DeckSources) -> AlikeStyle:
    kind = str(rng.choice(KINDS))
    groups = int(rng.integers(5, 11)) if kind == "tinted" else int(rng.choice([2, 3, 4, 4, 5]))
    hues = _hues(rng, groups, close=kind == "tinted" or rng.random() < 0.3)
    full = [hsv_colour(hue, rng.uniform(0.3, 1), rng.uniform(0.35, 1)) for hue in hues]
    light = hsv_colour(float(rng.random()), float(rng.uniform(0, 0.2)), float(rng.uniform(0.8, 1)))
    coloured = kind != "counted" or rng.random() < 0.4
    paper = tuple(full) if coloured else (light,) * groups
    contrast = float(rng.uniform(0.25, 1))
    other = (250, 250, 250) if rng.random() < 0.6 else (20, 20, 24)
    inks = tuple(_between(own, other, contrast) for own in paper) if coloured else tuple(full)
    symbol_face = sources.symbols[int(rng.integers(len(sources.symbols)))]
    same_mark = rng.random() < 0.5
    marks = [random_symbol(rng, symbol_face) for _ in range(groups)]
    return AlikeStyle(
        kind=kind,
        layout=str(rng.choice(LAYOUTS)),
        paper=paper,
        inks=inks,
        border=(250, 250, 250) if rng.random() < 0.6 else light,
        margin=int(rng.choice([0, 0, 5, 9, 13])),
        face=sources.typefaces[int(rng.integers(len(sources.typefaces)))],
        marks=tuple(marks[:1] * groups if same_mark else marks),
        mark_face=symbol_face,
        sizes=(int(rng.integers(18, 40)), int(rng.integers(20, 64))),
        numerals=_numeral_places(rng, kind),
        strewn=tuple((float(x), float(y)) for x, y in rng.uniform(0.14, 0.86, (40, 2))),
        ornament=int(rng.integers(1 << 30)) if rng.random() < 0.4 else None,
    )


def _hues(rng: Rng, groups: int, *, close: bool) -> list[float]:
    start, step = float(rng.random()), float(rng.uniform(0.05, 0.1)) if close else 1.0 / groups
    return [start + step * index for index in range(groups)]


def _between(one: Colour, other: Colour, share: float) -> Colour:
    mixed = [round(a + (b - a) * share) for a, b in zip(one, other, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def _numeral_places(rng: Rng, kind: str) -> tuple[Place, ...]:
    """None on most counted cards, otherwise both corners, the middle, or anywhere."""
    if kind == "counted" and rng.random() < 0.6:
        return ()
    where = rng.random()
    if where < 0.35:
        return (0.15, 0.11), (0.85, 0.89)
    return ((0.5, 0.5),) if where < 0.6 else ((float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.2, 0.8))),)


def _drawn(style: AlikeStyle, group: int, value: int) -> Image:
    """One card (H, W, 3)."""
    picture = PillowImage.new("RGB", (W, H), style.border)
    draw = ImageDraw.Draw(picture)
    m, ink = style.margin, style.inks[group]
    draw.rounded_rectangle((m, m, W - 1 - m, H - 1 - m), radius=12 if m else 0, fill=style.paper[group])
    if style.ornament is not None:
        _ornament(draw, np.random.default_rng(style.ornament), _between(style.paper[group], ink, 0.4))
    size, number_size = style.sizes
    if style.kind == "counted":
        count = min(value + 1, len(style.strewn))
        font = font_of(style.mark_face, size)
        for x, y in mark_places(style.layout, count, style.strewn):
            draw.text((W * x, H * y), style.marks[group], fill=ink, font=font, anchor="mm")
    elif style.kind == "tinted":
        font = font_of(style.mark_face, 3 * size)
        draw.text((W / 2, H / 2), style.marks[0], fill=ink, font=font, anchor="mm")
    for index, (x, y) in enumerate(style.numerals):
        layer = PillowImage.new("L", (W, H), 0)
        at = (W * x, H * y) if index == 0 else (W * (1 - x), H * (1 - y))
        font = font_of(style.face, number_size)
        ImageDraw.Draw(layer).text(at, value_name(value), fill=255, font=font, anchor="mm")
        turned = layer.rotate(180) if index else layer
        picture.paste(PillowImage.new("RGB", (W, H), ink), (0, 0), turned)
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[..., ::-1])


def _ornament(draw: ImageDraw.ImageDraw, rng: Rng, ink: Colour) -> None:
    """Lines and ovals that all cards of the deck share."""
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.uniform(0, W, 2), rng.uniform(0, H, 2)
        box = (float(x.min()), float(y.min()), float(x.max()), float(y.max()))
        if rng.random() < 0.5:
            draw.ellipse(box, outline=ink, width=int(rng.integers(2, 7)))
        else:
            draw.line(box, fill=ink, width=int(rng.integers(2, 7)))


def mark_places(layout: str, count: int, strewn: tuple[Place, ...]) -> list[Place]:
    """Where the marks of a card of that many stand, on the unit card."""
    if layout == "strewn":
        return list(strewn[:count])
    if layout == "ring":
        turns = np.arange(count) * 2 * math.pi / count - math.pi / 2
        return [(0.5 + 0.33 * math.cos(turn), 0.5 + 0.36 * math.sin(turn)) for turn in turns]
    if layout == "spiral":
        turns = np.arange(count) * 0.9
        return [
            (0.5 + (0.05 + 0.022 * i) * math.cos(t), 0.5 + (0.07 + 0.024 * i) * math.sin(t))
            for i, t in enumerate(turns)
        ]
    wide = 4 if layout == "rows" else 2 if layout == "columns" else 3
    if layout == "dice" and count <= 9:
        grid = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "035268"}
        cells = [int(cell) for cell in grid.get(count, "035268417"[:count])]
        return [(0.22 + 0.28 * (cell % 3), 0.2 + 0.3 * (cell // 3)) for cell in cells]
    rows = math.ceil(count / wide)
    step = 0.72 / max(1, rows - 1) if layout == "columns" else 0.19
    top = 0.5 if layout == "columns" and rows == 1 else 0.14
    return [((0.5 + i % wide) / wide, top + step * (i // wide)) for i in range(count)]

"""Decks of seven monsters for displays, drawn here or taken from photographs.

A deck is used for development (limits and networks may be chosen on it) or left out (only reported). The two
groups share no drawing code: development decks are drawn by this module, left-out ones by
`models.drawn.games`, from photographs, or from our own art with badly made references.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from bench.surrogates.sets import own_cards, pictures_of
from models.drawn import games
from models.drawn.camera import CameraModel, Floats, Image, Rng, aged, phone, reference, taken
from models.drawn.games import hue, lettering

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
HUES = (0.0, 0.07, 0.14, 0.36, 0.6, 0.76, 0.91)
NUMBERS = 7
JOKER = "joker"
REFERENCE_WIDTH = 260
UNO_COLOURS = ("red", "yellow", "green", "blue")


@dataclass(frozen=True)
class DisplayDeck:
    """A deck as it is printed, the pictures of it that are enrolled, and its joker's label. The part of a
    label before the blank is the monster."""

    name: str
    cards: Mapping[str, Image]
    references: Mapping[str, Image]
    joker: str = JOKER

    @property
    def monsters(self) -> dict[str, list[str]]:
        """The labels of each monster."""
        found: dict[str, list[str]] = {}
        for label in self.cards:
            if label != self.joker:
                found.setdefault(label.split()[0], []).append(label)
        return found


def _deck(name: str, draw: Callable[[int, int], Image], joker: Image, rng: Rng) -> DisplayDeck:
    """A deck of seven colours; `draw` takes the index of a colour and a number from 1."""
    cards = {
        f"{colour} {number}": draw(index, number)
        for index, colour in enumerate(COLOURS)
        for number in range(1, NUMBERS + 1)
    }
    cards[JOKER] = joker
    learnt = {label: reference(card, rng, REFERENCE_WIDTH) for label, card in cards.items()}
    return DisplayDeck(name, cards, learnt)


# --- development ----------------------------------------------------------------------------------------


def bands(seed: int) -> DisplayDeck:
    """Development: a coloured field with a border, a band across and large numbers in two corners."""
    rng = np.random.default_rng([seed, 501])
    border, slant = int(rng.integers(10, 34)), float(rng.uniform(-120, 120))
    paper = float(rng.uniform(225, 252))
    font = int(rng.integers(4))

    def draw(index: int, number: int) -> Image:
        card = np.full((700, 460, 3), paper, np.uint8)
        tone = hue(HUES[index], 0.75, 0.8)
        card[border : 700 - border, border : 460 - border] = tone
        band = np.array([[0, 300 - slant], [460, 300 + slant], [460, 420 + slant], [0, 420 - slant]])
        cv2.fillPoly(card, [band.astype(np.int32)], hue(HUES[index], 0.35, 0.95), cv2.LINE_AA)
        lettering(card, str(number), 195, 400, 80, (30.0, 25.0, 25.0), font=font, weight=1.4)
        return _cornered(card, str(number), border + 14, (250.0, 250.0, 250.0), font)

    return _deck(f"bands-{seed}", draw, _joker_card(seed, 460), rng)


def creatures(seed: int) -> DisplayDeck:
    """Development: on every card another creature of strokes and eyes on patterned paper of one colour."""
    own = np.random.default_rng([seed, 502])
    dark = bool(own.random() < 0.4)

    def draw(index: int, number: int) -> Image:
        rng = np.random.default_rng([seed, index, number, 503])
        card = np.full((640, 440, 3), 18 if dark else 240, np.uint8)
        field = card[16:624, 16:424]
        field[:] = hue(HUES[index], 0.45, 0.45 if dark else 0.92)
        for _ in range(40):
            at = (int(rng.uniform(0, 408)), int(rng.uniform(0, 608)))
            cv2.circle(field, at, int(rng.integers(3, 12)), hue(HUES[index], 0.55, 0.75), -1, cv2.LINE_AA)
        for _ in range(int(rng.integers(4, 9))):
            _lobe(field, HUES[index], rng)
        for side in (-1, 1):
            eye = (204 + side * int(rng.integers(30, 60)), 250 + int(rng.integers(-30, 30)))
            cv2.circle(field, eye, 26, (250, 250, 250), -1, cv2.LINE_AA)
            cv2.circle(field, eye, 11, (15, 15, 15), -1, cv2.LINE_AA)
        return _cornered(card, str(number), 30, (20.0, 20.0, 20.0), 2)

    return _deck(f"creatures-{seed}", draw, _joker_card(seed, 440), own)


def tokens(seed: int) -> DisplayDeck:
    """Development: pale plain cards; only a ring of small tokens and a number in the middle are coloured."""
    rng = np.random.default_rng([seed, 507])
    paper = rng.uniform((200, 215, 220), (235, 245, 252))
    size, ring = int(rng.integers(18, 34)), float(rng.uniform(95, 150))
    font, corner = int(rng.integers(4)), bool(rng.random() < 0.5)

    def draw(index: int, number: int) -> Image:
        card = np.empty((660, 440, 3), np.uint8)
        card[:] = paper
        ink = hue(HUES[index], 0.8, 0.7)
        lettering(card, str(number), 200, 355, 52, ink, font=font, weight=1.2)
        for turn in np.arange(number) * 2 * math.pi / NUMBERS - math.pi / 2:
            middle = (round(220 + ring * math.cos(turn)), round(330 + 1.6 * ring * math.sin(turn)))
            if index % 2:
                cv2.circle(card, middle, size, ink, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(card, (middle[0] - size, middle[1] - size), middle, ink, -1)
        return _cornered(card, str(number), 24, ink, font) if corner else card

    return _deck(f"tokens-{seed}", draw, _joker_card(seed, 440), rng)


def own(seed: int) -> DisplayDeck:
    """Development: our own deck, learned from good photographs."""
    rng, cards = np.random.default_rng([seed, 504]), own_cards()
    learnt = {label: reference(card, rng, REFERENCE_WIDTH) for label, card in cards.items()}
    return DisplayDeck(f"own-{seed}", cards, learnt)


# --- left out -------------------------------------------------------------------------------------------


def portraits(seed: int) -> DisplayDeck:
    """Left out: picture cards; the colour of the monster only in a thin frame and the number's disc."""

    def draw(index: int, number: int) -> Image:
        rng = np.random.default_rng([seed, index, number, 601])
        card = np.full((690, 450, 3), 236, np.uint8)
        card[14:676, 14:436] = hue(HUES[index], 0.7, 0.75)
        card[34:656, 34:416] = games.painting(382, 622, rng)
        for _ in range(2):
            cv2.circle(card, (62, 66), 38, hue(HUES[index], 0.7, 0.75), -1, cv2.LINE_AA)
            lettering(card, str(number), 46, 84, 38, (248.0, 248.0, 248.0), font=0, weight=1.3)
            card = np.ascontiguousarray(card[::-1, ::-1])
        return card

    rng = np.random.default_rng([seed, 602])
    joker = np.full((690, 450, 3), 236, np.uint8)
    joker[34:656, 34:416] = games.painting(382, 622, rng)
    for x, colour in enumerate(HUES):
        joker[14:34, 14 + 60 * x : 74 + 60 * x] = joker[656:676, 14 + 60 * x : 74 + 60 * x] = hue(
            colour, 0.7, 0.8
        )
    return _deck(f"portraits-{seed}", draw, joker, rng)


def pips(seed: int) -> DisplayDeck:
    """Left out: white cards with as many stars as their number and an index in two corners."""

    def draw(index: int, number: int) -> Image:
        rng = np.random.default_rng([seed, index, 603])
        card = np.full((games.HEIGHT, games.WIDTH, 3), (240, 244, 245), np.uint8)
        tone = hue(HUES[index], 0.85, 0.8)
        places = [(x, y) for y in (150, 280, 420, 550) for x in (160, 340)]
        for at in rng.permutation(len(places))[:number]:
            games.draw_pip(card, places[int(at)], 56, 3 + index % 4, tone)
        for _ in range(2):
            lettering(card, str(number), 22, 66, 44, tone, font=0, weight=1.2)
            games.draw_pip(card, (46, 108), 22, 3 + index % 4, tone)
            card = np.ascontiguousarray(card[::-1, ::-1])
        return card

    rng = np.random.default_rng([seed, 604])
    return _deck(f"pips-{seed}", draw, games.framed_card(seed + 50, 1), rng)


def uno(shared: Path, seed: int) -> DisplayDeck:
    """Left out: the photographed uno deck with numbers 1 to 7 of four colours; its wild card is the joker."""
    pictures = pictures_of(shared / "vision" / "uno")
    wanted = [f"{colour} {number}" for colour in UNO_COLOURS for number in range(1, NUMBERS + 1)]
    cards = {label: pictures[label] for label in [*wanted, "wild"]}
    rng = np.random.default_rng([seed, 605])
    learnt = {label: reference(card, rng, REFERENCE_WIDTH) for label, card in cards.items()}
    return DisplayDeck("uno", cards, learnt, "wild")


def badly_learned(seed: int) -> DisplayDeck:
    """Left out: our own deck from references under a warm lamp: burnt, small, soft, cut out carelessly."""
    rng, cards = np.random.default_rng([seed, 606]), own_cards()
    return DisplayDeck(
        "badly learned", cards, {label: bad_reference(card, rng) for label, card in cards.items()}
    )


def bad_reference(card: Image, rng: Rng) -> Image:
    """A card as a careless owner enrolled it: 110 px wide, warm and burnt, corners off by 2 % of the
    width."""
    width, height = 110, round(110 * card.shape[0] / card.shape[1])
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    whole = np.array([[0, 0], [card.shape[1], 0], [card.shape[1], card.shape[0]], [0, card.shape[0]]])
    slip = rng.normal(0, 0.02, (4, 2)) * width
    matrix = cv2.getPerspectiveTransform(whole.astype(np.float32), (frame + slip).astype(np.float32))
    soft = cv2.GaussianBlur(aged(card, rng), (0, 0), 0.5 * card.shape[1] / width)
    picture = cv2.warpPerspective(soft, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    camera = replace(burnt(phone(rng), rng), bend=0.0, blur=float(rng.uniform(0.5, 1.0)), motion=0.0)
    small = taken(np.asarray(picture, np.float32), camera, rng)
    return np.asarray(cv2.resize(small, (220, 2 * height), interpolation=cv2.INTER_CUBIC), np.uint8)


def burnt(camera: CameraModel, rng: Rng) -> CameraModel:
    """The camera under a lamp: blue is weak, red and light colours saturate."""
    warm = float(rng.uniform(0.12, 0.3))
    return replace(
        camera,
        exposure=float(rng.uniform(1.05, 1.35)),
        balance=(1.0 - 1.4 * warm, 1.0, 1.0 + warm),
        gamma=float(rng.uniform(0.85, 1.05)),
    )


def _cornered(card: Image, text: str, margin: int, ink: games.Colour, font: int) -> Image:
    """The card with its number in two opposite corners."""
    for _ in range(2):
        lettering(card, text, margin, margin + 62, 58, ink, font=font, weight=1.3)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def _joker_card(seed: int, width: int) -> Image:
    """A joker of all colours."""
    rng = np.random.default_rng([seed, 505])
    height = round(width * 1.5)
    card = np.full((height, width, 3), 245, np.uint8)
    for index, at in enumerate(np.linspace(0.1, 0.9, 7)):
        middle = (round(at * width), round(height * (0.5 + 0.3 * math.sin(7 * at + seed))))
        cv2.circle(card, middle, width // 7, hue(HUES[index], 0.8, 0.85), -1, cv2.LINE_AA)
    star = np.array([[math.cos(a), math.sin(a)] for a in np.linspace(0, 2 * math.pi, 6)[:5] * 2])
    points = star * width * float(rng.uniform(0.1, 0.2)) + (width / 2, height / 2)
    cv2.fillPoly(card, [points.astype(np.int32)], (30, 30, 30), cv2.LINE_AA)
    return _cornered(card, "*", 20, (25.0, 25.0, 25.0), 0)


def _lobe(field: Floats | Image, own: float, rng: Rng) -> None:
    middle = tuple(int(v) for v in rng.normal((204, 330), (60, 90)))
    axes = tuple(int(v) for v in rng.uniform(30, 120, 2))
    shade = hue(own + rng.normal(0, 0.02), float(rng.uniform(0.4, 0.95)), float(rng.uniform(0.25, 0.9)))
    cv2.ellipse(
        field, (middle[0], middle[1]), (axes[0], axes[1]), float(rng.uniform(0, 180)), 0, 360, shade, -1
    )


DEVELOPMENT: Mapping[str, Callable[[int], DisplayDeck]] = {
    "bands": bands,
    "creatures": creatures,
    "own": own,
    "tokens": tokens,
}
LEFT_OUT = ("portraits", "pips", "uno", "badly")


def deck_named(name: str, seed: int, shared: Path) -> DisplayDeck:
    """A deck by its kind. Raises KeyError for an unknown one."""
    if name == "uno":
        return uno(shared, seed)
    left_out = {"portraits": portraits, "pips": pips, "badly": badly_learned}
    return {**DEVELOPMENT, **left_out}[name](seed)

"""Pictures with fixed seeds and the scores they get.

test_vision_regression.py compares them with vision_regression.json. After an intended change
`python tests/vision/vision_regression_cases.py` writes that file again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.art import scene
from companion.art.dice import STYLES, DiceCamera, as_photographed, draw_die, table_top
from companion.art.scene import layouts
from companion.games import game_named
from companion.vision.cards import evaluator as evaluating
from companion.vision.cards.evaluator import Evaluator
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.deck.enrol import enrol_pictures
from companion.vision.dice.read import read_dice
from companion.vision.display.read import read_display
from companion.vision.image.picture import Floats, Image
from companion.vision.lattice.read import read_lattice
from companion.vision.tiles.read import read_tiles

FILE = Path(__file__).with_name("vision_regression.json")
DECKS = Path(__file__).resolve().parents[2] / "models" / "decks"
SIZE = (240, 360)
Values = dict[str, list[float]]
CASES: dict[str, Callable[[], Values]] = {}


def case(work: Callable[[], Values]) -> Callable[[], Values]:
    """Notes a case under its function's name."""
    CASES[work.__name__] = work
    return work


# --- cards of one frame -----------------------------------------------------------------------------------


@cache
def numbered(number: str, colour: tuple[int, int, int] = (30, 30, 190)) -> Image:
    """A card with a light oval and a number in it, and smaller numbers in two corners."""
    card = np.full((SIZE[1], SIZE[0], 3), 250, np.uint8)
    cv2.rectangle(card, (14, 14), (SIZE[0] - 15, SIZE[1] - 15), colour, -1)
    cv2.ellipse(card, (120, 180), (95, 110), 20, 0, 360, (240, 240, 240), -1)
    dark = tuple(int(0.9 * value) for value in colour)
    cv2.putText(card, number, (72, 232), cv2.FONT_HERSHEY_SIMPLEX, 5.0, dark, 26)
    cv2.putText(card, number, (24, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (250, 250, 250), 5)
    cv2.putText(card, number, (180, 340), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (250, 250, 250), 5)
    if number in "69":
        cv2.line(card, (78, 250), (162, 250), dark, 9)
    return card


@cache
def numbers_deck() -> Deck:
    """Digits on red and, fewer of them, on blue cards."""
    red = {f"red {n}": numbered(n) for n in "0356892"}
    blue = {f"blue {n}": numbered(n, (190, 60, 30)) for n in "358"}
    both = {**red, **blue}
    return enrol_pictures("numbers", list(both), list(both.values())).deck


def laid(card: Image, quad: Floats, ground: Image) -> Image:
    """The card within `quad` of a picture."""
    high, wide = card.shape[:2]
    frame = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(frame, quad)
    size = (ground.shape[1], ground.shape[0])
    mask = cv2.warpPerspective(np.full(card.shape[:2], 255, np.uint8), matrix, size)[..., None] > 127
    return np.where(mask, cv2.warpPerspective(card, matrix, size), ground).astype(np.uint8)


def photographed(image: Image, blur: float, noise: float, seed: int) -> Image:
    """The picture out of focus and noisy."""
    soft = cv2.GaussianBlur(image, (0, 0), blur).astype(np.float32)
    return np.clip(soft + np.random.default_rng(seed).normal(0, noise, image.shape), 0, 255).astype(np.uint8)


STRAIGHT = np.array([[215, 95], [345, 110], [330, 320], [195, 300]], np.float32)
GROUND = np.full((420, 560, 3), (120, 140, 110), np.uint8)


def views(name: str) -> Image:
    """A card in one of several conditions, by name: `<label>/<condition>`."""
    label, condition = name.split("/")
    colour, number = label.split()
    card = numbered(number, (30, 30, 190) if colour == "red" else (190, 60, 30))
    if condition == "glare":
        card = card.copy()
        cv2.circle(card, (150, 120), 46, (255, 255, 255), -1)
    picture = laid(card, STRAIGHT, GROUND)
    if condition == "covered":
        cv2.rectangle(picture, (180, 215), (380, 330), (60, 90, 60), -1)
    if condition == "finger":
        cv2.line(picture, (190, 250), (262, 230), (90, 120, 180), 40)
    if condition == "slit":
        cv2.rectangle(picture, (180, 150), (380, 330), (60, 90, 60), -1)
    blur = {"soft": 2.6, "softer": 3.4, "finger": 2.2}.get(condition, 0.9)
    return photographed(picture, blur, 4.0, len(name))


def moved(by: float, seed: int) -> Floats:
    """The quad of the card, its corners off by about so many pixels."""
    return np.asarray(STRAIGHT + np.random.default_rng(seed).normal(0, by, (4, 2)), np.float32)


class Counted:
    """Counts how many poses are refined while it is entered: the work that a search does."""

    def __enter__(self) -> Counted:
        self.count = 0
        self._own = evaluating.refine_quad

        def refine(*positional: object, **named: object) -> object:
            self.count += 1
            return self._own(*positional, **named)  # type: ignore[arg-type]

        evaluating.refine_quad = refine  # type: ignore[assignment]
        return self

    def __exit__(self, *_: object) -> None:
        evaluating.refine_quad = self._own


NAMES = [
    f"red {n}/{c}"
    for n, c in zip("0356892", ("plain", "soft", "softer", "covered", "finger", "glare", "slit"), strict=True)
]
NAMES += ["blue 3/plain", "blue 8/soft", "blue 5/covered", "red 4/plain", "red 7/soft", "blue 6/plain"]


def _evaluated(name: str, soft: bool, by: float) -> Iterator[tuple[str, list[float]]]:
    deck = numbers_deck()
    judge = Evaluator(views(name), deck, soft=soft)
    for turn in range(3):
        quad = moved(by, turn)
        with Counted() as work:
            if turn == 1:
                ranked = judge.rank_proposals(quad, [0, 2, 4])
                match = judge.evaluate(ranked, 9)
            elif turn == 2:
                ranked = judge.rank_proposals(quad, [3, 1])
                match = judge.identified(ranked[0].quad, ranked[0].look, 17, 9)
            else:
                ranked = judge.rank_outlines([quad])[0]
                match = judge.evaluate(ranked)
        found = [float(len(ranked)), ranked[0].cost, float(work.count)]
        if match is not None:
            found += [
                match.look,
                match.cost,
                match.seen_cost,
                match.margin,
                match.fit,
                match.support,
            ]
        yield f"{name} {'soft' if soft else 'sharp'} {by:g} {turn}", [float(value) for value in found]


@case
def evaluations() -> Values:
    """Cards in sharp pictures: scores, rivals and the work that the search does."""
    return dict(one for name in NAMES for one in _evaluated(name, False, 5.0))


@case
def evaluations_of_soft_pictures() -> Values:
    """The same in a webcam's pictures, in which cards that look alike are contested."""
    return dict(one for name in NAMES[:3] for one in _evaluated(name, True, 4.0))


# --- whole pictures ---------------------------------------------------------------------------------------


@cache
def monsters() -> Deck:
    """The shipped deck of Seven Merry Monsters."""
    return Deck.load(DECKS / "seven_merry_monsters")


@cache
def display_picture(seed: int) -> Image:
    """A display of our own deck as the renderer shows it."""
    rng = np.random.default_rng(seed)
    columns = {"red": ["red 2", "red 5", "red 7"], "blue": ["blue 1", "joker"], "pink": ["pink 4"]}
    placed = layouts.display(columns, rng)
    view = layouts.fitted(placed, scene.View(1000, 700, tilt=12))
    return np.asarray(
        scene.Scene("seven_merry_monsters", view, scene.Conditions(noise=2.0, blur=0.6), rng)
        .render(placed)
        .image,
        np.uint8,
    )


@case
def displays() -> Values:
    """Confidences and corners of the cards of a rendered display."""
    reading = game = game_named("seven_merry_monsters")
    reading = read_display(display_picture(3), monsters(), game.joker)
    score = -1 if reading.unsure else game.points_of_display(reading.display) or -1
    found = {"": [float(len(reading.unsure)), float(score)]}
    for card in reading.cards:
        found[f"{card.label} {card.centre[0]:.0f}"] = [card.confidence]
    return found


@case
def free_cards() -> Values:
    """Confidences of cards that lie apart, in a large and in a small picture."""
    rng = np.random.default_rng(11)
    placed = layouts.scattered(["green 3", "yellow 6", "purple 1", "joker"], rng)
    view = layouts.fitted(placed, scene.View(960, 640))
    picture = np.asarray(
        scene.Scene("seven_merry_monsters", view, scene.Conditions(noise=2.0, blur=0.6), rng)
        .render(placed)
        .image,
        np.uint8,
    )
    found: Values = {}
    for scale in (1.0, 0.7):
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        reading = recognise(np.asarray(small, np.uint8), monsters())
        found[f"{scale:g}"] = [float(reading.unknown), *sorted(card.confidence for card in reading.cards)]
    return found


@case
def dice() -> Values:
    """Values and confidences of rendered dice."""
    found: Values = {}
    for style, values, tilt in (("white", [1, 3, 5], 20.0), ("black", [6, 2, 4], 35.0)):
        rng = np.random.default_rng(4)
        ground = table_top((420, 560), "wood", rng)
        camera = DiceCamera.at(13.0, float(np.radians(tilt)), 0.2, (420, 560))
        for n, value in enumerate(values):
            draw_die(
                ground, camera, STYLES[style], value, ((-2.6, -1.8), (0.2, -2.0), (2.7, -1.2))[n], 0.7 * n
            )
        reading = read_dice(as_photographed(ground, 0.5, 2.0, (0.95, 1.0, 1.0), rng))
        found[style] = [float(len(reading.unsure))]
        found[style] += [number for die in reading.dice for number in (float(die.value), die.confidence)]
    return found


@case
def tiles() -> Values:
    """Confidences of symbols on tiles."""
    from bench.tiles.scenes import laid as tiles_laid

    game = game_named("bugs_and_co")
    picture = tiles_laid(["bat", "claw", "fish", "crown", "bat"])
    reading = read_tiles(picture, Deck.load(DECKS / "bugs_and_co"), game.most_copies)
    score = None if reading.unsure else game.points_of_tiles(reading.tiles)
    values = {"": [float(len(reading.doubts)), float(-99 if score is None else score)]}
    return values | {"confidences": sorted(card.confidence for card in reading.cards)}


@case
def lattice() -> Values:
    """Confidences of the cards of a Trio table."""
    from models.vision.triangles.tables import Hard, own_faces, photograph, random_table

    rng = np.random.default_rng(21)
    faces = own_faces()
    calm = Hard(place=2.0, turn=3.0, tilt=30.0, lamp=1.0, shadow=0.0, shine=0.5, grounds=("wood", "cloth"))
    board = photograph(random_table(list(faces), 7, rng), faces, calm, rng)
    reading = read_lattice(np.asarray(board.picture, np.uint8), Deck.load(DECKS / "trio_monsters"))
    sure = sorted(card.confidence for card in reading.cards)
    return {"sure": sure, "unsure": sorted(card.confidence for card in reading.unsure)}


def main() -> None:
    """Writes what the cases give today."""
    values = {}
    for name, work in CASES.items():
        begun = time.perf_counter()
        values[name] = {key: [round(value, 5) for value in row] for key, row in work().items()}
        print(f"{name}: {len(values[name])} rows, {time.perf_counter() - begun:.1f} s")
    rows = [
        f'"{name}": {{\n' + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found.items()) + "\n}"
        for name, found in values.items()
    ]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

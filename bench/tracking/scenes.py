"""Clips of play for bench.tracking: half minutes of three games, and one kind of trouble at a time.

Every clip is drawn at random from its seed. Its pictures are coded as a camera codes them (JPEG) and can be
kept in a folder, so that a second run costs no drawing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.tracking.focus_search import breathed, searches_at
from companion import art
from companion.art.decks.frame import HEIGHT
from companion.art.scene import Placed, Scene, View, play, random_conditions

FPS = 30.0
PLAY_S = 30.0
"""Seconds of a half minute of play."""
AFTER_S = 2.5
"""Seconds that a clip goes on after the last hand has left."""
SEATS = (90.0, 210.0, 330.0)
PLAY = ("trick", "pile", "columns")
"""The kinds that are half a minute of a game, 1920 x 1080; the others are 1280 x 720."""

Rng = np.random.Generator
Picture = NDArray[np.uint8]
After = Callable[[Picture, play.PlayFrame], Picture]
Moves = Iterator[play.Move]


@dataclass(frozen=True)
class TableClip:
    """A performance, the quality it is coded with, and what the light or the camera does to it besides."""

    name: str
    game: str
    shown: play.Performance
    quality: int
    after: After | None

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.shown.seconds + AFTER_S

    def is_quiet(self, t: float) -> bool:
        """Whether no hand is, or was a moment ago, in the picture, and nothing else happens."""
        return not any(
            move.t - 1.0 < t < move.t + getattr(move, "rest", 0.2) + 2.0 for move in self.shown.moves
        )


def clip(name: str, rng: Rng, hardness: float) -> TableClip:
    """The clip of a kind (one of KINDS) that the random numbers make."""
    game, moves_of = KINDS[name]
    whole = name in PLAY
    size = (1920, 1080) if whole else (1280, 720)
    view = View(
        *size,
        span=float(rng.uniform(560, 700)),
        tilt=float(rng.uniform(0, 25)),
        bend=float(rng.uniform(-0.03, 0)),
    )
    light = random_conditions(rng, hardness)
    scene = Scene(game, view, replace(light, jpeg=100), rng)
    labels = [str(label) for label in rng.permutation(art.card_labels(game))]
    moves = list(moves_of(rng, labels))
    if whole:
        moves += _disturbances(rng, moves)
    shown = play.Performance(scene, moves, rng)
    after = {"glare": _glare, "exposure": _dips, "focus": _refocuses}.get(name)
    return TableClip(name, game, shown, light.jpeg, None if after is None else after(shown, rng))


# --- pictures ---------------------------------------------------------------------------------------------


def pictures(clip: TableClip, kept: Path | None) -> Iterator[tuple[float, Picture, bool]]:
    """Time, picture, and whether the latest card can be seen; from the file `kept` if it is there."""
    if kept is not None and kept.is_file():
        with np.load(kept) as file:
            coded, ends, seen = file["coded"], file["ends"], file["seen"]
        for index, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            yield index / FPS, _decoded(coded[start:end]), bool(seen[index])
        return
    parts: list[NDArray[Any]] = []
    visible: list[bool] = []
    for index in range(int(clip.seconds * FPS)):
        frame = clip.shown.frame(index / FPS)
        image = frame.image if clip.after is None else clip.after(frame.image, frame)
        coded = _coded(image, clip.quality)
        seen = bool(frame.truth) and frame.truth[-1].visible > 0.3
        if kept is not None:
            parts.append(coded)
            visible.append(seen)
        yield index / FPS, _decoded(coded), seen
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        ends = np.cumsum([len(part) for part in parts])
        np.savez(kept, coded=np.concatenate(parts), ends=ends, seen=np.array(visible))


def _coded(image: Picture, quality: int) -> Picture:
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(coded, np.uint8).ravel()


def _decoded(coded: NDArray[np.uint8]) -> Picture:
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


# --- half minutes of play ---------------------------------------------------------------------------------


def _rest(rng: Rng) -> float:
    """Seconds that a hand stays on its card: mostly short, now and then long."""
    return float(rng.uniform(0.05, 0.5)) if rng.random() < 0.8 else float(rng.uniform(0.8, 3.0))


def _beats(rng: Rng) -> Iterator[tuple[float, float]]:
    """Moments of landings, and how long the hand rests; the next hand may come before the last has left."""
    t = float(rng.uniform(1.2, 2.0))
    while t < PLAY_S - 5.0:
        rest = _rest(rng)
        yield t, rest
        t += rest + float(rng.uniform(1.7, 3.5))


def _trick(rng: Rng, labels: list[str]) -> Moves:
    """Three players, cards apart from each other, taken away by one of them."""
    lying: list[Placed] = []
    for count, (t, rest) in enumerate(_beats(rng)):
        seat = SEATS[count % 4 % 3]
        if count % 4 == 3:
            yield play.Take(t, tuple(lying), seat)
            lying.clear()
            continue
        off = rng.normal(0, 5.0, 3)
        x, y = math.cos(math.radians(seat)) * 74 + off[0], math.sin(math.radians(seat)) * 74 + off[1]
        lying.append(Placed(labels.pop(), x, y, seat - 90 + off[2], count))
        yield play.LayMove(t, lying[-1], seat, rest)


def _pile(rng: Rng, labels: list[str]) -> Moves:
    """Cards on each other, equal ones among them, from two seats; now and then the pile is taken."""
    lying: list[Placed] = []
    seats = [float(seat) for seat in rng.choice(SEATS, 2, replace=False)]
    for count, (t, rest) in enumerate(_beats(rng)):
        seat = seats[int(rng.integers(2))]
        if len(lying) > 3 and rng.random() < 0.3:
            yield play.Take(t, tuple(lying), seat)
            lying.clear()
            continue
        again = lying and rng.random() < 0.35
        label = lying[-1].label if again else labels[int(rng.integers(len(labels)))]
        off = rng.normal(0, 4.0, 3)
        lying.append(Placed(label, off[0], off[1], seat - 90 + off[2], count))
        yield play.LayMove(t, lying[-1], seat, rest)


def _columns(rng: Rng, labels: list[str]) -> Moves:
    """A display that grows: each card covers two thirds of the one before it in its column."""
    rows = [0, 0, 0, 0]
    for count, (t, rest) in enumerate(_beats(rng)):
        free = [i for i, laid in enumerate(rows) if laid < 4]
        column = free[int(rng.integers(len(free)))]
        off = rng.normal(0, 1.8, 3)
        x, y = (column - 1.5) * 75 + off[0], rows[column] * HEIGHT / 3 - 50 + off[1]
        rows[column] += 1
        yield play.LayMove(t, Placed(labels.pop(), x, y, off[2], count), 90.0 + float(rng.normal(0, 8)), rest)


def _disturbances(rng: Rng, moves: Sequence[play.Move]) -> Moves:
    """Hands without a card, knocks, a lamp that is dimmed and comes back."""
    end = max(move.t for move in moves)
    for _ in range(2):
        x, y = rng.uniform(-170, 170), rng.uniform(-90, 90)
        yield play.Reach(float(rng.uniform(2.0, end)), x, y, float(rng.choice(SEATS)), _rest(rng))
    for _ in range(2):
        yield play.Knock(float(rng.uniform(1.0, end)), float(rng.uniform(2, 8)))
    if rng.random() < 0.5:
        start, gain = float(rng.uniform(1.0, end)), float(rng.uniform(0.6, 1.3))
        yield play.LightChange(start, gain)
        yield play.LightChange(start + float(rng.uniform(0.2, 8.0)), 1 / gain)


# --- one kind of trouble each -----------------------------------------------------------------------------


def _spots(rng: Rng, labels: list[str]) -> Iterator[tuple[Placed, float]]:
    """Cards at four places that do not touch each other, each with the seat it comes from."""
    for index, place in enumerate(rng.permutation(4)):
        seat = float(rng.choice(SEATS))
        off = rng.normal(0, 4.0, 3)
        x, y = (place - 1.5) * 92 + off[0], off[1] + rng.uniform(-25, 25)
        yield Placed(labels[index], x, y, seat - 90 + 3 * off[2], index), seat


def _laid(
    rng: Rng, labels: list[str], count: int = 3, pause: float = 2.0, **how: float | str
) -> list[play.LayMove]:
    t, moves = float(rng.uniform(1.0, 1.5)), []
    for (card, seat), _ in zip(_spots(rng, labels), range(count), strict=False):
        lay = play.LayMove(t, card, seat, **({"rest": float(rng.uniform(0.05, 0.4))} | how))  # type: ignore[arg-type]
        moves.append(lay)
        t += lay.rest + pause + float(rng.uniform(0, 0.4))
    return moves


def _staying(rng: Rng, labels: list[str]) -> Moves:
    """The hand stays on its card for seconds."""
    yield from _laid(rng, labels, 2, rest=float(rng.uniform(2.0, 3.5)))


def _dropped(rng: Rng, labels: list[str]) -> Moves:
    """Cards fall from a hand above the place."""
    yield from _laid(rng, labels, manner="dropped")


def _slid(rng: Rng, labels: list[str]) -> Moves:
    """Cards are pushed over the table to their place."""
    yield from _laid(rng, labels, manner="slid")


def _together(rng: Rng, labels: list[str]) -> Moves:
    """Two hands lay two cards at nearly the same time, twice."""
    spots = list(_spots(rng, labels))
    for t, (one, other) in ((1.2, spots[:2]), (4.0, spots[2:])):
        late = t + float(rng.uniform(0.0, 0.5))
        seats = [float(seat) for seat in rng.choice(SEATS, 2, replace=False)]
        yield play.LayMove(t, replace(one[0], degrees=seats[0] - 90), seats[0])
        yield play.LayMove(late, replace(other[0], degrees=seats[1] - 90), seats[1])


def _equal(rng: Rng, labels: list[str]) -> Moves:
    """A card laid on an equal card, off by a millimetre up to a centimetre."""
    t, seat = 1.2, float(rng.choice(SEATS))
    for copy in range(4):
        off = rng.normal(0, (0.0, 1.2, 3.0, 6.0)[copy], 3)
        yield play.LayMove(t, Placed(labels[0], off[0], off[1], seat - 90 + off[2], copy), seat)
        t += float(rng.uniform(2.0, 2.6))


def _pushed(rng: Rng, labels: list[str]) -> Moves:
    """A card on the table is pushed aside; that is no landing. The next one is."""
    first, second = _laid(rng, labels, 2, 4.6)
    yield first
    off = rng.uniform(-30, 30, 3)
    to = replace(
        first.card, x=first.card.x + off[0] / 2, y=first.card.y + off[1], degrees=first.card.degrees + off[2]
    )
    yield play.Push(first.t + first.rest + 2.0, first.card, to, first.seat, float(rng.uniform(0.3, 0.9)))
    yield second


def _collected(rng: Rng, labels: list[str]) -> Moves:
    """A pile grows, is taken, and grows again."""
    t, lying = 1.2, []
    for copy in range(5):
        seat, off = float(rng.choice(SEATS)), rng.normal(0, 4.0, 3)
        lying.append(Placed(labels[copy % len(labels)], off[0], off[1], seat - 90 + off[2], copy))
        yield play.LayMove(t, lying[-1], seat)
        t += float(rng.uniform(1.7, 2.2))
        if copy == 2:
            yield play.Take(t, tuple(lying), float(rng.choice(SEATS)))
            t += 2.0


def _lamps(rng: Rng, labels: list[str]) -> Moves:
    """A lamp is switched off or on while cards come down."""
    gain = 1.0
    for lay in _laid(rng, labels):
        yield lay
        change = float(rng.uniform(0.55, 0.85)) if gain == 1.0 else 1.0 / gain
        gain *= change
        yield play.LightChange(lay.t + float(rng.uniform(-0.7, 1.2)), change)


def _knocks(rng: Rng, labels: list[str]) -> Moves:
    """The table is knocked while cards come down."""
    for lay in _laid(rng, labels):
        yield lay
        for off in rng.uniform(-0.9, 1.4, 3):
            yield play.Knock(lay.t + float(off), float(rng.uniform(2, 9)))


def _arm(rng: Rng, labels: list[str]) -> Moves:
    """An arm rests on the table all the while, others lay cards beside it."""
    yield play.Reach(1.0, float(rng.uniform(-200, -160)), float(rng.uniform(20, 60)), 100.0, 9.0)
    for card, t in zip([c for c, _ in _spots(rng, labels) if c.x > -100][:3], (2.6, 4.9, 7.2), strict=False):
        yield play.LayMove(t, replace(card, degrees=240.0), 330.0)


def _child(rng: Rng, labels: list[str]) -> Moves:
    """A hand waves over the cards for seconds; then the next card comes."""
    first, second, third = _laid(rng, labels, 3, 1.9)
    yield from (first, second)
    yield play.Wave(second.t + 2.2, second.card.x, second.card.y, 60.0, float(rng.uniform(2.0, 4.0)))
    yield replace(third, t=second.t + 9.0)


def _usual(rng: Rng, labels: list[str]) -> Moves:
    yield from _laid(rng, labels)


NASTY, MERRY = "nasty_7", "seven_merry_monsters"
KINDS: dict[str, tuple[str, Callable[[Rng, list[str]], Moves]]] = {
    "trick": (MERRY, _trick),
    "pile": (NASTY, _pile),
    "columns": (MERRY, _columns),
    "hand stays": (MERRY, _staying),
    "dropped": (MERRY, _dropped),
    "slid": (MERRY, _slid),
    "two hands": (MERRY, _together),
    "equal on equal": (NASTY, _equal),
    "pushed": (MERRY, _pushed),
    "collected": (NASTY, _collected),
    "lamp": (MERRY, _lamps),
    "knocks": (MERRY, _knocks),
    "resting arm": (MERRY, _arm),
    "waving child": (MERRY, _child),
    "glare": (MERRY, _usual),
    "exposure": (MERRY, _usual),
    "focus": (MERRY, _usual),
}


# --- light and camera -------------------------------------------------------------------------------------


def _glare(shown: play.Performance, rng: Rng) -> After:
    """Lamps mirrored in sleeves: bright patches that wander over the cards as heads move."""
    view = shown.scene.view
    start, speed = rng.uniform(0.2, 0.8, (3, 2)), rng.uniform(0.1, 0.5, (3, 2))
    size = rng.uniform(0.012, 0.04, 3) * view.width

    def after(image: Picture, frame: play.PlayFrame) -> Picture:
        light = np.zeros((view.height // 4, view.width // 4), np.uint8)
        for at, fast, radius in zip(start, speed, size, strict=True):
            # Heads rest, then move.
            x, y = (at + 0.3 * np.sin(fast * np.clip(np.mod(frame.t, 4.0) - 2.0, 0, 2) * 2)) * light.shape[
                ::-1
            ]
            cv2.ellipse(light, (int(x), int(y)), (int(radius / 4), int(radius / 8)), 20, 0, 360, 210, -1)
        gloss = np.zeros_like(light)
        for truth in frame.truth:
            cv2.fillPoly(gloss, [np.round(truth.corners / 4).astype(np.int32)], 255)
        soft = cv2.GaussianBlur(cv2.bitwise_and(light, gloss), (0, 0), 2.5)
        shine = cv2.resize(soft, (view.width, view.height))
        return np.asarray(cv2.add(image, cv2.merge([shine] * 3)), np.uint8)

    return after


def _dips(shown: play.Performance, rng: Rng) -> After:
    """Automatic exposure and white balance follow every hand in the picture, with a delay."""
    depth, tint = float(rng.uniform(-0.16, 0.16)), rng.uniform(-0.05, 0.05, 3)
    steps = np.arange(0, shown.seconds + AFTER_S + 1, 1 / FPS)
    hands = [move for move in shown.moves if not isinstance(move, play.Knock | play.LightChange)]
    wanted = [
        sum(move.t - 0.4 < t < move.t + getattr(move, "rest", 0.2) + 0.4 for move in hands) for t in steps
    ]
    level, levels = 0.0, []
    for now in wanted:
        level += 0.12 * (min(1, now) - level)
        levels.append(level)

    def after(image: Picture, frame: play.PlayFrame) -> Picture:
        gain = np.diag(1.0 + levels[int(frame.t * FPS)] * (depth + tint))
        return np.asarray(cv2.transform(image, gain), np.uint8)

    return after


def _refocuses(shown: play.Performance, rng: Rng) -> After:
    """The autofocus searches whenever a card lands."""
    found = searches_at(rng, [truth.t for truth in shown.landings()])

    def after(image: Picture, frame: play.PlayFrame) -> Picture:
        return breathed(image, frame.t, found)

    return after

"""Play as a camera sees it: hands come in, lay cards, take cards, and leave.

A performance is a function of time: `frame(t)` draws any moment, so a simulated camera can ask for the
picture of now, and a test can run through an evening at 30 pictures a second. The truth (which card touched
the table when and where) is known before the first picture is drawn.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.art.draw.raster import Pixels
from companion.art.draw.vector import Affine, place
from companion.art.scene.camera import Matrix, Points, apply, before, homography, project
from companion.art.scene.hand import Hand, hand
from companion.art.scene.layouts import Placed
from companion.art.scene.moves import (
    REST,
    ROLL,
    Knock,
    LayMove,
    LightChange,
    Move,
    Push,
    Reach,
    Take,
    Throw,
    Wave,
)
from companion.art.scene.render import Scene, Truth, blend

__all__ = [
    "Knock",
    "LayMove",
    "LightChange",
    "Move",
    "Performance",
    "PlayFrame",
    "Push",
    "Reach",
    "Take",
    "Throw",
    "TrueLanding",
    "Wave",
    "play_sequence",
]

ENTER, LEAVE = 0.7, 0.65
"""Seconds from the picture's edge to the touch, and away again."""
REACH = 560.0
"""How far out, in mm, a hand starts and ends."""
HOVER, FALL = 0.16, 0.1
"""Seconds that a hand is above the place before its card is down, and that a dropped card falls."""
NEARER = 0.12
"""How much larger a raised hand and its cards look."""
KNOCK_SECONDS = 0.25
KEPT = 6
"""Lit tables kept for the latest states of the cards."""


@dataclass(frozen=True)
class TrueLanding:
    """The truth of a landing: when the card touched the table, and its corners in the picture."""

    t: float
    label: str
    corners: Points


@dataclass(frozen=True)
class PlayFrame:
    """The picture at `t`, and the cards that lie on the table in it."""

    t: float
    image: Pixels
    truth: tuple[Truth, ...]


@dataclass(frozen=True)
class _Arm:
    """A hand over the table: fingertips in mm, its seat, its height (0 = on the table, 1 = up), and how high
    above the table the cards in it are."""

    x: float
    y: float
    seat: float
    lift: float
    carried: tuple[Placed, ...]
    above: float


class Performance:
    """Moves on a scene: equal scene, moves and seed give equal pictures for equal times, in any order."""

    def __init__(
        self, scene: Scene, moves: Sequence[Move], rng: np.random.Generator, start: Sequence[Placed] = ()
    ) -> None:
        self.scene = scene
        self.moves = tuple(sorted(moves, key=lambda move: move.t))
        self._start = tuple(start)
        self._seed = int(rng.integers(2**31))
        self._hands: dict[int, Hand] = {}
        self._lit: OrderedDict[tuple[Placed, ...], Pixels] = OrderedDict()

    @property
    def seconds(self) -> float:
        """How long it takes until the last hand has left."""
        return max((move.t + getattr(move, "rest", REST) for move in self.moves), default=0.0) + LEAVE

    def landings(self) -> tuple[TrueLanding, ...]:
        """Every landing in order of time."""
        view = self.scene.view
        return tuple(
            TrueLanding(move.t, move.card.label, project(view, move.card.corners()))
            for move in self.moves
            if isinstance(move, LayMove)
        )

    def cards(self, t: float) -> tuple[Placed, ...]:
        """The cards on the table at `t`, lowest first."""
        on_table = list(self._start)
        for move in self.moves:
            if move.t > t:
                break
            if isinstance(move, LayMove):
                on_table.append(move.card)
            elif isinstance(move, Throw):
                on_table += move.cards if t >= move.t + ROLL else ()
            elif isinstance(move, Take):
                on_table = [card for card in on_table if card not in move.cards]
            elif isinstance(move, Push):
                on_table = [card for card in on_table if card != move.card]
                on_table += [move.to] if t >= move.t + move.seconds else []
        return tuple(on_table)

    def frame(self, t: float) -> PlayFrame:
        """The picture at `t` seconds."""
        cards = self.cards(t)
        picture: NDArray[np.uint8] = self._lit_table(cards).copy()
        hidden: NDArray[np.uint8] | None = None
        for arm in self._arms(t):
            covered = self._draw_arm(picture, arm)
            hidden = covered if hidden is None else np.maximum(hidden, covered)
        picture = self._shaken(self._lamped(picture, t), t)
        rng = np.random.default_rng([self._seed, round(t * 1e4)])
        return PlayFrame(t, self.scene.develop(picture, rng), self.scene.truth(cards, hidden))

    def _lit_table(self, cards: tuple[Placed, ...]) -> Pixels:
        if cards not in self._lit:
            self._lit[cards] = self.scene.lit(cards)
            if len(self._lit) > KEPT:
                self._lit.popitem(last=False)
        self._lit.move_to_end(cards)
        return self._lit[cards]

    def _arms(self, t: float) -> Iterator[_Arm]:
        for move in self.moves:
            if isinstance(move, Knock | LightChange):
                continue
            rest = REST if isinstance(move, Take | Throw) else move.rest
            if not move.t - ENTER - HOVER < t < move.t + rest + LEAVE:
                continue
            dropped = isinstance(move, LayMove) and move.manner == "dropped"
            # A hand that drops a card is there a little before the card is down.
            away = _away(t - move.t + (HOVER if dropped else 0.0), rest)
            turn = math.radians(move.seat)
            x, y = _goal(move, t)
            dx, dy = math.cos(turn) * away * REACH, math.sin(turn) * away * REACH
            lift = min(1.0, away * 5)
            if isinstance(move, Wave) or dropped:
                lift = max(lift, 0.6)
            carried, above = _carried_at(move, t, (x, y), (dx, dy, 14.0 * away), lift)
            yield _Arm(x + dx, y + dy, move.seat, lift, carried, above)

    def _draw_arm(self, picture: Pixels, arm: _Arm) -> NDArray[np.uint8]:
        """Carried cards and the arm with their shadow, in place; how they cover the picture (0 to 255)."""
        view = self.scene.view
        hidden = np.zeros(picture.shape[:2], np.uint8)
        for card in arm.carried:
            corners = card.corners()
            corners = corners.mean(0) + (corners - corners.mean(0)) * (1 + NEARER * arm.above)
            if not before(homography(view), corners):
                continue
            quad = project(view, corners) + 0.5
            patch = self.scene.patch(card, quad, arm.above)
            if patch is None:
                continue
            rows = slice(patch.top, patch.top + patch.cover.shape[0])
            columns = slice(patch.left, patch.left + patch.cover.shape[1])
            blend(picture, patch, self.scene.gain[rows, columns])
            np.maximum(
                hidden[rows, columns], (patch.cover[..., 0] * 255).astype(np.uint8), out=hidden[rows, columns]
            )
        hand_picture = self._hand(arm)
        onto = hand_picture.to_mm.then(place(arm.x, arm.y, 1 + NEARER * arm.lift, arm.seat - 90))
        matrix = homography(view) @ _matrix(onto)
        _cast_shadow(picture, hand_picture.cover, matrix, arm.lift, view.scale)
        _lay_over(picture, hidden, hand_picture, matrix, self.scene.gain)
        return hidden

    def _hand(self, arm: _Arm) -> Hand:
        """The hand of a seat: always the same one."""
        seat = round(arm.seat)
        if seat not in self._hands:
            self._hands[seat] = hand(np.random.default_rng([self._seed, seat % 360]))
        return self._hands[seat]

    def _lamped(self, picture: Pixels, t: float) -> Pixels:
        gain = math.prod(move.gain for move in self.moves if isinstance(move, LightChange) and move.t <= t)
        return picture if gain == 1 else np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)

    def _shaken(self, picture: Pixels, t: float) -> Pixels:
        for move in self.moves:
            if isinstance(move, Knock) and 0 <= t - move.t < KNOCK_SECONDS:
                since = t - move.t
                swing = move.size * math.exp(-since * 14) * math.sin(since * 150)
                slide = np.array([[1, 0, swing * 0.6], [0, 1, swing]], np.float32)
                size = (picture.shape[1], picture.shape[0])
                shaken = cv2.warpAffine(picture, slide, size, borderMode=cv2.BORDER_REPLICATE)
                return np.asarray(shaken, np.uint8)
        return picture


def play_sequence(
    performance: Performance, fps: float = 30.0, seconds: float | None = None
) -> Iterator[PlayFrame]:
    """The frames of a performance from 0 to `seconds` (its own length if not given)."""
    length = performance.seconds if seconds is None else seconds
    for index in range(math.ceil(length * fps)):
        yield performance.frame(index / fps)


def _carried_at(
    move: LayMove | Take | Throw | Reach | Push | Wave,
    t: float,
    grip: tuple[float, float],
    shift: tuple[float, float, float],
    lift: float,
) -> tuple[tuple[Placed, ...], float]:
    """The cards in the hand, `shift` (mm, mm, degrees) away from their places, and how high they are."""
    if isinstance(move, LayMove) and t < move.t:
        card = _carried(move.card, grip, shift, False)
        if move.manner == "slid":
            return (card,), 0.0
        if move.manner == "dropped":
            fall = max(0.0, 1.0 - (move.t - t) / FALL)
            return (card,), lift * (1.0 - fall * fall)
        return (card,), lift
    if isinstance(move, Take) and t >= move.t:
        return tuple(_carried(card, grip, shift, True) for card in move.cards), lift
    if isinstance(move, Push) and move.t <= t < move.t + move.seconds:
        return (move.at(t),), 0.0
    return (), lift


def _carried(
    card: Placed, grip: tuple[float, float], shift: tuple[float, float, float], gather: bool
) -> Placed:
    """The card in the hand, `shift` (mm, mm, degrees) away; a taking hand gathers the cards at its grip."""
    close = min(1.0, shift[2] / 4) if gather else 0.0
    x, y = card.x + (grip[0] - card.x) * close, card.y + (grip[1] - card.y) * close
    return replace(card, x=x + shift[0], y=y + shift[1], degrees=card.degrees + shift[2])


def _away(since: float, rest: float) -> float:
    """How far out the hand is, 1 = at the edge, 0 = at its goal; it slows down before it touches."""
    if since < 0:
        part = min(1.0, -since / ENTER)
        return part * part * (3 - 2 * part)
    part = min(1.0, max(0.0, since - rest) / LEAVE)
    return part * part * (3 - 2 * part)


def _goal(move: LayMove | Take | Throw | Reach | Push | Wave, t: float) -> tuple[float, float]:
    """Where the fingertips go: onto the near part of the card, so that the hand covers little."""
    turn = math.radians(move.seat)
    if isinstance(move, Reach):
        return move.x, move.y
    if isinstance(move, Wave):
        since = (t - move.t) * 2 * math.pi
        return move.x + move.swing * math.sin(since * 1.1), move.y + 0.4 * move.swing * math.sin(since * 1.7)
    cards = (
        (move.card,)
        if isinstance(move, LayMove)
        else move.cards
        if isinstance(move, Take | Throw)
        else (move.at(t),)
    )
    x = sum(card.x for card in cards) / max(1, len(cards))
    y = sum(card.y for card in cards) / max(1, len(cards))
    return x + 18 * math.cos(turn), y + 18 * math.sin(turn)


def _matrix(affine: Affine) -> Matrix:
    return np.array([[affine.a, affine.c, affine.e], [affine.b, affine.d, affine.f], [0, 0, 1]], float)


def _window(matrix: Matrix, shape: Sequence[int], picture: Pixels, pad: int) -> tuple[slice, slice] | None:
    """Rows and columns of the picture that a warped texture of `shape` can touch."""
    height, width = shape[:2]
    quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    if not before(matrix, quad):
        # An arm that reaches past the camera has no box; what is seen of it is still warped rightly.
        return slice(0, picture.shape[0]), slice(0, picture.shape[1])
    quad = apply(matrix, quad)
    left, top = np.maximum(np.floor(quad.min(0)).astype(int) - pad, 0)
    right = min(int(np.ceil(quad[:, 0].max())) + pad, picture.shape[1])
    bottom = min(int(np.ceil(quad[:, 1].max())) + pad, picture.shape[0])
    if right - left < 2 or bottom - top < 2:
        return None
    return slice(int(top), bottom), slice(int(left), right)


def _into(window: tuple[slice, slice], matrix: Matrix, scale: float = 1.0) -> Matrix:
    """The matrix with the window's corner as origin, shrunk by `scale`."""
    shift = np.array([[scale, 0, -window[1].start * scale], [0, scale, -window[0].start * scale], [0, 0, 1]])
    return np.asarray(shift @ matrix, float)


def _cast_shadow(picture: Pixels, cover: Pixels, matrix: Matrix, lift: float, scale: float) -> None:
    """Darkens the table below the arm: a soft shadow that moves away and spreads as the hand rises."""
    window = _window(matrix, cover.shape, picture, 40)
    if window is None:
        return
    part = 0.25
    reach = scale * (6 + 34 * lift)
    slide = np.array([[1, 0, reach * 0.7], [0, 1, reach * 0.5], [0, 0, 1]])
    rows, columns = window
    size = (max(1, int((columns.stop - columns.start) * part)), max(1, int((rows.stop - rows.start) * part)))
    small = cv2.warpPerspective(cover, _into(window, slide @ matrix, part), size)
    soft = cv2.GaussianBlur(small, (0, 0), scale * part * (4 + 14 * lift) + 0.5)
    shade = cv2.resize(soft, (columns.stop - columns.start, rows.stop - rows.start))
    dark = cv2.LUT(shade, np.linspace(255, 255 * 0.62, 256).astype(np.uint8))
    below = picture[rows, columns]
    below[:] = cv2.multiply(below, cv2.merge([dark] * 3), scale=1 / 255)


def _lay_over(
    picture: Pixels, hidden: NDArray[np.uint8], arm: Hand, matrix: Matrix, gain: NDArray[np.float32]
) -> None:
    """Paints the arm under the scene's light and adds it to the coverage."""
    window = _window(matrix, arm.cover.shape, picture, 2)
    if window is None:
        return
    rows, columns = window
    size = (columns.stop - columns.start, rows.stop - rows.start)
    onto = _into(window, matrix)
    colour = cv2.warpPerspective(arm.colour, onto, size)
    cover = cv2.warpPerspective(arm.cover, onto, size)
    lit = cv2.multiply(colour, gain[rows, columns], dtype=cv2.CV_8U)
    share = cv2.merge([cover] * 3)
    below = picture[rows, columns]
    below[:] = cv2.add(
        cv2.multiply(lit, share, scale=1 / 255), cv2.multiply(below, 255 - share, scale=1 / 255)
    )
    np.maximum(hidden[rows, columns], cover, out=hidden[rows, columns])

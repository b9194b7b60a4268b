"""How a reading numbers its places: rows across the picture, [0, 0] near its centre."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from companion.core.observations import Point
from companion.vision.image.picture import Array
from companion.vision.lattice.cells import Cell
from companion.vision.lattice.fit import Place, corners_of, points_up, projected, rotated
from companion.vision.lattice.place_score import PlaceScore


def number_places(cards: list[PlaceScore], view: Array, centre: Point) -> dict[Place, PlaceScore]:
    """The cards by the places of the module's convention."""
    if not cards:
        return {}
    there = [one.cell for one in cards if one.is_sure] or [one.cell for one in cards]
    turn = _rotation(view, there)
    up = [cell for cell in there if points_up(rotated(cell.at, turn))]
    if not up:
        turn = (turn + 3) % 6
        up = there
    first = min(up, key=lambda cell: math.dist(cell.corners.mean(axis=0).tolist(), centre))
    r, c = rotated(first.at, turn)
    moved = {}
    for one in cards:
        row, column = rotated(one.cell.at, turn)
        # a sixth of a turn makes the next corner the one opposite the base
        corners = np.asarray(np.roll(one.cell.corners, -(turn % 3), axis=0), np.float32)
        moved[row - r, column - c] = replace(one, cell=replace(one.cell, corners=corners))
    return moved


def _rotation(view: Array, there: list[Cell]) -> int:
    """By how many sixths of a circle the table must be turned for its rows to run across the picture."""
    centre = np.mean([corners_of(cell.at).mean(axis=0) for cell in there], axis=0)
    step = 0.05
    a, x, y = projected(view, centre + np.array([[0, 0], [step, 0], [0, step]]))
    u, _, v = np.linalg.svd(np.stack([x - a, y - a], axis=1))
    rotation = u @ v
    return round(math.atan2(rotation[1, 0], rotation[0, 0]) / (math.pi / 3)) % 6

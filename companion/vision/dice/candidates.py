"""The faces that pips can form in one view as arrays: which of them can be dice beside each other, and which
marks lie on the sides of each. A row of each array is a face."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.vision.dice.faces import Face, ProjectedPips
from companion.vision.dice.limits import DiceLimits
from companion.vision.image.picture import Array, Bools

ONE_REACH = 1.0 / math.sqrt(math.pi)
"""Radius, in edges, of the octagon that is taken for the top of a one: that of a circle as large as a top."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """n faces of the marks of a view, with the score of each (n,)."""

    seen: ProjectedPips
    faces: tuple[Face, ...]
    score: Array
    limits: DiceLimits

    @staticmethod
    def of(faces: Sequence[Face], seen: ProjectedPips, limits: DiceLimits) -> Candidates:
        """The faces with the scores that they were found with."""
        return Candidates(seen, tuple(faces), np.array([face.score for face in faces]), limits)

    def changed(self, by: Array) -> Candidates:
        """The same faces, their scores raised by so much (n,)."""
        return Candidates(self.seen, self.faces, self.score + by, self.limits)

    def face(self, number: int) -> Face:
        """The face of a number with its score as it is now."""
        return replace(self.faces[number], score=float(self.score[number]))

    def like(self, face: Face) -> Bools:
        """(n,): which are the same die as a face: of its number, with pips of it."""
        return np.asarray((self.value == face.value) & self.tops[:, list(face.pips)].any(axis=1))

    @cached_property
    def value(self) -> Array:
        """(n,): how many pips each has."""
        return np.array([face.value for face in self.faces])

    @cached_property
    def edge(self) -> Array:
        """(n,): the edge of each die in the plane."""
        return np.array([face.edge for face in self.faces])

    @cached_property
    def centre(self) -> Array:
        """(n, 2): the middle of each face in the plane."""
        return np.array([face.centre for face in self.faces]).reshape(-1, 2)

    @cached_property
    def tops(self) -> Bools:
        """(n, marks): which marks are the pips of each face."""
        found = np.zeros((len(self.faces), len(self.seen.at)), bool)
        for row, face in zip(found, self.faces, strict=True):
            row[list(face.pips)] = True
        return found

    @cached_property
    def shared(self) -> Array:
        """(n, n): how many pips two faces share."""
        tops = self.tops.astype(np.float32)
        return np.asarray(tops @ tops.T)

    @cached_property
    def apart(self) -> Bools:
        """(n, n): whether two dice can be at these places."""
        away = np.linalg.norm(self.centre[:, None] - self.centre[None], axis=2)
        return np.asarray((self.shared == 0) & (away > self.limits.sets.apart * self.between))

    @cached_property
    def between(self) -> Array:
        """(n, n): the mean edge of two dice."""
        return np.asarray(np.sqrt(self.edge[:, None] * self.edge[None]))

    @cached_property
    def steep(self) -> Array:
        """(n,): tangent of the angle between the line of sight and the plumb line."""
        return np.asarray(np.hypot(self.centre[:, 0], self.centre[:, 1]))

    @cached_property
    def in_front(self) -> Bools:
        """(n, n): whether a die (row) would lie within a diagonal before another (column), where it would
        hide the side of that: rare for dice."""
        step = self.centre[None] - self.centre[:, None]
        away = np.linalg.norm(step, axis=2)
        ahead = (step * self.centre[None]).sum(axis=2)
        close = (away > 0) & (away < math.sqrt(2.0) * self.between)
        return np.asarray(close & (ahead > math.sqrt(0.5) * away * self.steep[None]))

    def mean(self, of: Array) -> Array:
        """(n,): the mean over each face's pips of what is known of marks (marks,)."""
        return np.asarray(self.tops @ of / self.value)

    def separate(self) -> list[int]:
        """The faces that can lie beside each other, the best first."""
        chosen: list[int] = []
        for number in np.argsort(-self.score, kind="stable").tolist():
            if self.apart[number, chosen].all():
                chosen.append(number)
        return chosen

    def sides(self) -> Bools:
        """(n, marks): the marks within the outline of each die that are not on its top: those on its sides.

        The origin of the plane is the point below the camera. A corner of the top, divided by 1 + edge, is
        where the corner below it, on the table, is seen. So a mark is within the outline if its place, times
        some factor from 1 to 1 + edge, is on the top: between each two of its parallel sides."""
        across, half = self._top_sides()
        along = np.einsum("fsx,mx->fsm", across, self.seen.at)
        along = np.where(np.abs(along) < 1e-9, 1e-9, along)
        middle = np.einsum("fsx,fx->fs", across, self.centre)
        ends = np.stack([middle - half[:, None], middle + half[:, None]])[..., None] / along
        least, most = ends.min(axis=0).max(axis=1), ends.max(axis=0).min(axis=1)
        inside = np.maximum(least, 1.0) <= np.minimum(
            most, 1.0 + self.limits.sets.body_margin * self.edge[:, None]
        )
        away = self.seen.at[None] - self.centre[:, None]
        down = -(away * self.centre[:, None]).sum(axis=2) / np.maximum(self.steep, 1e-6)[:, None]
        square = np.abs(np.einsum("fsx,fmx->fsm", across[:, :2], away)).max(axis=1)
        local = np.where(self.value[:, None] == 1, np.hypot(away[..., 0], away[..., 1]), square)
        edge = self.edge[:, None]
        sets = self.limits.sets
        return np.asarray(inside & (local > sets.side_edge * edge) & (down > sets.side_down * edge))

    def _top_sides(self) -> tuple[Array, Array]:
        """The directions across the sides of the tops (n, 4, 2): those of an octagon for a one, those of a
        square, each twice, for all others; and how far the sides are from the middle (n,), for dice a little
        larger than by their pips."""
        turned = np.array([math.atan2(face.along[1], face.along[0]) for face in self.faces])
        one = self.value == 1
        angles = np.where(
            one[:, None], math.pi / 8 * np.array([1, 3, 5, 7]), turned[:, None] + math.pi / 2 * np.arange(4)
        )
        half = (
            np.where(one, ONE_REACH * math.cos(math.pi / 8), 0.5) * self.limits.sets.body_margin * self.edge
        )
        return np.stack([np.cos(angles), np.sin(angles)], axis=2), half

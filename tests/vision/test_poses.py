"""Where cards lie, by the votes of all looks together; slants; and what a reading must show for a name."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.image import geometry
from companion.vision.image.picture import Floats, Image
from companion.vision.match.features import FeatureMatcher, concatenate, find_features, look_features
from companion.vision.match.limits import search_limits
from companion.vision.match.poses import PoseHypothesis, Votes, find_poses

ASPECT = 1.5
WIDTHS = (30.0, 400.0)
LIMITS = search_limits().poses


def votes_for(rng: np.random.Generator, matrix: Floats, looks: list[int], *, blur: float = 1.0) -> Votes:
    """One vote of each of these looks for the pose `matrix` (2, 3), and as many votes again for nothing."""
    n = len(looks)
    here = rng.uniform(0.05, 0.95, (2 * n, 2)).astype(np.float32) * np.array([1.0, ASPECT], np.float32)
    there = geometry.transform(here, matrix) + rng.normal(0, blur, here.shape).astype(np.float32)
    there[n:] = rng.uniform(0, 600, (n, 2))
    width = np.full(2 * n, np.hypot(matrix[0, 0], matrix[1, 0]), np.float32)
    turn = np.full(2 * n, np.arctan2(matrix[1, 0], matrix[0, 0]), np.float32)
    turn[n:] = rng.uniform(-3, 3, n)
    owners = np.array([*looks, *looks], np.int32)
    return Votes(there, here, width, turn, owners, owners, np.arange(2 * n), np.zeros(2 * n, bool))


def poses_of(votes: Votes) -> list[PoseHypothesis]:
    return list(find_poses(votes, ASPECT, WIDTHS, 10, LIMITS))


def test_looks_with_one_vote_each_agree_on_a_place() -> None:
    turn, size = 0.4, 120.0
    cos, sin = size * np.cos(turn), size * np.sin(turn)
    matrix = np.array([[cos, -sin, 250], [sin, cos, 140]], np.float32)
    first = poses_of(votes_for(np.random.default_rng(1), matrix, list(range(9))))[0]
    expected = geometry.transform(geometry.UNIT * np.array([1.0, ASPECT], np.float32), matrix)
    assert np.abs(first.quad - expected).max() < 0.1 * size
    assert first.votes >= 7
    assert first.inliers == 1


def test_votes_for_a_card_of_another_size_are_not_counted() -> None:
    matrix = np.array([[500, 0, 50], [0, 500, 50]], np.float32)
    found = poses_of(votes_for(np.random.default_rng(2), matrix, list(range(9))))
    assert all(hypothesis.votes < 7 for hypothesis in found)


def test_many_copies_of_one_feature_have_one_vote() -> None:
    votes = votes_for(np.random.default_rng(3), np.array([[100, 0, 90], [0, 100, 90]], np.float32), [0] * 9)
    assert poses_of(votes)
    assert not poses_of(replace(votes, place=np.zeros(len(votes), np.int64)))


def test_features_that_no_other_card_has_are_counted() -> None:
    matrix = np.array([[100, 0, 90], [0, 100, 90]], np.float32)
    votes = votes_for(np.random.default_rng(5), matrix, [0] * 8 + [1] * 3)
    shared, own = poses_of(votes)[0], poses_of(replace(votes, alone=np.ones(len(votes), bool)))[0]
    assert shared.distinct == 0
    assert own.looks[0] == 0
    assert own.distinct >= 7


def test_the_same_picture_is_matched_the_same_in_every_run() -> None:
    rng = np.random.default_rng(8)
    features = concatenate([look_features(drawing(rng)) for _ in range(12)])
    owners = np.repeat(np.arange(12, dtype=np.int32), -(-len(features) // 12))[: len(features)]
    scene = np.asarray(cv2.GaussianBlur(drawing(np.random.default_rng(8)), (0, 0), 1.5), np.uint8)
    seen = find_features(scene, 2000, 0.02)
    found = []
    for earlier in (3, 99):
        cv2.setRNGSeed(earlier)
        matcher = FeatureMatcher(features, owners, np.arange(12, dtype=np.int32), ASPECT)
        found.append([h.quad.tolist() for h in matcher.hypotheses(seen, (40.0, 400.0), 40, LIMITS)])
    assert found[0]
    assert found[0] == found[1]


def drawing(rng: np.random.Generator) -> Image:
    """A card of random discs, 240 x 360."""
    card = np.full((360, 240, 3), 235, np.uint8)
    for _ in range(25):
        at = (int(rng.integers(240)), int(rng.integers(360)))
        cv2.circle(card, at, int(rng.integers(8, 34)), [int(v) for v in rng.integers(0, 220, 3)], -1)
    return card

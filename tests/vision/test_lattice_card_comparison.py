"""The network names the card of a place, also half burnt out, and knows bare cloth and a wrong lamp."""

import cv2
import numpy as np
import pytest

from companion.vision.image.picture import Floats
from companion.vision.lattice import scored_lattices
from companion.vision.lattice.card_comparison import card_log_odds, seen_colours
from companion.vision.lattice.cells import LatticePicture
from companion.vision.lattice.colours import Illuminant, templates_of
from companion.vision.lattice.lamp import likely_lamps
from companion.vision.lattice.scored_lattices import _anchors
from companion.vision.triangles.appearance import log_colours, sample_points

COLOURS = np.array([[30, 110, 225], [200, 120, 40], [60, 160, 50], [40, 40, 200]], np.float32)
CLOTH = (150, 150, 140)
NAMES = ("orange", "blue", "green", "red")
PLACES = np.array(
    [[[100 + 130 * k, 60], [155 + 130 * k, 155], [45 + 130 * k, 155]] for k in range(4)], np.float32
)


def table_of(gains: tuple[float, float, float] = (1, 1, 1), glare: float = 0.0) -> LatticePicture:
    """Four cards with pale rims and dark drawings on grey cloth."""
    shares = sample_points().min(axis=1)
    inner, rim = (shares > 0.2)[:, None], (shares < 0.03)[:, None]
    levels = np.where(inner, COLOURS[:, None] * 0.4, np.where(rim, 225.0, COLOURS[:, None]))
    looks = templates_of(NAMES, np.arange(4), log_colours(levels.astype(np.float32), 225.0))
    picture = np.full((240, 620, 3), CLOTH, np.float32)
    for corners, colour in zip(PLACES, COLOURS, strict=True):
        middle = corners.mean(axis=0)
        for part, tone in ((1.0, np.full(3, 225.0)), (0.9, colour), (0.4, colour * 0.4)):
            shape = np.round(middle + part * (corners - middle)).astype(np.int32)
            cv2.fillConvexPoly(picture, shape, tone.tolist(), cv2.LINE_AA)
        if glare:
            light = np.zeros(picture.shape[:2], np.float32)
            cv2.ellipse(light, (int(middle[0]) - 15, int(middle[1])), (25, 14), 30, 0, 360, glare, -1)
            picture += cv2.GaussianBlur(light, (0, 0), 6)[..., None]
    noisy = picture * np.array(gains, np.float32) + np.random.default_rng(1).normal(0, 2, picture.shape)
    table = LatticePicture(np.clip(noisy, 0, 255).astype(np.uint8), 110.0, looks)
    table.white = 225.0
    table.illuminant = likely_lamps(table, PLACES, None)[0].illuminant
    return table


def odds_of(table: LatticePicture, corners: Floats = PLACES) -> Floats:
    return card_log_odds(seen_colours(table, corners), table, table.templates, table.illuminant)


@pytest.mark.parametrize(("glare", "least"), [(0.0, 0.0), (300.0, -2.0)])
def test_cards_are_told_from_others_and_from_none(glare: float, least: float) -> None:
    odds = odds_of(table_of(glare=glare))
    assert odds.argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert (odds.max(axis=1) > least).all()


def test_bare_cloth_and_the_place_between_two_cards_are_none() -> None:
    table = table_of()
    bare = PLACES[:1] + np.array([0, 75], np.float32)
    between = (PLACES[:1] + PLACES[1:2]) / 2
    assert odds_of(table, np.concatenate([bare, between])).max() < 0


def test_the_lamp_is_that_under_which_cards_are_likely() -> None:
    table = table_of(gains=(0.7, 1.0, 1.0))
    assert odds_of(table).argmax(axis=1).tolist() == [0, 1, 2, 3]
    right = table.illuminant
    assert right.colour[0] > 0.1
    table.illuminant = Illuminant(right.colour + np.array([0.3, -0.2], np.float32), right.brightness)
    wrong = odds_of(table)
    table.illuminant = right
    assert odds_of(table).max(axis=1).sum() > wrong.max(axis=1).sum()


def anchored(table: LatticePicture) -> list[int]:
    """The names of the cards that adapt the deck."""
    return [int(table.templates.cards[anchor.look]) for anchor in _anchors(list(PLACES), table)]


def test_the_cards_that_adapt_the_deck_are_named_by_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of()
    assert anchored(table) == [0, 1, 2, 3]
    other = [1, 0, 3, 2]
    monkeypatch.setattr(scored_lattices, "card_log_odds", lambda *_: np.eye(4)[other])
    assert anchored(table) == other
    assert _anchors([], table) == []

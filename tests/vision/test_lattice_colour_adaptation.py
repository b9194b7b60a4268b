"""The looks of a deck are brought to the picture by the cards that are sure in it."""

import numpy as np
import pytest

from companion.vision.image.picture import Floats
from companion.vision.lattice.colour_adaptation import Anchor, adapt_references
from companion.vision.lattice.colours import (
    Illuminant,
    TriangleTemplates,
    costs_by_card,
    template_costs,
    templates_of,
)
from companion.vision.triangles.appearance import SampledPicture, local_contrast, log_colours, sample_points

LAMP = Illuminant(np.array([0.2, -0.1], np.float32), 0.3)
CARDS = ("red", "orange", "yellow", "green")


@pytest.fixture
def looks() -> TriangleTemplates:
    rng = np.random.default_rng(5)
    tones = np.array([[40, 40, 200], [30, 120, 210], [40, 190, 215], [60, 160, 50]], np.float32)
    levels = np.repeat(tones[:, None], len(sample_points()), axis=1)
    levels[:, ::9] *= 0.4
    levels += rng.normal(0, 2, levels.shape)
    return templates_of(CARDS, np.arange(4), log_colours(np.clip(levels, 0, 255).astype(np.float32), 230.0))


def shown(
    looks: TriangleTemplates, card: int, own: tuple[float, float] = (0.0, 0.0), bent: float = 0.0
) -> Floats:
    """A card under the lamp: `own`: what its enrolment missed; `bent`: what the camera adds to all."""
    values = looks.values[3 * card, :, :3].copy()
    middle = looks.values[::3, :, :3].reshape(-1, 3).mean(axis=0)
    values[:, 1:] += bent * (values[:, 1:] - middle[1:]) + np.array(own) + LAMP.colour
    values[:, 0] += LAMP.brightness
    return np.concatenate([values, local_contrast(values[:, 0])[:, None]], axis=1).astype(np.float32)


def anchors(looks: TriangleTemplates, cards: list[int], **how: tuple[float, float] | float) -> list[Anchor]:
    everywhere = np.ones(len(sample_points()), bool)
    return [Anchor(3 * card, shown(looks, card, **how), everywhere) for card in cards]  # type: ignore[arg-type]


def cost(looks: TriangleTemplates, seen: Floats) -> Floats:
    return np.asarray(costs_by_card(template_costs(seen[None], looks, LAMP), looks)[0], np.float32)


def test_what_an_enrolment_missed_is_learnt_from_cards_of_the_same_kind(looks: TriangleTemplates) -> None:
    own = (0.25, -0.12)
    sure = anchors(looks, [2, 2, 2], own=own) + anchors(looks, [0, 3])
    better = adapt_references(looks, LAMP, sure)
    seen = shown(looks, 2, own)
    assert cost(better, seen)[2] < 0.5 * cost(looks, seen)[2]
    assert cost(better, seen).argmin() == 2


def test_what_the_camera_does_to_all_colours_helps_cards_that_were_not_sure(looks: TriangleTemplates) -> None:
    better = adapt_references(looks, LAMP, anchors(looks, [0, 0, 2, 3], bent=0.3))
    seen = shown(looks, 1, bent=0.3)
    assert cost(better, seen)[1] < cost(looks, seen)[1]
    assert cost(better, seen).argmin() == 1


def test_too_few_sure_cards_change_nothing(looks: TriangleTemplates) -> None:
    assert adapt_references(looks, LAMP, anchors(looks, [1, 2], own=(0.3, 0.3))) is looks


def test_cards_that_were_enrolled_rightly_stay_what_they_are(looks: TriangleTemplates) -> None:
    same = adapt_references(looks, LAMP, anchors(looks, [0, 1, 2, 3]))
    assert np.allclose(same.values, looks.values, atol=0.03)


def test_a_lamps_white_is_found_where_a_dark_picture_ends() -> None:
    picture = np.full((300, 300, 3), 90, np.uint8)
    picture[100:130, 100:130] = (214, 220, 222)
    surface = SampledPicture(picture, 52.0)
    colours = np.array([[213, 219, 221], [90, 90, 90], [120, 60, 225], [120, 60, 250]], np.float32)
    assert surface.burnt(colours).tolist() == [True, False, False, True]

"""How many cards a column has: arrangements of events, the network on drawn columns, and when somebody is
asked."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bench.displays.fit_counts import FittedCount, FittedStart, fit_evidence
from bench.displays.fit_names import FittedName, fit_names
from companion.vision.display.column_events import ColumnCards, ColumnEvent, cards_of, peaks
from companion.vision.display.column_network import (
    BEYOND,
    CARD_ROWS,
    CARD_WIDTH,
    RESOLUTION,
    SIDE,
    column_picture,
    seen_events,
)
from companion.vision.display.comparer import asked_starts
from companion.vision.display.limits import (
    CountLimits,
    EvidenceWeights,
    StartEvidence,
    display_limits,
)
from companion.vision.image.picture import Bytes

LIMITS = CountLimits(0.95, 0.5, EvidenceWeights())


def events(*at_odds: tuple[float, float]) -> list[ColumnEvent]:
    return [ColumnEvent(at, odds) for at, odds in at_odds]


def counted(starts: list[ColumnEvent], *ends: tuple[float, float]) -> ColumnCards:
    return cards_of(starts, events(*ends))


def test_an_event_is_where_the_probability_of_the_places_round_it_lies() -> None:
    likely = np.zeros(200, np.float32)
    likely[[60, 61, 120]] = 0.4, 0.5, 0.3
    first, second = peaks(likely)
    assert first.at == pytest.approx((60 + 5 / 9 + 0.5) / RESOLUTION - BEYOND)
    assert first.odds == pytest.approx(np.log(9), abs=0.01)
    assert second.odds == pytest.approx(np.log(3 / 7), abs=0.01)


def test_the_open_card_is_as_long_as_a_card() -> None:
    starts = events((0.0, 5.0), (0.3, 5.0), (0.7, 4.0))
    found = counted(starts, (1.3, 5.0))
    assert [one.at for one in found.starts] == [0.0, 0.3]
    assert found.end == 1.3
    assert found.certainty > 0.95
    assert cards_of(starts, events((2.2, 5.0))).counts[0] == pytest.approx(1.0)
    assert cards_of(starts, []).starts == ()


def test_the_probabilities_of_numbers_are_those_of_all_arrangements() -> None:
    found = counted(events((0.0, 2.0), (0.15, -1.0), (0.3, 6.0)), (1.3, 6.0))
    first, second = (1 / (1 + np.exp(-odds)) for odds in (2.0, -1.0))
    assert found.counts[3] == pytest.approx(first * second, abs=1e-3)
    assert found.counts[1] == pytest.approx((1 - first) * (1 - second), abs=1e-3)
    assert found.certainty == pytest.approx(found.counts[2])
    assert sum(found.counts.values()) == pytest.approx(1.0)


def test_what_is_hardly_seen_may_be_no_column() -> None:
    assert counted(events((0.0, 0.5)), (1.0, -0.5)).counts[0] == pytest.approx(0.5, abs=0.01)


def test_nothing_is_asked_about_a_certain_column_and_the_doubtful_starts_of_another() -> None:
    assert asked_starts(counted(events((0.0, 6.0), (0.3, 6.0)), (1.3, 6.0)), LIMITS) == []
    doubtful = counted(events((0.0, 6.0), (0.15, 1.0), (0.2, -0.5), (0.3, 6.0)), (1.3, 6.0))
    assert [one.at for one in asked_starts(doubtful, LIMITS)] == [0.2, 0.15]
    cloth = counted(events((0.0, 0.5)), (1.0, 0.0))
    assert [one.at for one in asked_starts(cloth, LIMITS)] == [0.0]


def test_a_place_where_the_finder_sees_no_card_speaks_against_one() -> None:
    limits = display_limits().limits
    odds = limits.weights.odds
    assert odds(StartEvidence(0.0, 0.0, 0.9)) < 0.0 < odds(StartEvidence(0.0, 0.95, 0.9))
    assert odds(StartEvidence(-2.0, 0.95, 0.9)) < odds(StartEvidence(2.0, 0.95, 0.9))


def test_a_card_before_that_explains_the_place_speaks_against_a_start() -> None:
    odds = display_limits().limits.weights.odds
    assert odds(StartEvidence(0.0, 1.0, -0.1)) < 0.0 < odds(StartEvidence(0.0, 1.0, 0.6))


def test_the_limits_are_those_of_the_shipped_file() -> None:
    limits = display_limits().limits
    assert 0.5 < limits.certain < 1.0


def column_of_two(odds: float, left: float, seen: float, truth: int, without: float = 1.0) -> FittedCount:
    """A column whose open card is certain, and another that may lie under it."""
    doubtful = StartEvidence(odds, seen, without - left)
    starts = (FittedStart(0.0, doubtful), FittedStart(0.3, StartEvidence(7.0, 1.0, 0.9)))
    return FittedCount(starts, (ColumnEvent(1.3, 7.0),), truth)


def test_evidence_is_fitted_to_what_separates_numbers_of_cards() -> None:
    rng = np.random.default_rng(1)
    by_deck = [
        column_of_two(float(rng.normal()), float(rng.normal(0.3 if two else 0.7, 0.15)), 1.0, 1 + two)
        for two in (True, False) * 40
    ]
    weights = fit_evidence(by_deck)
    assert weights.by_gain > 5.0
    assert sum(one.certainty(weights)[1] for one in by_deck) > 70
    assert sum(one.cost(weights) for one in by_deck) < sum(one.cost(EvidenceWeights()) for one in by_deck)
    by_finder = [column_of_two(0.0, 0.3, float(two), 1 + two) for two in (True, False) * 40]
    assert fit_evidence(by_finder).by_seen > 3.0
    careful = [column_of_two(1.0 if two else -1.0, 0.3, 1.0, 1 + two) for two in (True, False) * 40]
    assert fit_evidence(careful).by_odds > 3.0
    continued = [column_of_two(0.0, 0.3, 1.0, 1 + two, 0.3 + 0.5 * two) for two in (True, False) * 40]
    assert fit_evidence(continued).by_gain > 3.0


def fitted_name(lead: float, monster: float, rng: np.random.Generator) -> FittedName:
    """A card whose monster is right with its probability, and its number the surer the larger the lead."""
    is_monster, is_number = (rng.random() < one for one in (monster, 1 / (1 + np.exp(2 - 20 * lead))))
    return FittedName(lead, monster, 0.3, is_monster, is_monster and is_number)


def test_a_clear_number_does_not_make_a_name_sure_whose_monster_is_not() -> None:
    rng = np.random.default_rng(3)
    made = [fitted_name(*rng.uniform((0, 0), (0.6, 1)).tolist(), rng) for _ in range(600)]
    limits, _ = fit_names(made)
    assert limits.likely(0.5, 0.99, 0.3) > 0.9
    assert limits.likely(0.5, 0.1, 0.3) <= 0.1
    assert limits.likely(0.0, 0.99, 0.3) < 0.3


def test_names_are_shown_down_to_the_probability_at_which_hardly_one_is_wrong() -> None:
    rng = np.random.default_rng(2)
    made = [fitted_name(float(lead), 1.0, rng) for lead in rng.uniform(0, 0.6, 600)]
    limits, about = fit_names(made)
    assert limits.likely(0.5, 1.0, 0.3) > 0.95 > 0.5 > limits.likely(0.02, 1.0, 0.3)
    assert about["names_shown_and_wrong"] <= 0.02 * about["names_shown"] < 0.02 * 600


def test_a_column_is_turned_upright_with_its_surroundings() -> None:
    picture = np.zeros((400, 300, 3), np.uint8)
    picture[50:194, 100:196] = 255
    quad = np.array([[100, 50], [196, 50], [196, 194], [100, 194]], np.float32) - 0.5
    upright = column_picture(picture, quad, 1.0)
    assert upright.shape == (2 * CARD_ROWS, CARD_WIDTH + 2 * SIDE, 3)
    rows, columns = (np.flatnonzero(upright[..., 0].max(axis=axis) > 128) for axis in (1, 0))
    assert (rows[0], rows[-1]) == (CARD_ROWS // 2, CARD_ROWS // 2 + CARD_ROWS - 1)
    assert (columns[0], columns[-1]) == (SIDE, SIDE + CARD_WIDTH - 1)


def drawn_column(starts: list[int], *, turned: bool = False) -> Bytes:
    """White cards with a red field, as the reader shows them to the network."""
    picture = np.full((CARD_ROWS + starts[-1] + CARD_ROWS, CARD_WIDTH + 2 * SIDE, 3), (60, 90, 70), np.uint8)
    for start in starts:
        top, left = CARD_ROWS // 2 + start, SIDE
        cv2.rectangle(picture, (left, top), (left + 95, top + 143), (90, 90, 90), -1)
        cv2.rectangle(picture, (left + 1, top + 1), (left + 94, top + 142), (240, 240, 240), -1)
        cv2.rectangle(picture, (left + 9, top + 9), (left + 86, top + 134), (60, 60, 200), -1)
        cv2.circle(picture, (left + 48, top + 72), 30, (240, 240, 240), -1)
    rows = picture.shape[0] // 16 * 16
    return np.ascontiguousarray((picture[::-1] if turned else picture)[:rows])


def test_the_network_counts_the_cards_of_a_plain_column() -> None:
    found = cards_of(*map(peaks, seen_events(drawn_column([0, 44, 88]))))
    assert [one.at for one in found.starts] == pytest.approx([0.0, 44 / 144, 88 / 144], abs=0.04)
    assert found.end == pytest.approx(1.0 + 88 / 144, abs=0.05)


def test_a_column_upside_down_is_less_likely() -> None:
    totals = []
    for turned in (False, True):
        found = cards_of(*map(peaks, seen_events(drawn_column([0, 44, 88], turned=turned))))
        totals.append(found.total)
    assert totals[0] > totals[1] + 5.0


def test_a_card_is_not_longer_than_a_card() -> None:
    far = events((0.0, 6.0), (0.5, -1.0), (1.2, 6.0))
    found = cards_of(far, events((2.2, 6.0)))
    assert [one.at for one in found.starts] == [0.0, 0.5, 1.2], "no card reaches from 0 to 1.2"
    near = cards_of(events((0.0, 6.0), (0.5, -1.0), (0.98, 6.0)), events((1.98, 6.0)))
    assert [one.at for one in near.starts] == [0.0, 0.98]

"""What a search for cards costs, and the file that a fit of its limits writes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bench.coordinate_search import CoordinateSearch, FittedNumbers, TriedStep
from bench.fitted_limits import limits_of, numbers_of, write
from bench.surrogates.sets import own_cards
from bench.vision import fit_search
from bench.vision.fit_search import SearchedPicture, cost_of, pictures_of
from bench.vision.half_decks import KINDS, PrintedDeck
from companion.vision.match.limits import SearchLimits, search_limits

LABELS = tuple(f"{colour} {number}" for colour in ("blue", "red", "orange", "yellow") for number in (2, 5))


@pytest.fixture(scope="module")
def pictures() -> list[SearchedPicture]:
    """One table of our own deck: read with the whole deck, with the half without its cards, and where one of
    its cards has come."""
    cards = {label: own_cards()[label] for label in LABELS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_search, "SEARCHED", {"table": KINDS["table"]})
        return [*pictures_of("eight", PrintedDeck(cards, cards), 1)]


def test_the_shipped_limits_find_the_cards_of_a_table(pictures: list[SearchedPicture]) -> None:
    whole, half, landed = pictures
    assert len(whole.cards) >= 1
    assert half.cards == ()
    assert landed.cards == whole.cards[:1]
    numbers = numbers_of(search_limits())
    assert [cost_of(numbers, one) for one in pictures] == [0.0, 0.0, 0.0]


def test_a_card_that_is_not_searched_for_costs_one(pictures: list[SearchedPicture]) -> None:
    numbers = numbers_of(search_limits()) | {"outlines.most": 0, "features.most_if_changed": 0}
    assert cost_of(numbers, pictures[2]) == 1.0


def test_a_false_name_costs_more(pictures: list[SearchedPicture]) -> None:
    whole = pictures[0]
    strange = SearchedPicture(whole.image, whole.deck, None, (), ())
    assert cost_of(numbers_of(search_limits()), strange) == fit_search.FALSE * len(whole.cards)


def test_what_is_written_is_read_again(tmp_path: Path, pictures: list[SearchedPicture]) -> None:
    numbers = numbers_of(search_limits())
    search = CoordinateSearch(cost_of, pictures[2:], 2.0, 3.0)
    fitted = search.fit(numbers, 1, ["outlines.changed"])
    near = search.neighbours(fitted.values, ["outlines.changed"])
    file = tmp_path / "search.json"
    write(file, limits_of(fitted.values, SearchLimits), "one table", {"readings": 1}, fitted, near)
    assert msgspec.json.decode(file.read_bytes(), type=SearchLimits) == search_limits()
    about = msgspec.json.decode(file.read_bytes())["fit"]
    assert about["neighbours"]["outlines.changed"].keys() == {"0.08", "0.125"}
    assert about["readings"] == 1


def test_a_step_that_was_given_up_has_no_cost(tmp_path: Path) -> None:
    fitted = FittedNumbers(numbers_of(search_limits()), 1.0, 2.0, 1, settled=True)
    near = {"poses.own": [TriedStep(9, 4.0, stopped=True), TriedStep(11, -0.5, stopped=False)]}
    write(tmp_path / "one.json", search_limits(), "none", {}, fitted, near)
    about = msgspec.json.decode((tmp_path / "one.json").read_bytes())["fit"]
    assert about["neighbours"] == {"poses.own": {"9": None, "11": -0.5}}
    assert (about["cost"], about["cost_at_start"]) == (1.0, 2.0)

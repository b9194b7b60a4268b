"""How many distinct positions legal events lead to: the numbers change only with the rules."""

import pytest

from bench.rules.perft import SMALL, positions

COUNTS = {
    "seven_merry_monsters": [1, 50, 2451],
    "trio_monsters": [1, 2, 12, 84, 565],
    "bugs_and_co": [1, 1, 4, 7, 10, 13],
    "thirteen_monsters": [1, 2, 12, 18, 30],
    "nasty_7": [1, 5, 13, 38, 90],
}


@pytest.mark.parametrize("game", COUNTS)
def test_the_number_of_positions(game: str) -> None:
    assert positions(game) == COUNTS[game]


def test_the_first_counts_by_hand() -> None:
    """49 monsters and a joker can lead; then each of the rest, and the joker again (11 of them)."""
    assert set(COUNTS) == set(SMALL)
    assert COUNTS["seven_merry_monsters"][1:] == [49 + 1, 49 * (48 + 1) + 1 * (49 + 1)]

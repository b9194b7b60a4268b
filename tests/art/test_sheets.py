"""PDF sheets: pages, physical size, cut marks; read back by another program."""

import re

import numpy as np
import pypdfium2
import pytest

from companion.art import draw_card, sheets
from companion.art.decks.frame import SIZE
from companion.core.errors import UsageError

POINT = 25.4 / 72


def pages(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of every page in mm, from the page objects."""
    boxes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    assert len(boxes) == len(re.findall(rb"/Type /Page\b(?!s)", pdf))
    return [(float(width) * POINT, float(height) * POINT) for width, height in boxes]


@pytest.fixture(scope="module")
def merry() -> bytes:
    return sheets.deck_pdf("seven_merry_monsters")


def test_sixty_cards_fill_seven_a4_sheets(merry: bytes) -> None:
    assert len(pages(merry)) == 7
    for width, height in pages(merry):
        assert (width, height) == pytest.approx((210, 297), abs=0.01)


def test_letter_and_large_print_and_backs() -> None:
    letter = pages(sheets.deck_pdf("nasty_7", "letter", backs=True))
    assert len(letter) == 26
    assert letter[0] == pytest.approx((215.9, 279.4), abs=0.01)
    large = pages(sheets.deck_pdf("nasty_7", scale=sheets.LARGE))
    assert len(large) == 28


def test_the_same_deck_is_the_same_file(merry: bytes) -> None:
    assert sheets.deck_pdf("seven_merry_monsters") == merry


def test_cards_stay_on_the_printable_part_of_the_sheet() -> None:
    for paper in sheets.PAPERS:
        for scale in (1.0, sheets.LARGE):
            plan = sheets.layout(paper, SIZE, scale)
            x, y = plan.corner(plan.room - 1)
            assert plan.left >= sheets.MARGIN
            assert plan.top >= sheets.MARGIN
            assert x + plan.width <= plan.paper[0] - sheets.MARGIN + 1e-9
            assert y + plan.height <= plan.paper[1] - sheets.MARGIN + 1e-9


def test_unknown_paper_and_too_large_cards_are_refused() -> None:
    with pytest.raises(UsageError, match="a4, letter"):
        sheets.layout("a5", SIZE)
    with pytest.raises(UsageError, match="does not fit"):
        sheets.layout("a4", SIZE, 4.0)


def test_another_program_prints_the_cards_in_their_size(merry: bytes) -> None:
    document = pypdfium2.PdfDocument(merry)
    page = document[0].render(scale=254 / 72).to_numpy()[..., :3]
    document.close()
    assert page.shape[:2] == pytest.approx((2970, 2100), abs=1)
    plan = sheets.layout("a4", SIZE)
    # The thin dark line runs 3 mm inside each card's edge: at 10 pixels a mm it must be found there.
    dark = page.max(2) < 110
    for index in range(plan.room):
        x, y = (round(value * 10) for value in plan.corner(index))
        for row, column in ((y + 440, x + 30), (y + 440, x + 600), (y + 30, x + 315), (y + 850, x + 315)):
            assert dark[row - 3 : row + 4, column - 3 : column + 4].any(), (index, row, column)
        assert (page[y + 5 : y + 20, x + 50 : x + 500] == 255).all()
    # Cut marks stand outside the block of cards; a hair line is grey at this resolution.
    left = round(plan.left * 10)
    assert page[round(plan.top * 10) - 25, left - 3 : left + 4].max(1).min() < 200
    # The drawing is the same as the pixels that the eyes learn from.
    x, y = (round(value * 10) for value in plan.corner(0))
    own = draw_card("seven_merry_monsters", "red 1", 880).astype(int)
    assert np.abs(page[y : y + 880, x : x + 630].astype(int) - own).mean() < 3

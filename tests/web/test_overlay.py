"""The overlay for streams: nothing behind scores and turn, placed and sized by the address."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from chromium import Phone
from playwright.sync_api import Page, expect
from still_host import StillHost
from test_table_view import shown

STREAM = {"width": 1280, "height": 720}


def drawn(page: Page) -> np.ndarray:
    """Which pixels of the page are not transparent."""
    png = page.screenshot(omit_background=True)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    return np.asarray(picture[..., 3] > 0)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_nothing_is_behind_scores_and_turn(
    still: str, host: StillHost, phones: Callable[..., Phone], scheme: str
) -> None:
    host.shown |= shown("trio_monsters", 30)
    phone = phones(still, viewport=STREAM, color_scheme=scheme)
    phone.page.goto("/overlay")
    expect(phone.page.locator(".over-scores li")).to_have_count(3)
    expect(phone.page.locator(".over-turn")).to_have_text("Kai lays cards.")
    seen = drawn(phone.page)
    assert seen.mean() < 0.05
    assert not seen[:600].any(), "all of it stands at the bottom"
    assert not seen[:, 640:].any(), "and at the left"


def test_the_address_says_where_and_how_large(
    still: str, host: StillHost, phones: Callable[..., Phone]
) -> None:
    host.shown |= shown("trio_monsters", 30)
    phone = phones(still, viewport=STREAM)
    phone.page.goto("/overlay?at=top-right&layout=column&size=2&show=title,scores&plate=0")
    names = phone.page.locator(".over-scores li")
    expect(names).to_have_count(3)
    boxes = [names.nth(n).bounding_box() for n in range(3)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["x"] == boxes[1]["x"] > 640
    assert boxes[0]["y"] < boxes[1]["y"] < 360
    expect(phone.page.locator(".over-title")).to_have_text("Trio Monsters · 11 cards to draw")
    expect(phone.page.locator(".over-turn")).to_have_count(0)
    assert phone.overflow() <= 0


def test_between_two_games_it_is_empty(still: str, phones: Callable[..., Phone]) -> None:
    phone = phones(still, viewport=STREAM)
    phone.page.goto("/overlay")
    expect(phone.page.locator("h1")).to_have_count(1)
    assert not drawn(phone.page)[20:].any()

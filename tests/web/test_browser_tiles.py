"""Photographed tiles of Bugs & Co go through real eyes, real rules and real pages on a phone."""

import re
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from chromium import Phone
from playwright.sync_api import Page, expect
from test_browser_play import start

from bench.tiles.scenes import covered, laid

Phones = Callable[..., Phone]
TILES = ["bat", "bat", "bat", "claw", "fish", "fish", "fish", "crown", "claw", "claw"]
"""The last one is half hidden."""
COUNT = ["ten", "nine", "eight", "seven", "six", "five", "four", "three", "two", "one", "stop"]


def counting(phone: Phone) -> Page:
    """A game in which Jo took the trophy and all have stopped."""
    page = start(phone, "Bugs & Co", "Ida", "Jo")
    phone.tap("Start!")
    phone.tap("A trophy was taken")
    phone.tap("Jo")
    for word in COUNT:
        phone.tap(word)
    return page


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "tiles.jpg"
    cv2.imwrite(str(path), covered(laid(TILES), 9, 0.5))
    return path


def test_tiles_are_photographed_put_right_and_entered(table: str, phones: Phones, photo: Path) -> None:
    phone = phones(table, viewport={"width": 390, "height": 844})
    page = counting(phone)
    phone.tap("Ida's tiles")
    phone.tap("Photograph them")
    page.wait_for_url("**/photo?player=Ida")
    page.set_input_files("#picture", photo)
    expect(page.locator(".quad")).to_have_count(10, timeout=60_000)
    expect(page.locator(".verdict")).to_contain_text("I am not sure of 1 place.")
    expect(page.locator(".total b")).to_have_text("3")
    expect(page.get_by_role("button", name=re.compile("^Enter"))).to_have_count(0)
    assert phone.overflow() == 0
    page.get_by_role("button", name="What is this?").last.click()
    page.get_by_role("dialog").get_by_role("button", name="worm", exact=True).click()
    expect(page.locator(".total b")).to_have_text("2")
    page.locator('.quad[aria-label="worm: correct it"]').click()
    page.get_by_role("dialog").get_by_role("button", name="This is no tile").click()
    expect(page.locator(".total b")).to_have_text("3")
    page.locator('.quad[aria-label="crown: correct it"]').click()
    page.get_by_role("dialog").get_by_role("button", name="claw", exact=True).click()
    expect(page.locator(".total b")).to_have_text("9")
    expect(page.locator(".sum")).to_contain_text("3 sets of three")
    phone.tap("Enter 9 tiles")
    expect(page.locator("h1")).to_have_text("Count tiles")
    page = phone.open()
    expect(page.locator(".scores li", has_text="Ida").locator(".score")).to_have_text("9")

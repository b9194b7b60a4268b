"""A display of the project's own cards, photographed, goes through real eyes, real rules and real pages."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from chromium import Phone
from playwright.sync_api import expect

from companion.art import draw_card

Phones = Callable[..., Phone]
COLUMNS = (("green 4", "green 2", "joker"), ("red 6",), ("blue 1", "blue 7"), ("purple 3", "purple 5"))
HEIGHT = 420
WIDE, TALL = 1700, 1150
RED_AT = (642.0, 319.0)
"""Where the middle of the red 6 lies in the photograph."""


def photograph(path: Path) -> None:
    """Four columns, each card covering two thirds of the one above, on a table of its own colour."""
    rng = np.random.default_rng(7)
    picture = np.full((TALL, WIDE, 3), (60, 92, 78), np.uint8)
    for c, column in enumerate(COLUMNS):
        for r, label in enumerate(column):
            card = draw_card("seven_merry_monsters", label, HEIGHT)
            y, x = 90 + r * HEIGHT // 3, 110 + c * 390
            picture[y : y + card.shape[0], x : x + card.shape[1]] = card[:, :, :3]
    turned = cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), 3.0, 0.97)
    picture = cv2.warpAffine(picture, turned, (WIDE, TALL), borderMode=cv2.BORDER_REPLICATE)
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 4, picture.shape)
    cv2.imwrite(str(path), np.clip(noisy, 0, 255).astype(np.uint8))


def test_round_is_scored_by_real_eyes(table: str, phones: Phones, tmp_path: Path) -> None:
    photo = tmp_path / "display.jpg"
    photograph(photo)
    phone = phones(table)
    page = phone.seats("Seven Merry Monsters", "Ida", "Jo", "Kai")
    phone.tap("Start with Ida, Jo and Kai")
    page.wait_for_url("**/")
    page = phone.open("/photo?player=Ida")
    page.set_input_files("#picture", photo)
    expect(page.locator(".quad")).to_have_count(8, timeout=60_000)
    expect(page.locator(".total b")).to_have_text("25")
    drawn = page.locator(".reading img").bounding_box()
    assert drawn is not None
    red = page.locator('.quad[aria-label^="red"]').bounding_box()
    assert red is not None
    scale = drawn["width"] / WIDE
    assert abs(red["x"] + red["width"] / 2 - (drawn["x"] + RED_AT[0] * scale)) < 4
    assert abs(red["y"] + red["height"] / 2 - (drawn["y"] + RED_AT[1] * scale)) < 4
    phone.tap("Enter 25 points")
    expect(page.locator("h1")).to_have_text("Score from a photo")
    page = phone.open()
    columns = page.locator(".scores li", has_text="Ida").locator(".columns > li")
    expect(columns).to_have_count(4)

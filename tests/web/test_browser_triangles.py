"""A table of triangles, photographed with a phone or watched by a camera: real eyes, rules and pages."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from camera_table import LIGHT, CameraTable, served
from chromium import Phone
from playwright.sync_api import Page, expect
from test_browser_play import start

from companion.art.scene import Placed, Scene, View
from companion.art.scene.lattice import triangle

Phones = Callable[..., Phone]
SIZE = {"width": 390, "height": 844}
START = ("green", (0, 0))
IDA = (("green", (1, 0)), ("yellow", (0, 1)), ("red", (1, 1)))
CATCH = (("green", (1, -1)), ("green", (0, -1)))


def laid(cards: tuple[tuple[str, tuple[int, int]], ...], turn: float) -> list[Placed]:
    """The cards where people would lay them: the same spot each time, however many lie there."""
    return [
        triangle(label, at, np.random.default_rng([3, *map(abs, at)]), turn=turn, copy=i)
        for i, (label, at) in enumerate(cards)
    ]


def scores(page: Page, **players: str) -> None:
    """The page shows these scores."""
    for player, points in players.items():
        expect(page.locator(".scores li", has_text=player).locator(".score")).to_have_text(points)


def test_a_photograph_says_what_is_new(table: str, phones: Phones, tmp_path: Path) -> None:
    scene = Scene("trio_monsters", View(1280, 960, span=460.0, tilt=20.0), LIGHT, np.random.default_rng(5))
    phone = phones(table, viewport=SIZE)
    page = start(phone, "Trio Monsters", "Ida", "Jo")
    for number, cards in enumerate(((START,), (START, *IDA))):
        photo = tmp_path / f"{number}.jpg"
        # from another side each time: the known cards say how the table is turned
        cv2.imwrite(str(photo), np.asarray(scene.render(laid(cards, 10.0 + 75 * number)).image))
        phone.tap("Photograph the table")
        page.set_input_files("#table-photo", photo)
        fresh = len(cards) - number
        expect(page.locator(".triangles .new")).to_have_count(fresh)
        expect(page.locator(".triangles .known")).to_have_count(len(cards) - fresh)
        if number:
            page.get_by_role("button", name=re.compile("^red, row")).click()
            page.get_by_role("dialog").last.get_by_role("button", name="purple").click()
            phone.tap("Enter 3 cards")
        else:
            phone.tap("Enter 1 card")
        expect(page.locator(".lattice-table image")).to_have_count(len(cards))
    expect(page.locator(".lattice-table image[href$='purple.svg']")).to_have_count(1)
    phone.tap("Ida ends the turn")
    expect(page.locator("h2").first).to_have_text("Jo lays cards.")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[tuple[str, CameraTable]]:
    """The address of a table above which a camera hangs, and the camera."""
    camera = CameraTable("trio_monsters")
    with served(tmp_path, camera) as (address, _):
        yield address, camera


def test_a_camera_follows_the_cards_to_the_score(watched: tuple[str, CameraTable], phones: Phones) -> None:
    address, camera = watched
    phone = phones(address, viewport=SIZE)
    page = start(phone, "Trio Monsters", "Ida", "Jo")
    for many in (1, 2, 4):
        camera.show(laid((START, *IDA)[:many], 17.0))
        expect(page.locator(".lattice-table image")).to_have_count(many)
    expect(page.locator("h2").first).to_have_text("Ida lays cards.")
    camera.show(laid((START, *IDA, *CATCH), 17.0))
    expect(page.locator("#verdict")).to_contain_text("Jo caught 4 cards.")
    scores(page, Ida="0", Jo="4")

"""Setting the table up with the phone: zones, mat, lens and faults, behind the page and in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from api_client import REFEREE
from api_client import shown as page_snapshot
from camera_table import CameraTable, await_picture, served
from chromium import Phone
from flask.testing import FlaskClient
from playwright.sync_api import expect
from still_host import SAME, eventually

from companion.api.commands import NewGame
from companion.art.mat_sheet import mat_picture
from companion.art.scene.camera import View, homography
from companion.core.config import Config, parse
from companion.core.errors import Unavailable, Unreadable, UsageError
from companion.core.mat_layout import MATS
from companion.host.zones import Zones
from companion.runtime.app import App
from companion.vision.image.picture import Image

Phones = Callable[..., Phone]
GAME = "seven_merry_monsters"
SQUARE = [(0.2, 0.2), (0.6, 0.2), (0.6, 0.6), (0.2, 0.6)]


@pytest.fixture(scope="module")
def camera() -> CameraTable:
    return CameraTable(GAME)


@pytest.fixture
def table(camera: CameraTable, tmp_path: Path) -> Iterator[tuple[str, App]]:
    """Pages and app of a real table under that camera."""
    camera.row(["green 4", "red 6", "blue 1", "joker", "pink 2", "red 1"], columns=3)
    with served(tmp_path, camera) as both:
        yield both


def with_mat(turn: float = 0.0, tilt: float = 0.0) -> Image:
    """The mat on a dark table, seen from above or aslant."""
    mat = MATS["a3"]
    to_mm = np.array([[0.5, 0, -mat.width / 2], [0, 0.5, -mat.height / 2], [0, 0, 1]])
    matrix = homography(View(1280, 720, span=800.0, tilt=tilt, turn=turn)) @ to_mm
    image = cv2.warpPerspective(
        mat_picture(mat, 2.0), matrix, (1280, 720), flags=cv2.INTER_AREA, borderValue=(40, 60, 50)
    )
    return np.asarray(image * 0.85, np.uint8)


# --- zones ------------------------------------------------------------------------------------------------


def test_drawn_zones_come_before_configured_ones(tmp_path: Path) -> None:
    corners = "[[0, 0], [1, 0], [1, 1]]"
    config = parse(f"[zones.{GAME}]\ntrick = {corners}", [GAME])
    told: list[str] = []
    zones = Zones(config, tmp_path / "zones.json")
    zones.on_change(told.append)
    assert zones.source(GAME) == "configured"
    zones.draw(GAME, {"display:2": SQUARE})
    assert zones.source(GAME) == "drawn"
    again = Zones(config, tmp_path / "zones.json")
    assert again.of(GAME, ["Ida", "Jo"])["display:Jo"] == SQUARE
    assert again.of(GAME, ["Ida", "Jo"])["trick"] == [(0, 0), (1, 0), (1, 1)]
    assert "display:2" not in again.shapes(GAME, 1)
    again.reset(GAME)
    assert again.source(GAME) == "configured"
    assert told == [GAME]


@pytest.mark.parametrize(
    "shape", [SQUARE[:2], [(0.1, 0.1), (1.2, 0.1), (0.5, 0.5)], [(0.1, 0.1), (0.11, 0.1), (0.11, 0.11)]]
)
def test_what_is_no_zone_is_refused_and_nothing_written(
    tmp_path: Path, shape: list[tuple[float, float]]
) -> None:
    zones = Zones(Config(), tmp_path / "zones.json")
    with pytest.raises(UsageError):
        zones.draw(GAME, {"trick": shape})
    with pytest.raises(UsageError, match="no game"):
        zones.draw("chess", {"trick": SQUARE})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "[]", '{"version": 1, "zones": {"chess": {}}}'])
def test_a_broken_file_of_zones_is_said_to_be(tmp_path: Path, content: str) -> None:
    (tmp_path / "zones.json").write_text(content)
    with pytest.raises(Unreadable, match="draw them anew"):
        Zones(Config(), tmp_path / "zones.json").of(GAME, ["Ida"])


def test_a_game_under_way_sees_new_zones_at_once(table: tuple[str, App]) -> None:
    _, app = table
    app.host.command(NewGame(GAME, ("Ida", "Jo", "Kai")), REFEREE)
    told: list[dict[str, object]] = []
    app.eyes.set_zones = told.append  # type: ignore[method-assign, assignment]
    app.table_setup.draw(GAME, {"display:3": SQUARE})
    app.table_setup.draw("nasty_7", {"pile": SQUARE})
    assert [zones["display:Kai"] for zones in told] == [SQUARE]


# --- mat and lens -----------------------------------------------------------------------------------------


def test_zones_are_taken_from_the_mat(table: tuple[str, App], camera: CameraTable) -> None:
    _, app = table
    await_picture(app, camera.image)
    with pytest.raises(Unavailable, match="no mat"):
        app.table_setup.from_mat("nasty_7")
    camera.put(with_mat())
    await_picture(app, camera.image)
    state = app.table_setup.from_mat("nasty_7")
    assert (state.mat and state.mat.name, state.mat and len(state.mat.markers), state.source) == (
        "a3",
        10,
        "mat",
    )
    xs, ys = zip(*state.zones["pile"], strict=True)
    assert (min(xs), max(xs)) == pytest.approx((0.285, 0.715), abs=0.01)
    assert (min(ys), max(ys)) == pytest.approx((0.238, 0.762), abs=0.02)
    assert state.remembered


def test_the_lens_is_learned_from_the_mat(
    table: tuple[str, App], camera: CameraTable, tmp_path: Path
) -> None:
    _, app = table
    for turn, tilt in ((0, 30), (90, 30), (180, 35), (265, 25)):
        camera.put(with_mat(turn, tilt))
        await_picture(app, camera.image)
        state = app.table_setup.learn_lens("nasty_7")
    assert state.lens.pictures == 4
    assert not state.lens.helps, "this lens is straight: nothing is taken out"
    assert app.table_setup.straighten(camera.image) is camera.image
    assert app.table_setup.forget_lens().lens is None
    assert not (tmp_path / "lens.json").exists()


# --- faults -----------------------------------------------------------------------------------------------


def test_a_fault_is_told_when_it_stays(table: tuple[str, App], camera: CameraTable) -> None:
    _, app = table
    await_picture(app, camera.image)
    app.table_setup.remember()
    camera.put((camera.image * 0.15).astype(np.uint8))
    await_picture(app, camera.image)
    assert app.table_setup.examine() == ()
    assert [one.code for one in app.table_setup.examine()] == ["too_dark"]
    assert app.table_setup.state().findings[0].code == "too_dark"
    said = await_said(app, "It is too dark for the camera.")
    assert (said["sources"]["camera"]["up"], said["sources"]["camera"]["code"]) == (True, "too_dark")


def await_said(app: App, text: str) -> dict[str, Any]:
    """The snapshot once the table has said this."""
    shown: list[dict[str, Any]] = []

    def said() -> bool:
        shown.append(page_snapshot(app.host.snapshot()))
        announcement = shown[-1]["announcement"]
        return bool(announcement) and announcement["text"] == text

    eventually(said, f"the table has not said {text!r}")
    return shown[-1]


def test_zones_follow_the_mat_when_the_camera_is_bumped(table: tuple[str, App], camera: CameraTable) -> None:
    _, app = table
    camera.put(with_mat())
    await_picture(app, camera.image)
    before = app.table_setup.from_mat("nasty_7").zones["pile"]
    camera.put(np.ascontiguousarray(np.roll(with_mat(), 60, axis=1)))
    await_picture(app, camera.image)
    app.table_setup.check_picture()
    assert app.table_setup.check_picture() == {"camera_bumped"}
    after = app.table_setup.state("nasty_7")
    assert min(x for x, _ in after.zones["pile"]) - min(x for x, _ in before) == pytest.approx(
        60 / 1280, abs=0.004
    )
    assert after.source == "mat"
    app.table_setup.check_picture()
    assert app.table_setup.check_picture() == set(), "the view is remembered as it is now"


def test_guests_see_no_picture(guest: FlaskClient, referee: FlaskClient) -> None:
    assert b'"setup":null' in guest.get("/setup").data
    assert b'"camera":false' in referee.get("/setup").data
    for step in ("state", "draw", "mat", "look"):
        assert guest.post(f"/api/setup/{step}", json={}, headers=SAME).status_code == 403
    assert referee.post("/api/setup/nonsense", json={}, headers=SAME).status_code == 404
    bad = {"game": GAME, "zones": {"trick": "x"}}
    assert referee.post("/api/setup/draw", json=bad, headers=SAME).status_code == 400


def test_zones_are_drawn_with_a_thumb(
    table: tuple[str, App], camera: CameraTable, phones: Phones, tmp_path: Path
) -> None:
    url, app = table
    await_picture(app, camera.image)
    phone = phones(url, viewport={"width": 390, "height": 844}, has_touch=True)
    page = phone.open("/setup")
    expect(page.get_by_text("these are guessed")).to_be_visible()
    phone.tap("the trick")
    handle = page.get_by_role("button", name="Corner 1").bounding_box()
    assert handle is not None
    assert handle["width"] >= 48, "as large as a thumb"
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 39, y - 20, steps=4)
    page.mouse.up()
    phone.tap("Keep it")
    expect(page.get_by_text("You drew these zones.")).to_be_visible()
    kept = json.loads((tmp_path / "zones.json").read_text())["zones"][GAME]["trick"]
    assert kept[0] == pytest.approx([0.2 + 39 / 390, 0.2 - 20 / (390 * 9 / 16)], abs=0.02)
    assert kept[1:] == [[0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]
    phone.tap("What do you see?")
    expect(page.locator(".tag.right, .tag.unsure")).to_have_count(6)
    assert phone.overflow() == 0


def test_a_shine_is_shown_where_it_is(table: tuple[str, App], camera: CameraTable, phones: Phones) -> None:
    url, app = table
    y, x = np.mgrid[:720, :1280]
    glow = 500 * np.exp(-(((x - 900) / 70) ** 2) - ((y - 620) / 40) ** 2)
    camera.put(np.clip(camera.image + glow[..., None], 0, 255).astype(np.uint8))
    await_picture(app, camera.image)
    app.table_setup.examine()
    app.table_setup.examine()
    page = phones(url).open("/setup")
    expect(page.get_by_role("status").get_by_text("It is too shiny here.")).to_be_visible()
    picture, fault = page.locator(".seen").bounding_box(), page.locator(".tag.fault").bounding_box()
    assert picture is not None
    assert fault is not None
    at = (fault["x"] + fault["width"] / 2 - picture["x"]) / picture["width"]
    assert at == pytest.approx(900 / 1280, abs=0.03)

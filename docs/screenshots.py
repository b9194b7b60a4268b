"""Makes the screenshots of the documentation from games of the demo: `python docs/screenshots.py`.

Plays the programme of `companion demo` up to a certain step, through the real table and the real pages, and
photographs the pages in a headless Chromium. Needs the extra `dev` and a Chromium.
"""

from __future__ import annotations

import base64
import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
from playwright.sync_api import Browser, sync_playwright

from companion.api.commands import Caller, EnterEvent, NewGame, Request
from companion.commands.demo_night.programme import GamePlan, PlaceCard, Say, Tap, programme
from companion.core.config import Config
from companion.devices.inputs import Inputs
from companion.games.spotter import card_of
from companion.runtime.app import App
from companion.runtime.server import PagesServer
from companion.store.folder import DataFolder

IMAGES = Path(__file__).resolve().parent / "images"
STATIC = IMAGES.parents[1] / "web" / "static"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE = {"width": 360, "height": 740}
TELEVISION = {"width": 1280, "height": 720}
SCALE = 1.5
"""Pixels of the screenshot for each pixel of the page."""
WEBP_QUALITY = 75
"""Of 100: text stays sharp, the file stays below 80 kB."""
SHOTS = {"seven_merry_monsters": 20, "nasty_7": 8}
"""How many steps of each game are played before its screenshot."""
DISPLAYS_FULL = 34
"""After so many steps of Seven Merry Monsters every player has a display."""
MONSTERS = ("blue", "green", "orange", "pink", "purple", "red", "yellow", "joker")
FRAMED = '<div id="shots" style="display:inline-flex;gap:24px">{images}</div>'
ICON_PX = 180
ICON = (
    '<body style="margin:0;background:#15120e">'
    '<img width="{size}" height="{size}" src="data:image/svg+xml;base64,{data}">'
)
IMAGE = '<img style="width:360px;border-radius:20px" src="data:image/png;base64,{data}">'


def play(app: App, plan: GamePlan, steps: int) -> None:
    """Starts a game and plays its first steps; photographs and pauses are left out.

    Raises:
        RuntimeError: the table refused a step.
    """
    requests: list[Request] = [NewGame(plan.game, tuple(plan.players), plan.settings)]
    monsters = MONSTERS if plan.game == "seven_merry_monsters" else None
    for step in plan.steps[:steps]:
        if isinstance(step, PlaceCard):
            card = card_of(step.label, monsters)
            requests.append(EnterEvent({"event": "card_played", "player": step.player, "card": card}))
        elif isinstance(step, Say):
            requests.append(EnterEvent({"event": "heard", "words": step.call.split()}))
        elif isinstance(step, Tap):
            requests.append(EnterEvent(step.data))
    for request in requests:
        reply = app.table.command(request, Caller("referee"))
        if not reply.ok:
            raise RuntimeError(f"the table refused {request}: {reply}")


def photograph(
    browser: Browser, address: str, screen: Mapping[str, int] = PHONE, scale: float = SCALE
) -> bytes:
    """A PNG of a page as a screen shows it."""
    context = browser.new_context(viewport=dict(screen), device_scale_factor=scale, color_scheme="dark")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("main")
    page.wait_for_timeout(1200)  # animations of new cards
    picture = page.screenshot()
    context.close()
    return picture


def side_by_side(browser: Browser, pictures: Sequence[bytes]) -> bytes:
    """One PNG of several, with round corners on a transparent background."""
    images = "".join(IMAGE.format(data=base64.b64encode(one).decode()) for one in pictures)
    page = browser.new_page(device_scale_factor=SCALE, viewport={"width": 1200, "height": 800})
    page.set_content(FRAMED.format(images=images))
    return page.locator("#shots").screenshot(omit_background=True)


def smaller(png: bytes) -> bytes:
    """The picture as WebP: a sixth of the bytes, its transparent background kept."""
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    done, webp = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    if not done:
        raise RuntimeError("OpenCV cannot write WebP")
    return webp.tobytes()


@contextlib.contextmanager
def serving() -> Iterator[tuple[App, str]]:
    """A table without devices and the address of its pages."""
    with tempfile.TemporaryDirectory() as folder:
        config = Config()
        local = msgspec.structs.replace(config.pages, host="127.0.0.1", port=0, open_to_all=True)
        config = msgspec.structs.replace(config, pages=local)
        app = App(config, DataFolder(Path(folder)), inputs=Inputs())
        app.start()
        pages = PagesServer(app)
        pages.start()
        yield app, f"http://127.0.0.1:{pages.port}"
        app.stop()
        pages.stop()


def boards(browser: Browser) -> bytes:
    """The boards of two games on phones, side by side."""
    pictures = []
    for plan in programme():
        with serving() as (app, address):
            play(app, plan, SHOTS[plan.game])
            pictures.append(photograph(browser, f"{address}/"))
    return side_by_side(browser, pictures)


def evening(browser: Browser) -> dict[str, bytes]:
    """Name -> picture: the table view during a game and at its end, and the pages about past games."""
    plan = programme()[0]
    with serving() as (app, address):
        play(app, plan, DISPLAYS_FULL)
        television = photograph(browser, f"{address}/table", TELEVISION, 1.0)
        play(app, plan, len(plan.steps))
        winner = photograph(browser, f"{address}/table", TELEVISION, 1.0)
        play(app, programme()[1], SHOTS["nasty_7"])  # the game before it has ended then
        past = [f"{address}/past/2?step=20", f"{address}/players"]
        return {
            "television": television,
            "winner": winner,
            "past": side_by_side(browser, [photograph(browser, page) for page in past]),
        }


def home_screen_icon(browser: Browser) -> bytes:
    """The icon as a PNG, which phones from Apple need on their home screens. They round its corners."""
    page = browser.new_page(viewport={"width": ICON_PX, "height": ICON_PX})
    drawing = base64.b64encode((STATIC / "icon.svg").read_bytes()).decode()
    page.set_content(ICON.format(size=ICON_PX, data=drawing))
    return page.screenshot()


def main() -> None:
    """Writes the pictures into docs/images, and the icon beside the pages."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        pictures = {"board": boards(browser), **evening(browser)}
        for name, picture in pictures.items():
            (IMAGES / f"{name}.webp").write_bytes(smaller(picture))
        (STATIC / "apple-touch-icon.png").write_bytes(home_screen_icon(browser))
        browser.close()


if __name__ == "__main__":
    main()

"""A real Chromium, and phones in it that note every complaint and every address they ask for."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

NAMES = (
    "chromium-headless-shell",  # without the windows of a browser: the pages' tests take a third less time
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 360, "height": 740}
TABLET = {"width": 768, "height": 1024}
PATIENCE_MS = 60_000
"""A phone that has not changed after so long is not going to: a busy machine may take a tenth of that."""

SERVER_AWAY = ("net::ERR_", "status of 503")
"""What a browser says of a request whose server ends. How the request ends is chance: it is refused, reset,
cut off in the middle of its answer, left without any answer, or answered while the server stops."""

PRESSABLE = """button => Promise.allSettled(button.getAnimations()
    .filter(one => one.animationName === "unpressable").map(one => one.finished))"""
"""When a key that has just appeared takes taps."""


def press(button: Locator) -> None:
    """Clicks a button as soon as it takes taps.

    A key that has just appeared takes none (see `fresh` in lib/dom.js). The driver that meets one scrolls
    the page about to uncover it; where that scroll came between press and release, the tap was lost.
    """
    button.evaluate(PRESSABLE)
    button.click()


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of this machine; without one the test is skipped."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"no Chromium here: install one of {', '.join(NAMES)}")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=SWITCHES)
        yield browser
        browser.close()


PLAIN_HTTP = "delete Navigator.prototype.serviceWorker"
"""What a page sees that comes over plain HTTP from another machine, as on most phones at a table."""


class Phone:
    """One phone with a session of its own."""

    def __init__(self, browser: Browser, base: str, **settings: Any) -> None:
        self.base = base
        self.complaints: list[str] = []
        self._excused: tuple[str, ...] = ()
        keeps_pages = settings.pop("keeps_pages", False)
        self.context = browser.new_context(
            viewport=settings.pop("viewport", PHONE),  # type: ignore[arg-type]
            base_url=base,
            **{"color_scheme": "dark", "reduced_motion": "no-preference", **settings},
        )
        self.context.set_default_timeout(PATIENCE_MS)
        if not keeps_pages:
            self.context.add_init_script(PLAIN_HTTP)
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("console", lambda line: self._heard(line.type, line.text))
        self.page.on("request", lambda request: self._asked(request.url))

    def excuse(self, *texts: str) -> None:
        """Complaints with one of these texts are part of the test. Say so before: the console comes late."""
        self._excused += texts

    def excuse_server_away(self) -> None:
        """The server ends or cannot be reached in this test, in whichever way a request notices it."""
        self.excuse(*SERVER_AWAY)

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and not any(excused in text for excused in self._excused):
            self.complaints.append(f"{kind}: {text}")

    def _asked(self, url: str) -> None:
        if urlsplit(url).netloc != urlsplit(self.base).netloc:
            self.complaints.append(f"asked for {url}")

    def open(self, path: str = "/") -> Page:
        """Opens a page of the table and waits until it is drawn."""
        self.page.goto(path)
        self.page.wait_for_selector("main h1")
        return self.page

    def tap(self, name: str, exact: bool = True) -> None:
        """Taps the button, link or summary of this name, as soon as it takes taps."""
        press(self.page.get_by_role("button", name=name, exact=exact))

    def evaluate(self, function: str, argument: object = None) -> Any:
        """The value of a JavaScript function or expression on the page."""
        return self.page.evaluate(function, argument)

    def tap_at(self, x: float, y: float) -> None:
        """A finger touches the page there and leaves it."""
        self.page.touchscreen.tap(x, y)

    def escape(self) -> None:
        """Presses the Escape key."""
        self.page.keyboard.press("Escape")

    def seats(self, game: str, *players: str) -> Page:
        """A new game with players in their seats, not started yet."""
        page = self.open("/new")
        page.get_by_label(game).check()
        for name in players:
            page.get_by_label("Name of another player").fill(name)
            self.tap("Add")
        return page

    def overflow(self) -> int:
        """By how many pixels the page is wider than the screen."""
        return int(
            self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        )

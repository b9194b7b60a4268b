"""What the first page costs a phone that has never been here: `python -m bench.service.first_page`.

A real Chromium opens the board during a game: requests and bytes until the game is drawn and the network is
quiet, and the seconds until the scores stand there on 50 kB/s with 400 ms to the table and back. Bytes are
those that crossed the network, with headers, compressed as they are.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.report import options as results_option
from bench.report.estimates import median, single
from bench.report.results import record
from bench.service.pages import GAME, serving

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
QUIET_S = 1.0


class ColdVisit:
    """A phone without a cache, and what it has received."""

    def __init__(self, browser: Any, address: str, slow: bool) -> None:
        self.requests = 0
        self.bytes = 0
        self._context = browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True)
        page = self._context.new_page()
        network = self._context.new_cdp_session(page)
        network.send("Network.enable")
        if slow:
            network.send("Network.emulateNetworkConditions", SLOW)
        network.on("Network.requestWillBeSent", lambda _: self._count(1, 0))
        network.on("Network.loadingFinished", lambda done: self._count(0, done["encodedDataLength"]))
        begun = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(".scores b.score")
        self.seconds = time.perf_counter() - begun
        page.wait_for_timeout(1000 * QUIET_S)
        self._context.close()

    def _count(self, requests: int, received: float) -> None:
        self.requests += requests
        self.bytes += int(received)


def visits(address: str, times: int, slow: bool) -> Sequence[ColdVisit]:
    """So many visits, each in a new browser."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        found = [ColdVisit(browser, address, slow) for _ in range(times)]
        browser.close()
    return found


def main() -> None:
    """Prints the figures as rows of a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--visits", type=int, default=7)
    results_option.add(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), GAME) as running:
        address = f"http://127.0.0.1:{running.port}/"
        fast = visits(address, asked.visits, slow=False)
        slow = visits(address, asked.visits, slow=True)
    requests, received = (max(getattr(one, name) for one in fast) for name in ("requests", "bytes"))
    seconds = [one.seconds for one in slow]
    print(f"| first page | {requests} requests, {received / 1000:.1f} kB |")
    quick = statistics.median(one.seconds for one in fast)
    print(f"| the scores stand there, on this machine | {quick:.2f} s |")
    print(f"| the scores stand there, 50 kB/s, 400 ms | {statistics.median(seconds):.2f} s |")
    found = {
        "pages/first-requests": single(requests),
        "pages/first-bytes": single(received / 1000),
        "pages/first-slow": median(seconds),
    }
    record(asked.results, found)


if __name__ == "__main__":
    main()

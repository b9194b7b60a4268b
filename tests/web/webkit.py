"""WebKit, the engine of Safari, at the size of a phone: WebKitGTK's own browser, driven over W3C WebDriver.

Debian has both in the package webkit2gtk-driver. A screen is drawn in memory (xvfb).
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from free_port import free_port

DRIVER, DISPLAY = "WebKitWebDriver", "xvfb-run"
BROWSERS = "*/webkit2gtk-4.*/MiniBrowser"
PHONE = {"width": 360, "height": 740}
STARTS_S = 30.0
ESCAPE = "\ue00c"


def missing() -> str:
    """What has to be installed for WebKit; empty: it is there."""
    found = shutil.which(DRIVER) and shutil.which(DISPLAY) and any(Path("/usr/lib").glob(BROWSERS))
    return "" if found else "apt install webkit2gtk-driver xvfb"


class WebKitPhone:
    """One browser window and its page.

    Args:
        port: of the driver.
        base: address of the table.
        log: what the browser writes.
    """

    def __init__(self, port: int, base: str, dark: bool, log: IO[bytes]) -> None:
        self._driver = f"http://127.0.0.1:{port}"
        self._base = base
        self._log = log
        arguments = ["--automation", "--full-screen", "--enable-write-console-messages-to-stdout=true"]
        binary = str(next(Path("/usr/lib").glob(BROWSERS)))
        options = {"binary": binary, "args": arguments + ["--dark-mode"] * dark}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = self._call("POST", "/session", {"capabilities": wanted})["sessionId"]
        self._do("POST", "/window/rect", PHONE)

    def _call(self, method: str, path: str, data: object = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        header = {"Content-Type": "application/json"}
        request = urllib.request.Request(self._driver + path, body, header, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from error

    def _do(self, method: str, what: str, data: object = None) -> Any:
        return self._call(method, f"/session/{self._session}{what}", data)

    def open(self, path: str = "/") -> None:
        """Opens a page of the table and waits until it is drawn."""
        self._do("POST", "/url", {"url": self._base + path})
        until = time.monotonic() + STARTS_S
        while not self.evaluate("() => Boolean(document.querySelector('main h1'))"):
            assert time.monotonic() < until, f"{path} is not drawn"
            time.sleep(0.05)

    def evaluate(self, function: str, argument: object = None) -> Any:
        """The value of a JavaScript function, which may be asynchronous, or of an expression."""
        script = (
            "const [given, done] = arguments; (async () => { try {"
            f"  const found = ({function});"
            "  done({value: await (typeof found === 'function' ? found(given) : found)});"
            "} catch (error) { done({error: String(error)}); } })();"
        )
        reply = self._do("POST", "/execute/async", {"script": script, "args": [argument]})
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply.get("value")

    def tap_at(self, x: float, y: float) -> None:
        """A finger touches the page and leaves it."""
        where = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y), "origin": "viewport"}
        touch = [where, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": touch}
        self._do("POST", "/actions", {"actions": [finger]})

    def escape(self) -> None:
        """Presses the Escape key."""
        keys = [{"type": kind, "value": ESCAPE} for kind in ("keyDown", "keyUp")]
        self._do("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def screenshot(self) -> bytes:
        """The page as it is seen, as PNG."""
        return base64.b64decode(self._do("GET", "/screenshot"))

    def complaints(self) -> list[str]:
        """What the console of the browser said so far."""
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").splitlines()
        return [one for one in lines if one.startswith("CONSOLE") and not one.startswith("CONSOLE LOG")]

    def close(self) -> None:
        """Closes the window."""
        self._do("DELETE", "")


@contextmanager
def webkit(base: str, dark: bool = True) -> Iterator[WebKitPhone]:
    """A phone with WebKit at a table."""
    port = free_port()
    with TemporaryFile() as log:
        command = [DISPLAY, "-a", "-s", "-screen 0 400x800x24", DRIVER, "-p", str(port)]
        driver = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            until = time.monotonic() + STARTS_S
            while True:
                try:
                    phone = WebKitPhone(port, base, dark, log)
                    break
                except urllib.error.URLError:
                    assert time.monotonic() < until, "WebKitWebDriver does not start"
                    time.sleep(0.1)
            yield phone
            phone.close()
        finally:
            _end(driver)


def _end(driver: subprocess.Popen[bytes]) -> None:
    """Ends driver, browser and screen, which share a process group."""
    os.killpg(driver.pid, signal.SIGTERM)
    driver.wait()

"""Whole games entered by taps: what is tapped is found on the page, as a player would find it.

`Tappers` takes turns on several phones of the referee. Each page also notes what it was sent and what it has
sent, which `sent` and `entries` return.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

from chromium import Phone

SCRIPT = (Path(__file__).parent / "tapping.js").read_text(encoding="utf-8")
NEXT = "(now) => nextTap(now)"
SHOWN = "document.querySelector('main').innerText"
ENTERED = "watch.sent.map((one) => one.reply.seq ?? 0)"
MOST_TAPS = 6_000
STUCK = 40
"""So many times in a row nothing could be tapped: the page offers no way on."""


class TappedPage(Protocol):
    """A phone that shows the board, in whichever browser."""

    def evaluate(self, function: str, argument: object = None) -> Any:
        """The value of a JavaScript function or expression on the page."""

    def tap_at(self, x: float, y: float) -> None:
        """A finger touches the page and leaves it."""

    def escape(self) -> None:
        """Presses the Escape key."""


@dataclass(frozen=True)
class SentEvent:
    """An event as a page sent it, with the table's answer."""

    key: str
    event: dict[str, Any]
    ok: bool
    n: int | None


def prepare(phone: Phone) -> None:
    """Every page that the phone opens from now on notes what it receives and sends."""
    phone.context.add_init_script(SCRIPT)


def sent(page: TappedPage) -> list[SentEvent]:
    """What the page has sent since it was opened."""
    return [
        SentEvent(one["key"], one["event"], one["reply"]["ok"], one["reply"].get("n"))
        for one in page.evaluate("watch.sent")
    ]


def entries(page: TappedPage) -> list[tuple[int, int]]:
    """(game, number of entries) of each snapshot that the page has received."""
    return [tuple(map(int, one.split())) for one in page.evaluate("watch.entries")]


def logged(page: TappedPage) -> set[tuple[int, int]]:
    """(game, number) of each entry in the logs of these snapshots."""
    return {tuple(map(int, one.split())) for one in page.evaluate("[...watch.logged]")}


class Tappers:
    """Phones that enter a game in turn, one event each.

    Args:
        phones: they show the board, and SCRIPT ran before its scripts.
    """

    def __init__(self, phones: Sequence[TappedPage], random: Random) -> None:
        self._phones = phones
        self._random = random
        self._seq = 0
        """The journal's number that every phone must have seen before it taps."""

    def play(self, on_tap: Callable[[int], None] = lambda taps: None) -> int:
        """Taps until the game is decided; how many taps that took.

        Args:
            on_tap: called after each tap with the number of taps of this game.

        Raises:
            AssertionError: the pages offer no way on.
        """
        taps, stuck, turn, face = 0, 0, 0, ""
        events = [len(sent(phone)) for phone in self._phones]
        while taps < MOST_TAPS:
            page = self._phones[turn]
            chance = [self._random.random() for _ in range(3)]
            found = page.evaluate(NEXT, {"seq": self._seq, "chance": chance, "face": face})
            if found and found.get("over"):
                return taps
            entered = page.evaluate(ENTERED)
            if len(entered) > events[turn]:
                events[turn], self._seq = len(entered), max(self._seq, *entered)
                turn = (turn + 1) % len(self._phones)
                continue
            stuck = 0 if found else stuck + 1
            assert stuck < STUCK, f"nothing to tap: {page.evaluate(SHOWN)}"
            if not found:
                page.escape()
                continue
            face = found["face"]
            page.tap_at(*found["at"])
            taps += 1
            on_tap(taps)
        raise AssertionError(f"not over after {MOST_TAPS} taps")

"""Puts what the table says in order and hands it to buzzer, lamps and voice, each on a queue of its own.

A broken or slow output never delays a score: its queue is bounded, drops what nobody needs any more, and an
exception inside it is reported once instead of spreading.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.announce.codes import MEANINGS, Meaning, Priority
from companion.announce.phrases import Phrases
from companion.announce.rhythms import Rhythm
from companion.clock import Clock

REPEAT_S = 2.0
"""The same announcement within this time is said once."""

_UNKNOWN = Meaning("", Priority.NOTE)


class Announcement(msgspec.Struct, frozen=True):
    """A code with its parameters: never prose."""

    code: str
    params: dict[str, Any] = {}

    @property
    def priority(self) -> Priority:
        """How urgent it is."""
        return MEANINGS.get(self.code, _UNKNOWN).priority

    @property
    def rhythm(self) -> Rhythm | None:
        """How buzzer and lamps give it, None for silence."""
        return MEANINGS.get(self.code, _UNKNOWN).rhythm

    def as_json(self, phrases: Phrases) -> dict[str, Any]:
        """Code, text, parameters, priority and rhythm, as the pages get it."""
        return {
            "code": self.code,
            "text": phrases.text(self.code, self.params),
            "params": self.params,
            "priority": int(self.priority),
            "rhythm": self.rhythm,
        }


class Announcer:
    """Orders announcements by urgency, drops repeats and hands the rest to the outputs."""

    def __init__(self, clock: Clock, repeat_s: float = REPEAT_S) -> None:
        self._clock = clock
        self._repeat_s = repeat_s
        self._said: dict[bytes, float] = {}
        self._outputs: list[Output] = []

    def connect(self, output: Output) -> None:
        """From now on `output` gets what is announced."""
        self._outputs.append(output)

    def announce(self, announcements: Sequence[Announcement]) -> list[Announcement]:
        """Says what belongs together; returns what was said, the most urgent first.

        Of one batch the outputs get the most urgent one only: two rhythms at once are none.
        """
        now = self._clock()
        self._said = {key: t for key, t in self._said.items() if now - t < self._repeat_s}
        said = []
        for announcement in sorted(announcements, key=lambda one: -one.priority):
            key = msgspec.json.encode(announcement, order="deterministic")
            if key not in self._said:
                self._said[key] = now
                said.append(announcement)
        loud = [one for one in said if one.priority > Priority.ROUTINE]
        if loud:
            for output in self._outputs:
                output.put(loud[0])
        return said

    def forget(self) -> None:
        """What was said may be said again at once (after an undo the same finding may come back)."""
        self._said.clear()


class Output:
    """One buzzer, lamp or voice behind a bounded queue and a thread of its own."""

    def __init__(
        self,
        name: str,
        give: Callable[[Announcement], None],
        report: Callable[[str, Exception], None],
        size: int = 4,
    ) -> None:
        self.name = name
        self._give = give
        self._report = report
        self._queue: queue.Queue[Announcement | None] = queue.Queue(size)
        self._thread = threading.Thread(target=self._run, name=f"output {name}", daemon=True)
        self._failed = False

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def put(self, announcement: Announcement | None) -> None:
        """Takes an announcement at once; of too many the oldest is dropped."""
        while True:
            try:
                self._queue.put_nowait(announcement)
                return
            except queue.Full:
                try:
                    self._queue.get_nowait()
                except queue.Empty:
                    continue

    def stop(self, timeout: float = 1.0) -> None:
        """Ends the thread after what it is giving now."""
        self.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        while (announcement := self._queue.get()) is not None:
            try:
                self._give(announcement)
                self._failed = False
            except Exception as error:  # a broken output must not end the others; it is reported
                if not self._failed:
                    self._report(self.name, error)
                self._failed = True


def finding(verdict: Mapping[str, Any], event: Mapping[str, Any], limit: float | None = None) -> Announcement:
    """The announcement of one verdict of the referee, with what was said and what the limit was."""
    params = {key: value for key, value in verdict.items() if key not in ("n", "verdict", "rule")}
    if "words" in event:
        params["said"] = list(event["words"])
    if "cards" in verdict:
        params["count"] = len(verdict["cards"])
    if limit is not None:
        params["limit"] = limit
    return Announcement(str(verdict["verdict"]), params)

"""A table that is turned by hand: no thread, no sleep, a clock of the test's own, a real journal."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from api_client import answered, changed, request, shown

from companion.announce.announcer import Announcer
from companion.api.commands import Caller, Command, Request
from companion.core.call_policy import CallPolicy
from companion.core.message import message
from companion.core.observations import (
    HeardWord,
    Landing,
    Listened,
    Observation,
    Sighting,
    SourceChanged,
    Utterance,
    Watched,
)
from companion.core.weighing import Weigh, by_confidence
from companion.games.spotter import Expectation, Thresholds
from companion.store.journal import Journal
from companion.table.listener import NoListener
from companion.table.table import Table

START = 1000.0


class Listener(NoListener):
    """Keeps what the table expects."""

    def __init__(self) -> None:
        self.expectations: list[Expectation] = []

    def expectation_changed(self, expectation: Expectation) -> None:
        self.expectations.append(expectation)


class Bench:
    """A table on a test bench."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.sqlite"
        self.now = START
        self.given: list[str] = []
        self.listener = Listener()
        self.weigh: Weigh = by_confidence
        self.table = self.open()
        self.senses: list[str] = []

    def open(self) -> Table:
        table = Table(
            lambda: Journal(self.path),
            lambda: self.now,
            announcer=Announcer(lambda: self.now, 0.0),
            thresholds=Thresholds(calls=CallPolicy(unproven=frozenset({"fr"}))),
            listener=self.listener,
            weigh=lambda utterance, due: self.weigh(utterance, due),
        )
        table.open()
        self.queue = table.subscribe()
        return table

    def restart(self, pause: float = 300.0) -> None:
        """As after a power cut: nothing of the old table is closed or flushed."""
        self.now += pause
        self.table = self.open()

    # --- what happens, in seconds since START ---

    def at(self, seconds: float) -> "Bench":
        self.now = START + seconds
        return self

    def put(self, *observations: Observation) -> None:
        for observation in observations:
            self.table.submit(observation)
        self.step()

    def step(self) -> None:
        self.table.step()
        while not self.queue.empty():
            message = self.queue.get_nowait()
            if message is not None:
                self.given += [one["text"] for one in changed(message[1])["announcements"]]

    def do(self, name: str, **data: Any) -> dict[str, Any]:
        return self.ask(request(name, data), Caller("referee"))

    def ask(self, asked: Request, caller: Caller) -> dict[str, Any]:
        answer = self.table.ask(Command(self.now, asked, caller))
        self.step()
        for _ in range(200):
            if answer.done():
                break
            self.now += 0.05
            self.step()
        return answered(answer.result(0))

    def event(self, event: str, **fields: Any) -> dict[str, Any]:
        return self.ask(request("event", {"event": event, **fields}), Caller("referee"))

    def begin(self, game: str, *players: str, **settings: Any) -> dict[str, Any]:
        return self.do("new_game", game=game, players=list(players), settings=settings)

    def up(self, *sources: str) -> None:
        self.put(*(SourceChanged(self.now, source, True) for source in sources))
        self.senses += sources
        self.passed()

    def down(self, source: str, why: str = "source.recording_ended") -> None:
        self.senses.remove(source)
        self.put(SourceChanged(self.now, source, False, message(why)))

    def passed(self) -> None:
        """All senses have reported everything up to now."""
        marks: dict[str, Observation] = {"camera": Watched(self.now), "microphone": Listened(self.now)}
        self.put(*(marks[sense] for sense in self.senses if sense in marks))

    def lands(
        self,
        label: str | None,
        zone: str,
        confidence: float = 0.9,
        where: tuple[float, float] = (0.0, 0.0),
        arm: float | None = None,
    ) -> None:
        x, y = where
        corners = ((x, y), (x + 60, y), (x + 60, y + 90), (x, y + 90))
        sighting = None if label is None else Sighting(label, confidence, corners)
        self.put(Landing(self.now, zone, sighting, "picture-1", arm))
        self.passed()

    def says(self, *words: str, confidence: float = 0.99, length: float = 0.4) -> None:
        """Said from now on; reported 0.2 s after its end."""
        start, end = self.now, self.now + length
        self.now = end + 0.2
        each = length / max(1, len(words))
        heard = tuple(
            HeardWord(word, start + i * each, start + (i + 1) * each, confidence)
            for i, word in enumerate(words)
        )
        self.put(Utterance(heard, start, end, confidence))
        self.passed()

    # --- what is known ---

    @property
    def shown(self) -> dict[str, Any]:
        return shown(self.table.snapshot())

    @property
    def log(self) -> list[dict[str, Any]]:
        log: list[dict[str, Any]] = self.shown["log"]
        return log

    @property
    def verdicts(self) -> list[str]:
        return [verdict["verdict"] for entry in self.log for verdict in entry["verdicts"]]

    @property
    def rejected(self) -> list[tuple[int, str]]:
        return [(entry["n"], entry["rejected"]) for entry in self.log if entry["rejected"]]

    @property
    def questions(self) -> list[dict[str, Any]]:
        questions: list[dict[str, Any]] = self.shown["questions"]
        return questions


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.table.close()


@pytest.fixture
def benches(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Bench]:
    """Makes as many benches as a property test needs."""
    return lambda: Bench(tmp_path_factory.mktemp("bench"))

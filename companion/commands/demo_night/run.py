"""Runs the evening: the service gets the stage's camera and microphone, the phones send HTTP requests.

Only the players' hands and voices are simulated: vision, speech, table, journal and pages are those of
`companion serve`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import cv2
import requests

from companion.announce.render import TableRenderer
from companion.api.snapshot import Snapshot
from companion.commands.demo_night.programme import (
    AnswerQuestion,
    ExpectedResult,
    Photograph,
    PhotographTiles,
    PressButton,
    Step,
    Tap,
)
from companion.commands.demo_night.stage import Scheduled
from companion.commands.demo_night.stage_clock import StageClock
from companion.commands.reports import Report
from companion.core.clock import Clock
from companion.core.errors import CompanionError
from companion.core.events import Event
from companion.table.publisher import Subscription
from companion.table.story import phrases

PrintLine = Callable[[str], None]
"""Prints one line of progress."""
CATCH_UP_S = 30.0
"""Longest wait for a result that is not there yet, in seconds of real time."""
REPLY_STEP_S = 0.02
"""The time goes on by so many seconds while a phone waits as long for a reply."""
ANSWER_S = 60.0
"""Longest wait of a phone for an answer, in seconds of real time."""


class EveningFailed(CompanionError):
    """The evening did not end with the result of its programme."""


@dataclass(frozen=True)
class DemoPhone:
    """A phone on the table; it has only the address of the pages."""

    address: str

    def command(self, name: str, data: Event) -> Report:
        """Sends a command; returns the pages' answer."""
        return self._post(f"/api/command/{name}", json=data)

    def photograph(self, player: str, picture: Any) -> Report:
        """Sends a photograph of a player's display; returns the reading."""
        good, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
        if not good:
            raise EveningFailed("demo.no_photo")
        files = {"picture": ("display.jpg", jpeg.tobytes(), "image/jpeg")}
        return self._post("/api/photo", data={"player": player}, files=files)

    def _post(self, path: str, **body: Any) -> Report:
        origin = self.address.rstrip("/")
        answer = requests.post(origin + path, headers={"Origin": origin}, timeout=ANSWER_S, **body)
        read: Report = answer.json()
        return read


class Players:
    """Carries out taps, presses and photographs of the programme at their times and collects problems."""

    NAME = "players"

    def __init__(
        self,
        phone: DemoPhone,
        clock: StageClock,
        begun: float,
        scheduled: list[Scheduled],
        snapshot: Callable[[], Snapshot],
        photograph: Callable[[Photograph | PhotographTiles, str], Any],
        press: Callable[[str], None],
        print_line: PrintLine,
    ) -> None:
        self._phone = phone
        self._clock = clock
        self._begun = begun
        self._scheduled = scheduled
        self._snapshot = snapshot
        self._photograph = photograph
        self._press = press
        self._print_line = print_line
        self.problems: list[str] = []

    def play(self) -> None:
        """Plays all games; returns after the last step."""
        for game in self._scheduled:
            self._wait(game.start)
            plan = game.plan
            data = {"game": plan.game, "players": plan.players, "settings": plan.settings}
            self._tap("new_game", data if plan.position is None else {**data, "position": plan.position})
            for t, step in game.steps:
                self._do(t, step, plan.game)
            self._wait(game.end + 2.0)
            self._catch_up(plan.result)
            self._check(game)
        self._tap("end_game", {})

    def _catch_up(self, result: ExpectedResult) -> None:
        """Stops the time of the evening until the result is there: on a busy machine eyes and ears are
        late."""
        until = time.monotonic() + CATCH_UP_S
        while findings(self._snapshot()) != result and time.monotonic() < until:
            time.sleep(0.1)

    def _do(self, t: float, step: Step, game: str) -> None:
        """Carries out a step at its time. Cards, dice and calls are in the pictures and in the sound."""
        match step:
            case Tap():
                self._wait(t)
                self._tap(step.name, step.data)
            case AnswerQuestion():
                self._wait(t)
                self._answer(step)
            case PressButton():
                self._wait(t)
                self._press(step.button)
            case Photograph() | PhotographTiles():
                self._wait(t)
                self._send(step, game)
            case _:
                pass

    def _wait(self, moment: float) -> None:
        self._clock.wait(self.NAME, self._begun + moment)

    def _tap(self, name: str, data: Event) -> None:
        """Sends a tap. The table holds an event until everything before it is known, so the time goes on
        until the reply is there, but no faster than people wait for it: a busy machine replies late."""
        if name == "event":
            with ThreadPoolExecutor(1) as phone:
                sent = phone.submit(self._phone.command, name, data)
                while not wait([sent], timeout=REPLY_STEP_S).done:
                    self._clock.wait(self.NAME, self._clock() + REPLY_STEP_S)
                reply = sent.result()
        else:
            reply = self._phone.command(name, data)
        if not reply.get("ok"):
            self.problems.append(f"the tap {name} {data} was refused: {reply.get('text') or reply}")

    def _answer(self, step: AnswerQuestion) -> None:
        """Answers the question that the table has asked by now."""
        questions = self._snapshot().questions
        if len(questions) == 1:
            self._tap("answer", {"question": questions[0].id, "option": step.option})
        else:
            self.problems.append(f"{len(questions)} questions were open where one was to be answered")

    def _send(self, step: Photograph | PhotographTiles, game: str) -> None:
        reply = self._phone.photograph(step.player, self._photograph(step, game))
        if not reply.get("ok"):
            self.problems.append(f"{step.player}'s photograph was refused: {reply.get('text') or reply}")
            return
        reading = reply["reading"]
        if isinstance(step, PhotographTiles):
            laid, read, what = step.tiles, reading["tiles"], "tiles"
        else:
            laid = {name: len(cards) for name, cards in step.columns.items()}
            read = {name: column["cards"] for name, column in reading["display"].items()}
            what = "display"
        if read != laid:
            self.problems.append(f"{step.player}'s photograph was read as {read} instead of {laid}")
        doubt = f", unsure: {'; '.join(map(str, reading['unsure']))}" if reading["unsure"] else ""
        self._print_line(f"{step.player}'s {what} from a photograph: {reading['score']} points{doubt}")
        if isinstance(step, PhotographTiles):
            self._tap("event", {"event": "tiles_scored", "player": step.player, "tiles": read})

    def _check(self, game: Scheduled) -> None:
        shown = self._snapshot()
        found = findings(shown)
        wanted = game.plan.result
        if shown.game is None or found != wanted:
            self.problems.append(f"{game.plan.game} ended as {found}, its programme says {wanted}")


def findings(snapshot: Snapshot) -> ExpectedResult:
    """The result in a snapshot, in the form of a programme's result."""
    verdicts = [
        (verdict.player, verdict.verdict)
        for entry in snapshot.log
        if not entry.undone
        for verdict in entry.verdicts
        if verdict.verdict != "correct"
    ]
    return ExpectedResult(dict(snapshot.scores), list(snapshot.winner), verdicts)


def follow(messages: Subscription, print_line: PrintLine, clock: Clock) -> threading.Thread:
    """Prints the table's announcements, as the pages get them, until the service ends the subscription."""
    renderer = TableRenderer(phrases)

    def run() -> None:
        game, printed = None, 0
        while (message := messages.get()) is not None:
            change = renderer.change(message[1], "en")
            snapshot = change.snapshot
            if snapshot.game is not None and snapshot.game.id != game:
                game, printed = snapshot.game.id, 0
            for entry in snapshot.log:
                if entry.n > printed:
                    printed = entry.n
                    print_line(f"{clock():6.1f} s    {entry.text}")
            for announced in change.announcements:
                print_line(f"{clock():6.1f} s  {announced.text}")

    thread = threading.Thread(target=run, name="follower", daemon=True)
    thread.start()
    return thread

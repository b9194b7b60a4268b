"""A host that stands still: it shows what a test puts into it and remembers what it was asked for."""

import queue
import time
from collections.abc import Callable
from typing import Any

import msgspec

from companion.core.errors import CompanionError, Unreadable
from companion.games import games
from companion.host.game_facts import facts

Json = dict[str, Any]
PIN = "4711"
SAME = {"Origin": "http://localhost"}
JPEG = b"\xff\xd8\xff\xe0" + b"0" * 64


def eventually(true: Callable[[], object], why: str = "it has not come about") -> None:
    """Waits for what other threads or a browser bring about, on a busy machine as well."""
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline, why
        time.sleep(0.01)


def seats(*names: str) -> list[Json]:
    return [{"name": name, "colour": "#E69F00", "shape": "circle"} for name in names]


def nothing_yet() -> Json:
    return {
        "seq": 7,
        "game": None,
        "state": {},
        "scores": {},
        "winner": [],
        "phase": None,
        "turn": None,
        "log": [],
        "offers": [],
        "questions": [],
        "deadline": None,
        "sources": {
            "camera": {"up": False, "why": "no camera was found", "code": "library.words", "params": {}}
        },
        "announcement": None,
        "night": {"games": [], "standings": []},
    }


def scanning() -> Json:
    """A game in which displays are read; Ida's has been."""
    scan = {"event": "display_scanned", "player": "Ida", "display": {"red": {"cards": 2, "jokers": 0}}}
    return {
        **nothing_yet(),
        "game": {
            "id": 1,
            "name": "seven_merry_monsters",
            "title": "Seven Merry Monsters",
            "settings": {},
            "players": seats("Ida", "Jo", "Kai"),
        },
        "phase": "scan",
        "state": {"phase": "scan", "turn": None, "round": 1, "trick": 0, "table": [], "display": {}},
        "scores": {"Ida": 0, "Jo": 0, "Kai": 0},
        "log": [
            {"n": 1, "event": scan, "text": "Ida's display was read.", "verdicts": [], "undone": False},
            {"n": 2, "event": {**scan, "player": "Jo"}, "text": "", "verdicts": [], "undone": False},
        ],
        "questions": [
            {"id": "q1", "text": "?", "player": "Ida", "options": [{"id": "a", "label": "six"}]},
            {"id": "q2", "text": "?", "player": "Jo", "options": [{"id": "a", "label": "six"}]},
        ],
    }


class StillTable:
    """A table without a camera."""

    def state(self, game: str = "") -> Json:
        return {
            "camera": False,
            "game": "nasty_7",
            "games": [{"name": "nasty_7", "title": "The Nasty 7"}],
            "seats": 4,
            "zones": {},
            "source": "guessed",
            "mat": None,
            "findings": [],
            "remembered": False,
            "lens": None,
            "mats": 0,
        }


class StillDevices:
    """Two buttons, a buzzer, and a microphone that clips."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def state(self) -> Json:
        return {
            "findings": [
                {"name": "python", "there": True, "what": "3.11", "remedy": ""},
                {"name": "power", "there": False, "what": "too little voltage", "remedy": "a short cable"},
            ],
            "buttons": [
                {"name": "seat 1", "gpio": 5, "ago": 0.4},
                {"name": "referee", "gpio": 21, "ago": None},
            ],
            "outputs": ["buzzer"],
            "level": {"now": -3.0, "loudest": -0.1, "room": -30.0, "clipped": 0.02, "finding": "clipping"},
        }

    def try_out(self, name: str) -> None:
        if name != "buzzer":
            raise CompanionError(f"there is no {name}: name its pin in the configuration and start again")
        self.tried.append(name)

    def loop_back(self) -> Json:
        return {"by": "buzzer", "heard": True, "rise": 21.5}


class StillVoices:
    """Ida's voice is known; a lesson waits for its second word, and the next look finds it refused."""

    def __init__(self) -> None:
        self.taught = ["Ida"]
        self.lesson: Json | None = None
        self.outcome: Json | None = None

    def state(self) -> Json:
        return {"taught": self.taught, "lesson": self.lesson, "outcome": self.outcome}

    def begin(self, player: str) -> None:
        if not player:
            raise CompanionError("whose voice is it? name the player")
        self.lesson = {"player": player, "word": "five", "said": 1, "of": 24, "finding": "heard"}

    def stop(self) -> None:
        self.lesson = None

    def forget(self, player: str) -> None:
        self.taught.remove(player)


class StillSoundTraining:
    """A sound that is made once more at each look."""

    def __init__(self) -> None:
        self.left = 0

    def begin(self) -> Json:
        self.left = 2
        return self.state()

    def state(self) -> Json:
        now, self.left = self.left, max(0, self.left - 1)
        return {"left": now, "of": 3}

    def stop(self) -> Json:
        self.left = 0
        return self.state()


class StillPast:
    """One evening: a game that Ida won, one that was broken off."""

    def state(self) -> Json:
        game = {"name": "nasty_7", "title": "The Nasty 7", "players": ["Ida", "Jo"]}
        won = {**game, "id": 1, "started": "2026-11-20T19:00:00.000+00:00", "winner": ["Ida"]}
        left = {**game, "id": 2, "started": "2026-11-21T19:00:00.000+00:00", "winner": [], "scores": {}}
        return {
            "games": [
                {**left, "ended": "2026-11-21T19:20:00.000+00:00", "bgstats": None},
                {
                    **won,
                    "ended": "2026-11-20T19:20:00.000+00:00",
                    "scores": {"Ida": 0, "Jo": 12},
                    "bgstats": "https://app.bgstatsapp.com/createPlay.html?data=%7B%7D",
                },
            ],
            "records": [{"player": "Ida", "games": 1, "won": 1, "points": 1}],
        }

    def script(self, game: int) -> tuple[str, str]:
        if game != 1:
            raise Unreadable(f"there is no game {game}")
        return "1.jsonl", '{"game": "nasty_7"}\n'

    def table(self) -> str:
        return "night,game\r\n1,nasty_7\r\n"


class StillHost:
    history = StillPast()
    table_setup = StillTable()

    def __init__(self) -> None:
        self.device_test = StillDevices()
        self.voice_training = StillVoices()
        self.sound_training = StillSoundTraining()
        self.shown = nothing_yet()
        self.pin = PIN
        self.asked: list[tuple[str, Json, str]] = []
        self.reply: Json = {"ok": True}
        self.subscriptions: list[queue.Queue[tuple[int, Json] | None]] = []
        self.pictures: list[tuple[str, bytes]] = []
        self.fault: Exception | None = None

    def games(self, settings: bool = False) -> list[Json]:
        found: list[Json] = msgspec.to_builtins([facts(game, settings) for game in games()])
        return found

    def snapshot(self) -> Json:
        return self.shown

    def subscribe(self) -> queue.Queue[tuple[int, Json] | None]:
        subscription: queue.Queue[tuple[int, Json] | None] = queue.Queue()
        self.subscriptions.append(subscription)
        return subscription

    def unsubscribe(self, subscription: queue.Queue[tuple[int, Json] | None]) -> None:
        if subscription in self.subscriptions:
            self.subscriptions.remove(subscription)

    def publish(self, seq: int, **changed: Any) -> None:
        self.shown = {**self.shown, **changed, "seq": seq}
        for subscription in self.subscriptions:
            subscription.put((seq, {"kind": "change", "snapshot": self.shown, "announcements": []}))

    def command(self, name: str, data: Json, role: str) -> Json:
        if self.fault is not None:
            raise self.fault
        self.asked.append((name, data, role))
        return self.reply

    def read_dice(self, jpeg: bytes, count: int | None = None) -> Json:
        if self.fault is not None:
            raise self.fault
        return {"dice": [4, 4, 1, 2, 6][:count], "unsure": []}

    def read_photo(self, player: str, jpeg: bytes) -> Json:
        if b"broken" in jpeg:
            raise Unreadable("this picture is broken: take it again")
        self.pictures.append((player, jpeg))
        return {"id": "p1", "picture": "/photo/p1.jpg", "cards": [], "display": {}, "score": 0, "unsure": []}

    def photo(self, photo_id: str) -> bytes:
        if photo_id != "p1":
            raise CompanionError("there is no such photograph any more")
        return JPEG

    def points(self, display: Json, aside: int) -> Json:
        return {"points": 10 * len(display), "columns": dict.fromkeys(display, 10)}

    def why(self, n: int | None) -> Json:
        return {"file": f"/var/lib/companion/evidence/{n}.zip", "pictures": 3, "sound": True}

    def evidence(self, name: str) -> bytes:
        return b"PK" + name.encode()

    def join_url(self) -> str:
        return "http://192.168.1.20:8080/"

    def pin_ok(self, pin: str) -> bool:
        return pin == self.pin


class Tick:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

"""A host that stands still: it shows what a test puts into it and remembers what it was asked for."""

import queue
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
from api_client import as_json
from still_owner import still_owner
from still_seats import StillSeats

from companion.announce.announcement import Announcement
from companion.api.commands import PHONE_COMMANDS, Accepted, Caller, Refusal, Reply, Request
from companion.api.devices import DeviceFinding, DeviceState, LoopResult, SoundProgress, VoiceState
from companion.api.game_steps import GameSteps
from companion.api.games import GameFacts
from companion.api.history import GameHistory
from companion.api.photos import DicePhoto, DisplayPoints, KeptEvidence, PhotoReading
from companion.api.players import CallTimes, GameTally, HeadToHead, PlayerReport, PlayerReports
from companion.api.recordings import EveningFacts, RecordedEvenings
from companion.api.rules import GameRules, PossibleNow
from companion.api.snapshot import EventOffer, LogEntry, Snapshot, TableChange
from companion.api.stored import FileKind, StoredData, StoredGame
from companion.api.table_setup import TableSetupState
from companion.core.errors import CompanionError, Unavailable, Unreadable
from companion.core.message import message
from companion.games import games
from companion.host.game_facts import facts
from companion.host.game_rules import rules_of
from companion.host.pairing import Pairing
from companion.store.pairing import PairingFile
from companion.store.phones import PhoneRegistry

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


def snapshot(shown: Json) -> Snapshot:
    """A snapshot of JSON in which codes and parameters may be left out."""
    coded = {"code": "", "params": {}}
    questions = [{**coded, **question} for question in shown.get("questions", [])]
    latest = shown.get("announcement")
    announcement = latest and {**coded, "priority": 1, **latest}
    return msgspec.convert({**shown, "questions": questions, "announcement": announcement}, Snapshot)


class StillTable:
    """A table without a camera."""

    def state(self, game: str = "") -> TableSetupState:
        state = {
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
        return msgspec.convert(state, TableSetupState)


class StillDevices:
    """Two buttons, a buzzer, and a microphone that clips."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def state(self) -> DeviceState:
        state = {
            "findings": [
                {"name": "python", "there": True, "what": "3.11"},
                {
                    "name": msgspec.to_builtins(message("doctor.name_power")),
                    "there": False,
                    "what": msgspec.to_builtins(message("doctor.low_voltage_now")),
                    "remedy": msgspec.to_builtins(message("doctor.power_supply")),
                },
            ],
            "buttons": [
                {"name": "seat 1", "gpio": 5, "ago": 0.4},
                {"name": "referee", "gpio": 21, "ago": None},
            ],
            "outputs": ["buzzer"],
            "level": {
                "now": -3.0,
                "loudest": -0.1,
                "background": -30.0,
                "clipped": 0.02,
                "finding": "clipping",
            },
        }
        return msgspec.convert(state, DeviceState)

    def test_output(self, name: str) -> None:
        if name != "buzzer":
            raise CompanionError("output.missing", name=name)
        self.tried.append(name)

    def loop_back(self) -> LoopResult:
        return LoopResult("buzzer", True, 21.5)


class StillRecordings:
    """One evening is there; a recording adds another."""

    def __init__(self) -> None:
        self.on = False
        self.names = ["first"]

    def state(self) -> RecordedEvenings:
        began, size = "2026-03-01T20:00:00+00:00", 250_000_000
        found = [
            EveningFacts(name, began, 5400.0, size, 3, self.on and name == "second")
            for name in reversed(self.names)
        ]
        return RecordedEvenings(self.on, "/evenings", tuple(found))

    def start(self) -> RecordedEvenings:
        if self.on:
            raise Unavailable("recording.disk_full")
        self.on = True
        self.names.append("second")
        return self.state()

    def stop(self) -> RecordedEvenings:
        self.on = False
        return self.state()

    def forget(self, name: str) -> RecordedEvenings:
        if name not in self.names:
            raise Unavailable("evening.unknown", name=name)
        self.names.remove(name)
        return self.state()


class StillVoices:
    """Ida's voice is known; a lesson waits for its second word, and the next look finds it refused."""

    def __init__(self) -> None:
        self.taught = ["Ida"]
        self.lesson: Json | None = None
        self.outcome: Json | None = None

    def state(self) -> VoiceState:
        state = {"taught": self.taught, "lesson": self.lesson, "outcome": self.outcome}
        return msgspec.convert(state, VoiceState)

    def begin(self, player: str) -> None:
        if not player:
            raise CompanionError("teaching.nameless")
        self.lesson = {"player": player, "word": "five", "said": 1, "of": 24, "finding": "heard"}

    def stop(self) -> None:
        self.lesson = None

    def forget(self, player: str) -> None:
        self.taught.remove(player)


class StillSoundTraining:
    """A sound that is made once more at each look."""

    def __init__(self) -> None:
        self.left = 0

    def begin(self) -> SoundProgress:
        self.left = 2
        return self.state()

    def state(self) -> SoundProgress:
        now, self.left = self.left, max(0, self.left - 1)
        return SoundProgress(now, 3)

    def stop(self) -> SoundProgress:
        self.left = 0
        return self.state()


class StillPast:
    """One evening: a game that Ida won, one that was broken off."""

    def state(self) -> GameHistory:
        game = {"name": "nasty_7", "title": "The Nasty 7", "players": ["Ida", "Jo"]}
        won = {**game, "id": 1, "started": "2026-11-20T19:00:00.000+00:00", "winner": ["Ida"], "night": 1}
        left = {
            **game,
            "id": 2,
            "started": "2026-11-21T19:00:00.000+00:00",
            "winner": [],
            "scores": {},
            "night": 2,
        }
        state = {
            "games": [
                {**left, "ended": "2026-11-21T19:20:00.000+00:00", "bgstats": None, "points": {}},
                {
                    **won,
                    "ended": "2026-11-20T19:20:00.000+00:00",
                    "scores": {"Ida": 0, "Jo": 12},
                    "points": {"Ida": 1, "Jo": 0},
                    "bgstats": "https://app.bgstatsapp.com/createPlay.html?data=%7B%7D",
                },
            ],
            "records": [{"player": "Ida", "games": 1, "won": 1, "points": 1}],
            "senses": {
                "games": 2,
                "senses": [
                    {"sense": "camera", "right": 212, "total": 218, "asked": 4, "corrected": 2, "missed": 0},
                    {
                        "sense": "microphone",
                        "right": 80,
                        "total": 93,
                        "asked": 12,
                        "corrected": 0,
                        "missed": 1,
                    },
                ],
                "calls": [
                    {"player": "Ida", "right": 39, "total": 41},
                    {"player": "Jo", "right": 41, "total": 52},
                ],
                "advice": [
                    {"code": "trust.player_far", "params": {"player": "Jo", "right": 41, "total": 52}},
                ],
            },
        }
        return msgspec.convert(state, GameHistory)

    def open_file(self, name: str, text: str) -> str:
        raise Unreadable("game_file.empty")

    def file_steps(self, key: str, first: int) -> GameSteps:
        raise Unreadable("game_file.closed")

    def players(self) -> PlayerReports:
        seconds = (0.8, 1.4, 0.95)
        calls = (CallTimes(1, "2026-11-20T19:00:00.000+00:00", seconds),)
        ida = PlayerReport(
            "Ida", 1, 1, 1, (GameTally("nasty_7", "The Nasty 7", 1, 1),), (HeadToHead("Jo", 1, 1, 0),), calls
        )
        jo = PlayerReport(
            "Jo", 1, 0, 0, (GameTally("nasty_7", "The Nasty 7", 1, 0),), (HeadToHead("Ida", 1, 0, 1),), ()
        )
        return PlayerReports((ida, jo))

    def steps(self, game: int, first: int) -> GameSteps:
        raise Unreadable("game.unknown", game=game)

    def script(self, game: int) -> tuple[str, str]:
        if game != 1:
            raise Unreadable("game.unknown", game=game)
        return "1.jsonl", '{"game": "nasty_7"}\n'

    def table(self) -> str:
        return "night,game\r\n1,nasty_7\r\n"


class StillStored:
    """One game is stored; deleting it leaves none."""

    def __init__(self) -> None:
        self.games = (StoredGame(1, "The Nasty 7", "2026-03-01T20:00:00+00:00", ("Ida", "Jo"), False),)

    def state(self) -> StoredData:
        players = ("Ida", "Jo") if self.games else ()
        return StoredData("/var/lib/companion", self.games, players, (), ())

    def backup(self) -> tuple[str, bytes]:
        return "companion-2026-11-22.zip", b"PK-all"

    def forget_game(self, game: int) -> StoredData:
        self.games = tuple(one for one in self.games if one.id != game)
        return self.state()

    def forget_player(self, player: str) -> StoredData:
        return self.state()

    def forget_file(self, kind: FileKind, name: str) -> StoredData:
        return self.state()


class StillCodes(PairingFile):
    """The code is always PIN."""

    def __init__(self, host: "StillHost") -> None:
        self._host = host

    def fresh(self) -> tuple[str, float]:
        return self._host.pin, 600.0

    def shown(self) -> tuple[str, float]:
        return self.fresh()

    def use(self, code: str) -> bool:
        return code == self._host.pin


class StillPairing(Pairing):
    """Pairing as it is, in memory; the empty PIN lets everybody decide."""

    def __init__(self, host: "StillHost") -> None:
        phones = PhoneRegistry(None, b"k" * 32, lambda: datetime(2026, 11, 22, tzinfo=UTC))
        super().__init__(phones, StillCodes(host), lambda: 0.0, host.said.append, open_to_all=False)
        self._host = host

    def open_to_all(self) -> bool:
        return self._host.pin == ""


class StillHost:
    history = StillPast()
    table_setup = StillTable()

    def checks(self) -> tuple[DeviceFinding, ...]:
        what, remedy = message("doctor.no_answer", seconds=3), message("doctor.plug_in_again")
        return (DeviceFinding(message("doctor.name_camera"), False, what, remedy),)

    def __init__(self) -> None:
        self.owner = still_owner()
        self.device_test = StillDevices()
        self.voice_training = StillVoices()
        self.seat_training = StillSeats()
        self.recordings = StillRecordings()
        self.stored_data = StillStored()
        self.sound_training = StillSoundTraining()
        self.shown = nothing_yet()
        self.pin = PIN
        self.said: list[Announcement] = []
        self.pairing = StillPairing(self)
        self.asked: list[tuple[str, Json, str]] = []
        self.reply: Reply = Accepted()
        self.subscriptions: list[queue.Queue[tuple[int, TableChange] | None]] = []
        self.pictures: list[tuple[str, bytes]] = []
        self.fault: Exception | None = None

    def games(self, settings: bool = False) -> tuple[GameFacts, ...]:
        return tuple(facts(game, settings) for game in games())

    def rules(self, game: str, language: str) -> GameRules:
        return rules_of(game, language)

    def may(self, language: str) -> tuple[PossibleNow, ...]:
        return ()

    def log(self, before: int) -> tuple[LogEntry, ...]:
        return ()

    def offers_at(self, n: int) -> tuple[EventOffer, ...]:
        return ()

    def snapshot(self) -> Snapshot:
        return snapshot(self.shown)

    @property
    def published(self) -> Json:
        """What a page gets of the snapshot."""
        found: Json = as_json(self.snapshot())
        return found

    def subscribe(self) -> queue.Queue[tuple[int, TableChange] | None]:
        subscription: queue.Queue[tuple[int, TableChange] | None] = queue.Queue()
        self.subscriptions.append(subscription)
        return subscription

    def unsubscribe(self, subscription: queue.Queue[tuple[int, TableChange] | None]) -> None:
        if subscription in self.subscriptions:
            self.subscriptions.remove(subscription)

    def publish(self, seq: int, **changed: Any) -> None:
        self.shown = {**self.shown, **changed, "seq": seq}
        for subscription in self.subscriptions:
            subscription.put((seq, TableChange("change", self.snapshot(), ())))

    def command(self, request: Request, caller: Caller, key: str = "") -> Reply:
        if self.fault is not None:
            raise self.fault
        if caller.role != "referee":
            return Refusal("referee_only", "Only the referee can do that. Enter the code on the join page.")
        name = next(name for name, shape in PHONE_COMMANDS.items() if isinstance(request, shape))
        fields = as_json(request)
        self.asked.append((name, fields["event"] if name == "event" else fields, caller.role))
        return self.reply

    def read_dice(self, jpeg: bytes, count: int | None = None) -> DicePhoto:
        if self.fault is not None:
            raise self.fault
        return DicePhoto((4, 4, 1, 2, 6)[:count], ())

    def read_photo(self, player: str, jpeg: bytes) -> PhotoReading:
        if b"broken" in jpeg:
            raise Unreadable("picture.incomplete", name="picture")
        self.pictures.append((player, jpeg))
        return PhotoReading(player, "p1", "/photo/p1.jpg", (1600, 1200), (), 0, (), display={})

    def photo(self, photo_id: str) -> bytes:
        if photo_id != "p1":
            raise CompanionError("picture.not_kept")
        return JPEG

    def points(self, display: Json, aside: int) -> DisplayPoints:
        return DisplayPoints(10 * len(display), dict.fromkeys(display, 10))

    def why(self, n: int | None) -> KeptEvidence:
        return KeptEvidence(f"/var/lib/companion/evidence/{n}.zip", 3, True)

    def evidence(self, name: str) -> bytes:
        return b"PK" + name.encode()

    def join_url(self, host: str = "") -> str:
        return "http://192.168.1.20:8080/"


class Tick:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

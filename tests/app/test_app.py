"""The whole service in one process: devices that fail, buttons pressed, evidence asked for."""

import json
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api_client import REFEREE, answered, as_json, request
from api_client import shown as shown_as_json
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.api.commands import NewGame
from companion.api.photos import ColumnCount, DisplayPoints
from companion.core.config import Config, parse
from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.core.observations import Press
from companion.devices.inputs import Inputs
from companion.evidence.jpeg import small_jpeg
from companion.games import game_named, game_names
from companion.games.zone import default_zones
from companion.host.zones import Zones
from companion.runtime.app import App
from companion.store.folder import DataFolder
from hardware.streams import Block, Frame


class Stream:
    """Plays items; a callable is called (to raise or to wait)."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __iter__(self) -> Iterator[Any]:
        for item in self.items:
            yield item() if callable(item) else item

    def close(self) -> None:
        pass


class Bench:
    """An app and what it says."""

    def __init__(self, folder: Path, config: Config | None = None, inputs: Inputs | None = None) -> None:
        self.app = App(config or Config(), DataFolder(folder), inputs=inputs or Inputs())
        self.changes = self.app.table.subscribe()
        self.app.start()

    def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        snapshot = shown_as_json(self.app.host.snapshot())
        while not condition(snapshot):
            message = self.changes.get(timeout=60)
            assert message is not None
            snapshot = shown_as_json(message[1].snapshot)
        return snapshot

    def do(self, name: str, **data: Any) -> dict[str, Any]:
        return answered(self.app.host.command(request(name, data), REFEREE))


@pytest.fixture
def benches(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(config: Config | None = None, inputs: Inputs | None = None) -> Bench:
        made.append(Bench(tmp_path / f"data{len(made)}", config, inputs))
        return made[-1]

    yield make
    for bench in made:
        bench.app.stop()
        bench.app.stop()


def unplugged() -> Any:
    raise OSError("No such device")


def test_a_microphone_that_is_unplugged_is_shown_and_comes_back(benches: Callable[..., Bench]) -> None:
    block = Block(np.zeros(320, np.int16), 0.0, 16_000)
    streams = [Stream(block, unplugged), Stream(block)]
    bench = benches(inputs=Inputs(microphone=lambda: streams.pop(0)))
    bench.until(lambda s: s["sources"].get("microphone", {}).get("why") == "No such device")
    bench.until(lambda s: s["sources"].get("microphone", {}).get("why") == "the recording has ended")
    assert bench.app.healthy()


def test_a_device_that_is_missing_stops_nothing_else(benches: Callable[..., Bench]) -> None:
    def missing() -> Any:
        raise Unavailable("camera.webcam_silent")

    bench = benches(inputs=Inputs(camera=missing))
    bench.until(lambda s: s["sources"].get("camera", {}).get("why", "").endswith("still plugged in?"))
    assert bench.do("new_game", game="nasty_7", players=["Ida", "Jo"], settings={})["ok"]
    assert bench.app.healthy()


@pytest.fixture
def pins() -> Iterator[Any]:
    saved = Device.pin_factory
    Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = saved


def test_a_press_is_judged_and_a_finding_sounds(benches: Callable[..., Bench], pins: Any) -> None:
    config = parse(
        "[buttons]\nseats = [17, 27, 22]\nreferee = 23\n[buzzer]\npin = 18\n[lamps]\nrgb = [5, 6, 13]",
        game_names(),
    )
    bench = benches(config)
    assert bench.do("new_game", game="nasty_7", players=["Ida", "Jo", "Kai"], settings={"deck_size": 30})[
        "ok"
    ]
    for event in (
        {"event": "card_played", "player": "Ida", "card": "racketeer"},
        {"event": "heard", "words": ["one"]},
    ):
        assert bench.do("event", **event)["ok"]
    pins.pin(22).drive_low()
    shown = bench.until(lambda s: any(entry["event"]["event"] == "accused" for entry in s["log"]))
    assert shown["log"][-1]["event"]["by"] == ["Kai"]
    assert shown["log"][-1]["verdicts"][0]["text"] == "Kai doubted the call. It was right."
    bench.app.stop()
    assert {int(state.state) for state in pins.pin(18).states} == {0, 1}
    assert pins.pin(18).states[-1].state == 0


def test_a_pin_that_cannot_be_used_is_a_finding(benches: Callable[..., Bench], monkeypatch: Any) -> None:
    saved = Device.pin_factory
    Device.pin_factory = None
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    bench = benches(parse("[buzzer]\npin = 18", game_names()))
    shown = bench.until(lambda s: "buzzer" in s["sources"])
    assert "no GPIO" in shown["sources"]["buzzer"]["why"]
    Device.pin_factory = saved


def test_two_apps_cannot_have_the_same_data(tmp_path: Path) -> None:
    first = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    first.start()
    with pytest.raises(Unavailable, match="are in use by"):
        App(Config(), DataFolder(tmp_path), inputs=Inputs()).start()
    first.stop()
    again = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    again.start()
    again.stop()


def test_a_journal_that_cannot_be_opened_leaves_nothing_running(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.sqlite") as newer:
        newer.execute("CREATE TABLE invented_later (x)")
        newer.execute("PRAGMA user_version=99")
    newer.close()
    app = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    with pytest.raises(CompanionError, match="newer companion"):
        app.start()
    folder = DataFolder(tmp_path)
    folder.lock()
    folder.unlock()
    assert not app.healthy()


def test_why_writes_a_bundle_and_nothing_else_does(benches: Callable[..., Bench]) -> None:
    bench = benches()
    with pytest.raises(Unavailable, match="no game"):
        bench.app.host.why()
    bench.do("new_game", game="nasty_7", players=["Ida", "Jo"], settings={})
    bench.do("event", event="card_played", player="Ida", card="racketeer")
    bench.app.evidence.see(np.zeros((720, 1280, 3), np.uint8), bench.app.clock())
    bench.app.evidence.hear(np.ones(320, np.int16), bench.app.clock(), 16_000)
    bench.do("event", event="heard", words=["two"])
    for nothing in (0, 3, -1):
        with pytest.raises(Unavailable, match=f"there is no move {nothing} in this game"):
            bench.app.host.why(nothing)
    assert not bench.app.data.evidence.exists()
    told = bench.app.host.why(2)
    with zipfile.ZipFile(told.file) as opened:
        assert json.loads(opened.read("about.json"))["n"] == 2
        assert len(opened.read("script.jsonl").splitlines()) == 3
        assert sum(name.startswith("frames/") for name in opened.namelist()) == 1
    assert told.sound


def test_games_say_what_can_be_set(benches: Callable[..., Bench]) -> None:
    games = {game.name: game for game in benches().app.host.games(settings=True)}
    nasty = games["nasty_7"]
    assert (nasty.title, nasty.seats) == ("The Nasty 7", (2, 6))
    limit = next(one for one in nasty.settings if one.name == "hesitation_s")
    assert limit.default == 3.0
    assert limit.help
    enforcement = next(one for one in nasty.settings if one.name == "enforcement")
    assert enforcement.choices == ("automatic", "on_accusation")


def test_points_of_a_display_are_counted_without_entering_it(benches: Callable[..., Bench]) -> None:
    host = benches().app.host
    display = {"red": ColumnCount(1, 0), "blue": ColumnCount(3, 1)}
    assert host.points(display, 0) == DisplayPoints(None, {})
    new = {"game": "seven_merry_monsters", "players": ["Ida", "Jo", "Kai"], "settings": {"tracking": "scan"}}
    host.command(request("new_game", new), REFEREE)
    assert host.points(display, 0) == DisplayPoints(13, {"red": 10, "blue": 3})
    assert host.points({}, 2) == DisplayPoints(2, {})


def test_a_code_makes_one_phone_the_referees(benches: Callable[..., Bench]) -> None:
    pairing = benches().app.host.pairing
    code = pairing.fresh().code
    assert not pairing.enter("", "Ida", "Android")
    assert not pairing.enter("12345", "Ida", "Android")
    assert pairing.enter(code, "Ida", "Android")
    assert pairing.is_referee("Ida")
    assert not pairing.enter(code, "Jo", "iPhone"), "it is void"
    assert benches(parse("[pages]\nopen_to_all = true", game_names())).app.host.pairing.open_to_all()


def test_a_press_makes_the_phone_that_asked_the_referees(benches: Callable[..., Bench]) -> None:
    app = benches().app
    app.pressed(Press(app.clock(), "referee"))
    assert not app.host.pairing.is_referee("Ida")
    app.host.pairing.ask("Ida", "Android")
    app.pressed(Press(app.clock(), "referee"))
    assert app.host.pairing.is_referee("Ida")


def test_pictures_are_kept_small_and_forgotten(benches: Callable[..., Bench]) -> None:
    import cv2

    app = benches().app
    kept = app.photos.keep(small_jpeg(np.full((1080, 1920, 3), 200, np.uint8)))
    image = cv2.imdecode(np.frombuffer(app.host.photo(kept), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (540, 960, 3)
    with pytest.raises(Unavailable, match="not kept any more"):
        app.host.photo("guessed")


def test_zones_are_named_by_player(tmp_path: Path) -> None:
    corners = "[[0, 0], [1, 0], [1, 1]]"
    config = parse(f'[zones.seven_merry_monsters]\ntrick = {corners}\n"display:2" = {corners}', game_names())
    game, players = "seven_merry_monsters", ["Ida", "Jo", "Kai"]
    nothing_drawn = tmp_path / "zones.json"
    assert sorted(Zones(config, nothing_drawn).of(game, players)) == ["display:Jo", "trick"]
    assert list(Zones(Config(), nothing_drawn).of(game, players)) == [
        "trick",
        "display:Ida",
        "display:Jo",
        "display:Kai",
    ]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_on_a_table_that_nobody_has_set_up_every_spot_belongs_to_the_nearest_seat(seats: int) -> None:
    cv2 = pytest.importorskip("cv2")
    shapes = default_zones(game_named("seven_merry_monsters").zones, seats)
    displays = [shapes[f"display:{seat + 1}"] for seat in range(seats)]
    assert len(shapes) == seats + 1
    for x, y in np.random.default_rng(seats).uniform(-0.49, 0.49, (200, 2)):
        turn = np.degrees(np.arctan2(y, x)) - 90.0
        nearest = int(np.round(turn / (360.0 / seats))) % seats
        inside = [
            cv2.pointPolygonTest(np.array(shape, np.float32), (x + 0.5, y + 0.5), measureDist=True)
            for shape in displays
        ]
        assert inside[nearest] > -0.001
        assert sum(value > 0.001 for value in inside) <= 1


def test_the_pile_has_no_displays_and_a_photographed_game_no_zones() -> None:
    assert list(default_zones(game_named("nasty_7").zones, 3)) == ["pile"]
    assert list(default_zones(game_named("trio_monsters").zones, 3)) == ["table"]
    assert default_zones(game_named("bugs_and_co").zones, 3) == {}


def test_pictures_of_the_camera_reach_the_eyes(benches: Callable[..., Bench]) -> None:
    frames = [Frame(np.zeros((48, 64, 3), np.uint8), float(i)) for i in range(3)]
    bench = benches(inputs=Inputs(camera=lambda: Stream(*frames), lossless=True))
    bench.until(lambda s: s["sources"].get("camera", {}).get("why") == "the recording has ended")


def test_a_call_is_heard_by_the_real_recogniser_and_judged(benches: Callable[..., Bench]) -> None:
    """A card by phone, the call through the microphone, the model and Vosk."""
    import threading
    import time

    from companion.commands.demo_night.voices import RecordedVoices
    from companion.core.clock import monotonic
    from hardware.simulated import SimulatedMicrophone, waiting

    speak = threading.Event()
    call = RecordedVoices()("Ida", "one")

    def sound() -> Iterator[Any]:
        quiet = np.random.default_rng(7)
        while not speak.is_set():
            yield quiet.normal(0, 20, 320).astype(np.int16)
        for start in range(0, len(call), 320):
            yield call[start : start + 320]
        for _ in range(150):
            yield quiet.normal(0, 20, 320).astype(np.int16)

    def microphone() -> SimulatedMicrophone:
        return SimulatedMicrophone(sound(), monotonic(), waiting(monotonic, time.sleep))

    bench = benches(inputs=Inputs(microphone=microphone))
    bench.do("new_game", game="nasty_7", players=["Ida", "Jo"], settings={"deck_size": 20})
    bench.until(lambda s: s["sources"].get("microphone", {}).get("up", False))
    assert bench.do("event", event="card_played", player="Ida", card="racketeer")["ok"]
    speak.set()
    shown = bench.until(lambda s: any(entry["source"] == "microphone" for entry in s["log"]))
    (heard,) = [entry for entry in shown["log"] if entry["source"] == "microphone"]
    assert heard["event"]["words"] == ["one"]
    assert [verdict["verdict"] for verdict in heard["verdicts"]] == ["correct"]


def test_a_photographed_display_is_read_and_drawn(benches: Callable[..., Bench]) -> None:
    """A rendered photograph goes through the real eyes; what they saw is counted as the rules count."""
    import cv2

    from companion.art.scene import Conditions, Scene, View, display, fitted

    columns = {"red": ["red 1", "red 4", "joker"], "blue": ["blue 2"]}
    rng = np.random.default_rng(3)
    cards = display(columns, rng)
    view = fitted(cards, View(1800, 1350))
    image = Scene("seven_merry_monsters", view, Conditions(), rng).render(cards).image
    jpeg = bytes(cv2.imencode(".jpg", image)[1].tobytes())
    bench = benches()
    with pytest.raises(Unavailable, match="no game"):
        bench.app.host.read_photo("Ida", jpeg)
    settings = {"tracking": "scan"}
    bench.do("new_game", game="seven_merry_monsters", players=["Ida", "Jo", "Kai"], settings=settings)
    with pytest.raises(CompanionError):
        bench.app.host.read_photo("Ida", b"no picture")
    reading = bench.app.host.read_photo("Ida", jpeg)
    assert reading.display == {
        "red": ColumnCount(3, 1),
        "blue": ColumnCount(1, 0),
    }
    assert reading.score == bench.app.host.points(reading.display, 0).points == 13
    # A card whose number is not sure has its monster's name alone.
    names = sorted(card.label for card in reading.cards)
    assert [name.partition(" ")[0] for name in names] == ["blue", "joker", "red", "red"]
    assert set(names) <= {"blue", "red", *columns["blue"], *columns["red"]}
    assert {card.monster for card in reading.cards} == {"red", "blue"}
    drawn = cv2.imdecode(np.frombuffer(bench.app.host.photo(reading.id), np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert drawn.shape[1] == 1600
    assert all(0 <= x <= 1600 and 0 <= y <= 1200 for card in reading.cards for x, y in card.corners)
    assert "joker" in reading.labels
    assert bench.do("event", event="display_scanned", player="Ida", display=as_json(reading.display))["ok"]


def test_a_deck_that_cannot_be_read_leaves_the_game_playable(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    (folder.decks / "nasty_7").mkdir(parents=True)
    (folder.decks / "nasty_7" / "deck.npz").write_bytes(b"broken")
    bench = Bench(tmp_path)
    assert bench.do("new_game", game="nasty_7", players=["Ida", "Jo"], settings={})["ok"]
    shown = bench.until(lambda s: s["game"] is not None and "camera" in s["sources"])
    assert "enrol the deck again" in shown["sources"]["camera"]["why"]
    assert bench.do("event", event="card_played", player="Ida", card="gun")["ok"]
    bench.app.stop()


def test_a_configured_deck_that_is_not_there_is_said_at_the_start(tmp_path: Path) -> None:
    app = App(parse('[decks]\nnasty_7 = "grandma"', game_names()), DataFolder(tmp_path), inputs=Inputs())
    with pytest.raises(UsageError, match=r"decks\.nasty_7: there is no deck grandma: enrol it"):
        app.start()


def test_what_listens_to_the_table_cannot_break_it(
    benches: Callable[..., Bench], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = benches()

    def broken(*what: object) -> None:
        raise RuntimeError("no such output")

    monkeypatch.setattr(bench.app.attention, "finding_made", broken)
    bench.do("new_game", game="nasty_7", players=["Ida", "Jo"], settings={})
    bench.do("event", event="card_played", player="Ida", card="racketeer")
    assert bench.do("event", event="heard", words=["two"])["ok"]
    assert bench.do("undo")["ok"]
    assert "no such output" in caplog.text


def test_a_game_is_on_the_table_again_before_any_sense_is_started(tmp_path: Path) -> None:
    first = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    first.start()
    first.table.command(NewGame("nasty_7", ("Ida", "Jo")), REFEREE)
    first.stop()
    opened: list[str] = []

    def open_camera() -> Any:
        opened.append("camera")
        return Stream()

    again = App(Config(), DataFolder(tmp_path), inputs=Inputs(camera=open_camera))
    try:
        again.start_table()
        assert again.host.snapshot().game.name == "nasty_7"
        assert opened == []
        assert not again.healthy(), "the watchdog is not fed for a service that neither sees nor hears"
        again.start_senses()
        assert again.healthy()
    finally:
        again.stop()

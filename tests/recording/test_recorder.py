"""The recorder: what it writes, what it refuses, and that it never delays a game."""

import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from companion.api.commands import Accepted, Caller, Command, EnterEvent, NewGame, Reply, StopClock, Undo
from companion.core.clock import VirtualClock
from companion.core.config import Config, RecordingConfig
from companion.core.errors import Unavailable, Unreadable
from companion.core.message import Message
from companion.core.observations import Landing, Press, SourceChanged, Watched
from companion.recording import format as files
from companion.recording import library, media, recorder
from companion.recording.reader import BlockRead, FrameRead, RecordedEvening
from companion.recording.recorder import Recorder
from companion.recording.setup import Equipment, file_hash
from companion.store.folder import DataFolder
from companion.store.journal import Journal, JournalFailed
from hardware.streams import ArraySound, Block, Frame

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)
REFEREE = Caller("referee")


def picture(value: int = 90, size: tuple[int, int] = (64, 48)) -> Any:
    image = np.full((size[1], size[0], 3), value, np.uint8)
    image[10:30, 10 + value % 20 : 40] = (200, 40, 90)
    return image


class Table:
    """A recorder with its own clock and data."""

    def __init__(self, folder: Path, **limits: Any) -> None:
        self.clock = VirtualClock(50.0)
        self.data = DataFolder(folder / "data")
        self.data.create()
        self.decks: dict[str, Path] = {}
        self.failed: list[Message] = []
        self.ended = threading.Event()
        config = Config(recording=RecordingConfig(keep_free_mb=0, **limits))
        self.recorder = Recorder(
            folder / "evenings",
            config,
            self.data,
            lambda: Equipment(self.decks, {}, folder / "shipped"),
            self.clock,
            lambda: NOW,
            lossless=True,
        )

    def start(self, **more: Any) -> None:
        self.recorder.start(ended=self._ended, **more)

    def stop(self) -> RecordedEvening:
        self.recorder.stop(60.0)
        assert self.recorder.evening is not None
        return RecordedEvening(self.recorder.evening)

    def frame(self, t: float, image: Any = None) -> None:
        self.clock.set(t)
        self.recorder.frame(Frame(picture() if image is None else image, t))

    def _ended(self, why: Message) -> None:
        self.failed.append(why)
        self.ended.set()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.recorder.stop()


def test_what_reached_the_service_is_read_again(table: Table) -> None:
    rng = np.random.default_rng(3)
    sound = rng.integers(-900, 900, 960).astype(np.int16)
    table.start()
    table.frame(50.5)
    table.recorder.block(Block(sound, 50.44, 16_000))
    table.recorder.block(Block(sound[::-1].copy(), 50.9, 16_000, gap=True))
    table.recorder.pressed(Press(50.6, "seat 1"))
    table.recorder.source_changed(SourceChanged(50.7, "camera", True))
    table.recorder.own_sound(50.7, 51.0)
    table.recorder.worked("eyes", 50.5, True)
    table.recorder.zones_changed("nasty_7", {"pile": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]})
    table.recorder.reported(Landing(50.5, "pile", None))
    table.recorder.reported(Watched(50.5))
    table.recorder.sound_repeats(2)
    table.frame(51.0, picture(60))
    evening = table.stop()
    found = list(evening.happenings())
    frames = [one for one in found if isinstance(one, FrameRead)]
    assert [one.frame.t for one in frames] == [50.5, 51.0]
    for one, value in zip(frames, (90, 60), strict=True):
        assert np.abs(one.frame.image.astype(int) - picture(value)).mean() < 4.0
    blocks = [one.block for one in found if isinstance(one, BlockRead)]
    assert np.array_equal(blocks[0].samples, sound)
    assert np.array_equal(blocks[1].samples, sound[::-1])
    assert [(one.t, one.rate, one.gap) for one in blocks] == [(50.44, 16_000, False), (50.9, 16_000, True)]
    rest = [one for one in found if not isinstance(one, FrameRead | BlockRead)]
    assert rest == [
        files.PressArrived(50.5, Press(50.6, "seat 1")),
        files.SourceReported(50.5, SourceChanged(50.7, "camera", True)),
        files.OwnSound(50.5, 50.7, 51.0),
        files.Worked(50.5, "eyes", 50.5, True),
        files.ZonesChanged(50.5, "nasty_7", {"pile": [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]}),
        files.Reported(50.5, Landing(50.5, "pile", None)),
        files.SoundRepeats(50.5, 2),
    ]
    assert evening.manifest.totals == files.Totals(2, 0, 2, 1.0)
    assert evening.manifest.ended is not None
    assert evening.cut_off is None


@pytest.mark.parametrize(
    "request_sent",
    [
        NewGame("nasty_7", ("Ida", "Jo"), {"deck_size": 12}),
        NewGame("nasty_7", ("Ida", "Jo"), over=None),
        EnterEvent({"event": "card_played", "player": "Ida", "card": "gun"}),
        Undo(3),
        StopClock(),
    ],
)
def test_commands_are_recorded_with_their_replies(table: Table, request_sent: Any) -> None:
    table.start()
    answer: Future[Reply] = Future()
    table.recorder.command(Command(50.25, request_sent, REFEREE), answer)
    answer.set_result(Accepted(n=4))
    sent, replied = list(table.stop().items())
    assert isinstance(sent, files.CommandArrived)
    assert files.request_read(sent.name, sent.body) == request_sent
    assert (sent.at, sent.caller) == (50.25, REFEREE)
    assert isinstance(replied, files.CommandReplied)
    assert (replied.number, bytes(replied.reply)) == (sent.number, b'{"ok":true,"n":4}')


def test_nothing_is_recorded_before_and_after(table: Table, tmp_path: Path) -> None:
    table.frame(50.1)
    table.recorder.pressed(Press(50.1, "seat 1"))
    assert not (tmp_path / "evenings").exists()
    table.start()
    table.frame(50.2)
    evening = table.stop()
    table.frame(50.3)
    assert len(list(evening.items())) == 1
    table.start()
    assert table.stop().folder != evening.folder
    assert len(library.evenings(tmp_path / "evenings")) == 2, "stopping deletes nothing"


def test_what_the_service_had_is_copied(table: Table, tmp_path: Path) -> None:
    own, shipped = tmp_path / "own", tmp_path / "shipped" / "trio_monsters"
    for folder, data in ((own, b"own"), (shipped, b"ours")):
        folder.mkdir(parents=True)
        (folder / "deck.npz").write_bytes(data)
    table.decks = {"nasty_7": own, "trio_monsters": shipped}
    (table.data.path / "zones.json").write_text("{}")
    table.data.voices.mkdir()
    (table.data.voices / "ida.npz").write_bytes(b"voice")
    with Journal(table.data.journal, wall=lambda: NOW) as journal:
        game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
        journal.append(game.id, 1, 1.0, {"event": "card_played"}, source="camera")
        table.start()
        journal.append(game.id, 2, 2.0, {"event": "heard"}, source="microphone", code="not_your_turn")
        second = journal.begin_game("trio_monsters", ["Ida", "Jo"], {})
        evening = table.stop()
    setup = evening.folder / "setup"
    assert sorted(str(path.relative_to(setup)) for path in setup.rglob("*") if path.is_file()) == [
        "decks/nasty_7/deck.npz",
        "start.sqlite",
        "voices/ida.npz",
        "zones.json",
    ]
    assert evening.manifest.decks["nasty_7"] == files.DeckUsed(file_hash(own / "deck.npz"), True)
    assert not evening.manifest.decks["trio_monsters"].copied
    judged = evening.journal()
    found = {one.game.id: [(line.n, line.code) for line in one.lines] for one in judged}
    assert found == {game.id: [(2, "not_your_turn")], second.id: []}


# --- limits -----------------------------------------------------------------------------------------------


def test_a_picture_that_finds_no_room_is_lost_and_counted(tmp_path: Path, monkeypatch: Any) -> None:
    table = Table(tmp_path)
    table.recorder._lossless = False
    busy, go = threading.Event(), threading.Event()
    write = media.VideoWriter.write

    def slow(self: media.VideoWriter, image: Any, seconds: float) -> None:
        busy.set()
        go.wait(30)
        write(self, image, seconds)

    monkeypatch.setattr(media.VideoWriter, "write", slow)
    table.start()
    table.frame(50.0)
    assert busy.wait(30)
    for i in range(1, recorder.WAITING + 4):
        table.frame(50.0 + i / 30)
    go.set()
    totals = table.stop().manifest.totals
    assert totals.frames_lost == 4
    assert totals.frames == recorder.WAITING


def test_a_picture_of_another_size_is_lost(table: Table) -> None:
    table.start()
    table.frame(50.0)
    table.frame(50.1, picture(90, (80, 60)))
    table.frame(50.2)
    evening = table.stop()
    assert evening.manifest.totals.frames_lost == 1
    assert len([one for one in evening.happenings() if isinstance(one, FrameRead)]) == 2


def test_the_oldest_evening_goes_first_and_never_the_running_one(tmp_path: Path) -> None:
    table = Table(tmp_path, limit_gb=0.000_05)
    evenings = tmp_path / "evenings"
    for name, began in (("a", "2026-02-01T00:00:00+00:00"), ("b", "2026-02-02T00:00:00+00:00")):
        table.start()
        folder = table.stop().folder
        manifest = msgspec.structs.replace(files.read_manifest(folder), began=began)
        files.write_manifest(folder, manifest)
        (folder / "camera.mkv").write_bytes(bytes(30_000))
        folder.rename(evenings / name)
    (evenings / "holiday").mkdir()
    (evenings / "holiday" / "film.mkv").write_bytes(bytes(90_000))
    table.start()
    assert next(one.name for one in library.evenings(evenings)) == "b"
    running = library.evenings(evenings)[-1]
    assert running.running
    with pytest.raises(Unavailable, match="is being recorded"):
        library.forget(evenings, running.name)
    table.stop()
    library.forget(evenings, "b")
    assert [one.name for one in library.evenings(evenings)] == [running.name]
    assert (evenings / "holiday" / "film.mkv").exists(), "what is no evening is left alone"
    with pytest.raises(Unavailable, match="there is no evening holiday"):
        library.forget(evenings, "holiday")


def test_a_disk_that_is_nearly_full_refuses_and_ends_a_recording(tmp_path: Path, monkeypatch: Any) -> None:
    table = Table(tmp_path)
    monkeypatch.setattr(recorder, "CHECK_S", 0.0)
    table.start()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=-1))
    table.frame(50.1)
    assert table.ended.wait(30)
    assert table.failed[0].code == "recording.disk_full"
    assert not table.recorder.running
    table.frame(50.2)
    assert table.stop().manifest.stopped_why == "recording.disk_full"
    with pytest.raises(Unavailable, match="nearly full"):
        table.start()


def test_an_evening_that_alone_is_too_large_ends(tmp_path: Path, monkeypatch: Any) -> None:
    table = Table(tmp_path, limit_gb=0.000_000_1)
    monkeypatch.setattr(recorder, "CHECK_S", 0.0)
    table.start()
    table.frame(50.1)
    assert table.ended.wait(30)
    assert table.failed[0].code == "recording.too_large"


def test_a_write_that_fails_ends_the_recording_only(table: Table, monkeypatch: Any) -> None:
    def full(self: Any, image: Any, seconds: float) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(media.VideoWriter, "write", full)
    table.start()
    table.frame(50.1)
    assert table.ended.wait(30)
    assert table.failed[0].code == "recording.disk_full"


def test_a_start_that_fails_leaves_nothing(table: Table, tmp_path: Path, monkeypatch: Any) -> None:
    with Journal(table.data.journal, wall=lambda: NOW) as journal:
        journal.begin_game("nasty_7", ["Ida", "Jo"], {})

    def full(self: Journal, path: Path) -> None:
        raise JournalFailed("journal.cannot_write", path=path, why="full")

    monkeypatch.setattr(Journal, "copy_to", full)
    with pytest.raises(JournalFailed):
        table.start()
    assert not table.recorder.running
    assert list((tmp_path / "evenings").iterdir()) == []


def test_what_is_missing_is_named(table: Table, monkeypatch: Any) -> None:
    def missing(name: str) -> Any:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr("companion.recording.media.importlib.import_module", missing)
    with pytest.raises(Unavailable, match=r'pip install "tabletop-companion\[record\]"'):
        table.start()
    assert not table.recorder.running


# --- damage -----------------------------------------------------------------------------------------------


@pytest.fixture
def whole(table: Table) -> RecordedEvening:
    table.start()
    for i in range(40):
        table.frame(50.0 + i / 10, picture(i))
        table.recorder.block(Block(np.arange(960, dtype=np.int16) * i, 50.0 + i / 10, 16_000))
    return table.stop()


@pytest.mark.parametrize("name", ["camera.mkv", "sound.flac"])
def test_a_file_that_was_cut_off_ends_the_evening_there(whole: RecordedEvening, name: str) -> None:
    path = whole.folder / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    found = list(whole.happenings())
    assert whole.cut_off == name
    assert 4 < len(found) < 78


def test_a_last_line_that_was_not_written_completely_is_left_out(whole: RecordedEvening) -> None:
    log = whole.folder / "log.jsonl"
    log.write_bytes(log.read_bytes()[:-9])
    assert len(list(whole.happenings())) == 79


def test_what_cannot_be_read_is_named(whole: RecordedEvening, tmp_path: Path) -> None:
    log = whole.folder / "log.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:3], b'["frame", "soon"]\n', *lines[3:]]))
    with pytest.raises(Unreadable, match=r"log\.jsonl, line 4: it cannot be read"):
        list(whole.happenings())
    (whole.folder / "camera.mkv").write_bytes(b"no video")
    log.write_bytes(b"".join(lines))
    with pytest.raises(Unreadable, match="cannot be read as a video"):
        list(whole.happenings())
    with pytest.raises(Unreadable, match="there is no recorded evening"):
        RecordedEvening(tmp_path)
    manifest = whole.folder / "manifest.json"
    manifest.write_text('{"version": 99}')
    with pytest.raises(Unreadable, match="newer companion"):
        RecordedEvening(whole.folder)
    manifest.write_text("{")
    with pytest.raises(Unreadable, match=r"manifest\.json cannot be read"):
        RecordedEvening(whole.folder)


def test_the_microphones_of_an_array_are_recorded_too(table: Table) -> None:
    rng = np.random.default_rng(3)
    heard = [rng.integers(-9000, 9000, (960, 4)).astype(np.int16) for _ in range(3)]
    with_array = [Block(one[:, 0].copy(), 50.0 + 0.06 * i, 16_000, array=ArraySound(one, 0.032))
                  for i, one in enumerate(heard)]  # fmt: skip
    table.start()
    for block in (with_array[0], Block(np.ones(960, np.int16), 49.9, 16_000), *with_array[1:]):
        table.recorder.block(block)
    evening = table.stop()
    read = [one.block for one in evening.happenings() if isinstance(one, BlockRead)]
    assert [block.array is None for block in read] == [False, True, False, False]
    assert (read[1].samples == 1).all()
    arrays = [block.array for block in read if block.array is not None]
    assert all((one.samples == wanted).all() for one, wanted in zip(arrays, heard, strict=True))
    assert all(one.radius_m == 0.032 for one in arrays)
    microphones = evening.folder / files.ARRAY
    microphones.write_bytes(microphones.read_bytes()[:-2000])
    cut = RecordedEvening(evening.folder)
    assert sum(isinstance(one, BlockRead) for one in cut.happenings()) < 4
    assert cut.cut_off == files.ARRAY

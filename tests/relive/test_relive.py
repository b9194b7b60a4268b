"""A recorded evening plays again: the same journal, every time; what differs is told."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest
from api_client import REFEREE

from companion.api.commands import Amend, Answer, EnterEvent, NewGame, Undo
from companion.commands.relive import command
from companion.core.config import Config, parse
from companion.core.errors import UsageError
from companion.core.observations import Press
from companion.games import game_names
from companion.recording import format as files
from companion.recording.reader import RecordedEvening, ahead
from companion.relive.player import relive
from companion.runtime.stepped import SteppedApp
from companion.store.folder import DataFolder
from hardware.streams import Block, Frame

ZONES = {"pile": [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]}
CONFIG = parse("[table]\nhold_s = 0.3\n[recording]\nkeep_free_mb = 0\n[camera]\nfps = 10", game_names())


class Result(NamedTuple):
    """What the command printed, and its exit status."""

    exit_code: int
    stdout: str
    stderr: str


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(folder: Path, *options: str) -> Result:
        with pytest.raises(SystemExit) as left:
            command.main([str(folder), *options], standalone_mode=False)
        said = capsys.readouterr()
        return Result(int(left.value.code or 0), said.out, said.err)

    return run


def events(app: SteppedApp, *sent: dict[str, Any]) -> None:
    for event in sent:
        app.advance(app.clock() + 1.0)
        app.command(EnterEvent(event), REFEREE)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evening with an earlier game, commands, presses, refusals, a deadline, silence and dark pictures."""
    folder = tmp_path_factory.mktemp("evening")
    data = DataFolder(folder / "data")
    with SteppedApp(Config(), data, 10.0) as app:
        app.command(NewGame("nasty_7", ("Ida", "Jo"), {"deck_size": 12}), REFEREE)
        events(app, {"event": "card_played", "player": "Ida", "card": "gun"})
    with SteppedApp(CONFIG, data, 1000.0, record=folder / "evenings") as app:
        app.advance(1001.0)
        events(app, {"event": "card_played", "player": "Jo", "card": "gun"})
        app.set_zones("nasty_7", ZONES)
        app.command(NewGame("nasty_7", ("Ida", "Jo", "Kai"), {"deck_size": 12}), REFEREE)
        for i in range(30):
            app.frame(Frame(np.full((90, 160, 3), 20, np.uint8), 1003.0 + i / 10))
            app.block(Block(np.zeros(1600, np.int16), 1003.0 + i / 10, 16_000))
        events(
            app,
            {"event": "card_played", "player": "Ida", "card": "racketeer"},
            {"event": "heard", "words": ["one"]},
        )
        app.press(Press(app.clock() + 0.5, "seat 3"), app.clock() + 0.52)
        events(app, {"event": "card_played", "player": "Jo", "card": "gun"})
        app.command(Undo(), REFEREE)
        app.command(Amend(1, {"event": "card_played", "player": "Ida", "card": "phone"}), REFEREE)
        app.command(Answer("q9", "yes"), REFEREE)
        events(app, {"event": "card_played", "player": "Kai", "card": "racketeer"})
        app.advance(app.clock() + 9.0)
        events(app, {"event": "no_such_event"})
        assert len(app.lines()) > 6
    (found,) = (folder / "evenings").iterdir()
    return found


@pytest.fixture
def copied(evening: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(evening, tmp_path / "copy"))


def test_the_journal_is_the_same_three_times(run: Run, evening: Path) -> None:
    outputs = []
    for _ in range(3):
        result = run(evening, "--json", "--truth")
        assert result.exit_code == 0, result
        outputs.append(result.stdout)
    assert len(set(outputs)) == 1
    found = json.loads(outputs[0])
    assert found["same"]
    assert found["tolerance_s"] == 0.1
    assert next((one["players"], one["live_events"]) for one in found["games"]) == (["Ida", "Jo"], 1)
    assert found["games"][1]["live_events"] == found["games"][1]["relived_events"] > 6
    assert {one["sense"] for one in found["truth"]} == {"buttons"}


def test_everything_judged_is_the_same_to_the_last_byte(evening: Path, tmp_path: Path) -> None:
    again = relive(RecordedEvening(evening), tmp_path / "data", tmp_path / "models")
    assert msgspec.json.encode(again.games) == msgspec.json.encode(RecordedEvening(evening).journal())
    assert again.warnings == ()
    assert again.cut_off is None


def test_as_on_a_fast_machine_or_with_pauses(run: Run, evening: Path) -> None:
    result = run(evening, "--at-once", "--speed", "200")
    assert result.exit_code == 0, result
    assert "The Nasty 7 (Ida, Jo, Kai):" in result.stdout
    assert "the same" in result.stdout
    assert "s relived in" in result.stderr


def edit(folder: Path, change: Callable[[list[Any]], Any]) -> None:
    """Changes the lines of the log that hold a command."""
    path = folder / files.LOG
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        change(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_differences_are_told_and_are_exit_status_one(run: Run, copied: Path) -> None:
    def other_card(line: list[Any]) -> None:
        if line[0] == "command" and line[4].get("card") == "racketeer" and line[4]["player"] == "Ida":
            line[4]["card"] = "twin_racketeer"

    edit(copied, other_card)
    result = run(copied)
    assert result.exit_code == 1
    assert "live: Ida played racketeer; relived: Ida played twin racketeer" in result.stdout
    assert not json.loads(run(copied, "--json").stdout)["same"]


def test_an_evening_that_was_cut_off_is_relived_up_to_there(run: Run, copied: Path) -> None:
    manifest = files.read_manifest(copied)
    files.write_manifest(copied, msgspec.structs.replace(manifest, ended=None))
    log = copied / files.LOG
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-4]) + b'["comm')
    result = run(copied)
    assert result.exit_code == 0, result
    assert "was cut off" in result.stdout
    assert "in the middle of a game" not in result.stdout
    running = files.RunningAtStart(1, 1.0, False)
    files.write_manifest(copied, msgspec.structs.replace(files.read_manifest(copied), running=running))
    assert "began in the middle of a game" in run(copied).stdout


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda folder: shutil.rmtree(folder), "there is no recorded evening"),
        (lambda folder: (folder / files.LOG).unlink(), "log.jsonl cannot be read"),
        (lambda folder: (folder / files.CAMERA).write_bytes(b"film"), "cannot be read as a video"),
        (lambda folder: (folder / "setup" / "start.sqlite").write_bytes(b"x" * 5000), "start.sqlite"),
        (lambda folder: edit(folder, lambda line: line[0] == "command" and line.__setitem__(3, "dance")),
         "there is no command dance"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_exit_status_two(run: Run, copied: Path, damage: Any, says: str) -> None:
    damage(copied)
    result = run(copied)
    assert result.exit_code == 2, result
    assert says in result.stderr
    assert result.stdout == ""


def test_a_video_that_is_damaged_in_the_middle_ends_the_evening_there(run: Run, copied: Path) -> None:
    video = copied / files.CAMERA
    data = video.read_bytes()
    video.write_bytes(data[: len(data) // 3])
    result = run(copied)
    assert "camera.mkv ends early" in result.stdout
    assert "scores:" not in result.stdout, "the game went on after that"


def test_decks_and_models_that_changed_are_named(run: Run, copied: Path, tmp_path: Path) -> None:
    manifest = files.read_manifest(copied)
    decks = {**manifest.decks, "nasty_7": files.DeckUsed("0" * 64, False)}
    models = {**manifest.models, "en": "0" * 64}
    files.write_manifest(copied, msgspec.structs.replace(manifest, decks=decks, models=models))
    result = run(copied)
    assert result.exit_code == 0
    assert "the deck of nasty_7 is not the one of that evening" in result.stderr
    assert "the speech model for en is not the one of that evening" in result.stderr
    decks = {**manifest.decks, "nasty_7": files.DeckUsed("0" * 64, True)}
    files.write_manifest(copied, msgspec.structs.replace(manifest, decks=decks))
    with pytest.raises(UsageError, match="the deck of nasty_7 is not there"):
        relive(RecordedEvening(copied), tmp_path / "data", tmp_path / "models")


@pytest.mark.parametrize("speed", ["fast", "0", "-1", "nan"])
def test_a_speed_that_is_none_is_named(run: Run, evening: Path, speed: str) -> None:
    result = run(evening, "--speed", speed)
    assert result.exit_code == 2
    assert f"--speed {speed}" in result.stderr


def test_what_is_made_ahead_comes_in_order_with_its_errors() -> None:
    def broken() -> Any:
        yield from range(1, 20)
        raise ValueError("torn")

    found: list[int] = []
    with pytest.raises(ValueError, match="torn"):
        found.extend(ahead(broken(), 2))
    assert found == list(range(1, 20))
    some = ahead(iter(range(1, 10**9)), 2)
    assert next(some) == 1
    some.close()

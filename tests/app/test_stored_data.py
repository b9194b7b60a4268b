"""Games, names, voices and files are deleted where they are stored."""

import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.api.commands import Caller, EndGame, EnterEvent, NewGame
from companion.core.config import Config
from companion.core.errors import Unavailable, Unreadable
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store import backups
from companion.store.folder import DataFolder
from companion.store.forgetting import forget_name
from companion.store.healing import check, copy_path
from companion.store.journal import Journal, read_journal

REFEREE = Caller("referee")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    app = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    app.start()
    for players in (("Ida", "Jo"), ("Ida", "Kai"), ("Lou", "Mia")):
        app.host.command(NewGame("nasty_7", players), REFEREE)
        played = EnterEvent({"event": "card_played", "player": players[0], "card": "gun"})
        assert app.host.command(played, REFEREE).ok
    yield app
    app.stop()


def everything(app: App) -> bytes:
    return b"".join(path.read_bytes() for path in app.data.path.glob("journal.sqlite*"))


def test_a_game_is_deleted_with_its_evidence(app: App) -> None:
    app.data.evidence.mkdir()
    (app.data.evidence / "2026-11-22_2000_nasty_7_1_3.zip").write_bytes(b"x" * 10)
    (app.data.evidence / "2026-11-22_2000_nasty_7_2_3.zip").write_bytes(b"x" * 10)
    left = app.host.stored_data.forget_game(1)
    assert [game.id for game in left.games] == [3, 2]
    assert left.players == ("Ida", "Kai", "Lou", "Mia")
    assert [one.name for one in left.files] == ["2026-11-22_2000_nasty_7_2_3.zip"]
    assert b"Jo" not in everything(app)
    assert check(app.data.journal).sound
    with pytest.raises(Unreadable):
        app.host.history.script(1)


def test_a_backup_holds_the_games_and_no_secret_and_can_be_restored(app: App, tmp_path: Path) -> None:
    (app.data.path / "config.toml").write_text("# mine\n")
    app.data.key()
    name, content = app.host.stored_data.backup()
    assert re.fullmatch(r"companion-\d{4}-\d\d-\d\d\.zip", name)
    assert not (app.data.path / "backup.zip").exists()
    file = tmp_path / name
    file.write_bytes(content)
    names = zipfile.ZipFile(file).namelist()
    assert {"journal.sqlite", "config.toml"} <= set(names)
    assert not {"key", "phones.json"} & set(names)
    other = DataFolder(tmp_path / "other")
    backups.restore(other, file, datetime.now(UTC))
    with read_journal(other.journal) as journal:
        assert len(journal.games()) == 3


def test_the_game_on_the_table_goes_on(app: App) -> None:
    app.host.stored_data.forget_game(1)
    shown = app.host.snapshot()
    assert shown.game is not None
    assert [seat.name for seat in shown.game.players] == ["Lou", "Mia"]
    assert [entry.event["card"] for entry in shown.log] == ["gun"]
    played = EnterEvent({"event": "card_played", "player": "Mia", "card": "gun"})
    assert app.host.command(played, REFEREE, "key").n == 2
    with pytest.raises(Unavailable, match="on the table"):
        app.host.stored_data.forget_game(3)


def test_a_name_is_replaced_everywhere(app: App) -> None:
    left = app.host.stored_data.forget_player("Ida")
    *others, somebody = left.players
    assert others == ["Jo", "Kai", "Lou", "Mia"]
    assert re.fullmatch("Somebody [a-z0-9]{6}", somebody)
    assert b"Ida" not in everything(app)
    name, script = app.host.history.script(1)
    assert name
    assert f'"player":"{somebody}"' in script
    assert check(app.data.journal).sound
    with pytest.raises(Unavailable, match="nobody is called Ida"):
        app.host.stored_data.forget_player("Ida")
    with pytest.raises(Unavailable, match="on the table"):
        app.host.stored_data.forget_player("Mia")
    app.host.command(EndGame(), REFEREE)
    assert "Mia" not in app.host.stored_data.forget_player("Mia").players
    assert copy_path(app.data.journal).exists(), "a new copy, without the names"


def test_two_people_whose_names_are_deleted_do_not_become_one(app: App) -> None:
    """Nor do those of two tables, whose games a hub adds up."""
    made = iter(("Jo", "Kai", "Somebody k7m2qx"))
    journal = app.data.journal
    app.host.command(EndGame(), REFEREE)
    app.stop()
    assert forget_name(journal, "Ida", made.__next__) == "Somebody k7m2qx", "the others are players"
    assert forget_name(journal, "Jo") != forget_name(journal, "Kai")


def test_files_of_the_list_are_deleted_and_no_others(app: App) -> None:
    kept = app.data.path / "damaged" / "20261122-200000"
    kept.mkdir(parents=True)
    (kept / "journal.sqlite").write_bytes(b"x" * 20)
    state = app.host.stored_data.state()
    assert [(one.kind, one.name, one.bytes) for one in state.files] == [("damaged", "20261122-200000", 20)]
    for name in ("..", "../key", "key", ""):
        with pytest.raises(Unavailable):
            app.host.stored_data.forget_file("damaged", name)
    with pytest.raises(Unavailable):
        app.host.stored_data.forget_file("replaced", "key")
    assert app.host.stored_data.forget_file("damaged", "20261122-200000").files == ()
    assert not kept.exists()
    assert (app.data.path / "key").exists()


def test_old_games_are_deleted_by_the_time_of_the_latest_one(tmp_path: Path) -> None:
    day = [datetime(2026, 11, 1, 20, tzinfo=UTC)]
    (tmp_path / "evidence").mkdir()
    evidence = tmp_path / "evidence" / "2026-11-01_2000_nasty_7_1_3.zip"
    evidence.write_bytes(b"x")
    with Journal(tmp_path / "journal.sqlite", wall=lambda: day[0]) as journal:
        for days in (0, 5, 25):
            day[0] += timedelta(days=days)
            row = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
            journal.end_game(row.id, {}, [])
    app = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    app.start()
    try:
        assert app.host.stored_data.expire(0) == 0
        assert app.host.stored_data.expire(26) == 1
        assert [game.id for game in app.host.stored_data.state().games] == [3, 2]
        assert not evidence.exists()
        assert app.host.stored_data.expire(26) == 0
    finally:
        app.stop()

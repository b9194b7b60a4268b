"""`companion doctor --journal`: sound, damaged, and repaired."""

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.cli import group
from companion.core.errors import Unavailable
from companion.host.history import History
from companion.host.journal_doctor import check_journal
from companion.store.folder import DataFolder
from companion.store.healing import open_journal
from companion.store.journal import Journal


def damaged(folder: DataFolder) -> None:
    folder.create()
    with Journal(folder.journal) as journal:
        game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
        for n in range(1, 6):
            journal.append(game.id, n, 0.0, {"event": "undone"}, source="phone")
    with sqlite3.connect(folder.journal) as db:
        db.execute("DROP TRIGGER line_is_not_changed")
        db.execute("UPDATE line SET source = 'nobody' WHERE n = 4")


def test_it_says_what_is_wrong_and_what_was_repaired(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    with pytest.raises(Unavailable):
        check_journal(folder)
    damaged(folder)
    (found,) = check_journal(folder)
    assert not found.there
    assert str(found.what).startswith("damaged: 1 rows changed, 0 lost")
    open_journal(folder.journal).close()
    sound, repaired, cut = check_journal(folder)
    assert sound.there
    assert str(sound.what) == "1 games with 3 entries, all as they were written"
    assert "1 lost" in str(repaired.what)
    assert str(cut.what) == "game 1: 3 entries kept, 2 later ones lost"
    (damage,) = History(folder.journal).state().damage
    assert (damage.lost, damage.games[0].kept) == (1, 3)


def test_the_command_and_the_export_refuse_a_damaged_journal(tmp_path: Path) -> None:
    damaged(DataFolder(tmp_path))
    result = CliRunner().invoke(group, ["doctor", "--journal", "--data", str(tmp_path)])
    assert result.exit_code == 1
    assert "missing  journal  damaged" in result.output
    exported = CliRunner().invoke(group, ["export", "1", "--data", str(tmp_path)])
    assert exported.exit_code != 0
    assert "undone" not in exported.output

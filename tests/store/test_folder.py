"""The data folder: one process at a time, secrets that only the owner reads."""

import errno
import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.errors import Unavailable
from companion.store.folder import DataFolder, default_folder

HOLDER = """
import sys, time
from pathlib import Path
from companion.store.folder import DataFolder

folder = DataFolder(Path(sys.argv[1]))
folder.lock()
print("locked", flush=True)
time.sleep(60)
"""

FULL = """
import resource, signal, sys
from pathlib import Path
from companion.core.errors import Unavailable
from companion.store.folder import DataFolder
from companion.store.journal import Journal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no file may grow, as on a full disk
folder = DataFolder(Path(sys.argv[1]))
folder.lock()
for what in (folder.key, lambda: Journal(folder.journal)):
    try:
        what()
    except Unavailable as error:
        print(error)
folder.unlock()
print((folder.path / "key").exists())
"""


def test_a_full_disk_is_said_in_words_and_leaves_no_empty_key(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True, check=True, timeout=30
    )
    key, journal, left = told.stdout.splitlines()
    assert key.startswith(f"cannot write {tmp_path / 'key'} (")
    assert key.endswith("): free some space")
    assert journal.startswith(f"cannot open the journal {tmp_path / 'journal.sqlite'}: ")
    assert left == "False"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"COMPANION_DATA": "/srv/games"}, Path("/srv/games")),
        ({"XDG_DATA_HOME": "/home/ida/data"}, Path("/home/ida/data/companion")),
        ({}, Path.home() / ".local/share/companion"),
    ],
)
def test_the_folder_is_found(environ: dict[str, str], expected: Path) -> None:
    assert default_folder(environ) == expected


def test_a_second_process_is_refused_until_the_first_is_dead(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(Unavailable, match=rf"in use by companion serve, process {holder.pid}: stop"):
            DataFolder(tmp_path).lock()
        holder.kill()
        holder.wait()
        folder = DataFolder(tmp_path)
        folder.lock()
        folder.unlock()
        folder.unlock()


def test_the_lock_names_its_holder_and_nobody_afterwards(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("companion serve, process 1, and what an earlier one left\n" * 3)
    folder = DataFolder(tmp_path)
    folder.lock("backup")
    assert (tmp_path / "lock").read_text() == f"companion backup, process {os.getpid()}\n"
    folder.unlock()
    assert (tmp_path / "lock").read_text() == ""


def test_a_holder_without_a_name_is_refused_too(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Unavailable, match="are in use: stop the other program"):
            DataFolder(tmp_path).lock()


def test_the_folder_is_made_with_those_above_it_for_the_owner_only(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "games" / "data")
    folder.create()
    folder.create()
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_a_secret_that_cannot_be_written_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(Unavailable, match="No space left on device"):
        DataFolder(tmp_path).key()
    assert not (tmp_path / "key").exists()


def test_secrets_are_made_once_and_for_the_owner_only(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "new")
    key = folder.key()
    assert len(key) == 32
    assert DataFolder(tmp_path / "new").key() == key
    assert stat.S_IMODE((tmp_path / "new" / "key").stat().st_mode) == 0o600


def test_an_emptied_secret_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("\n")
    with pytest.raises(Unavailable, match="delete it"):
        DataFolder(tmp_path).key()


@pytest.mark.parametrize("missing", [os.W_OK, os.X_OK])
def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: int
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & missing)  # root may write everywhere
    with pytest.raises(Unavailable, match="cannot write to the data folder"):
        DataFolder(tmp_path).create()


def test_a_folder_below_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="--data"):
        DataFolder(tmp_path / "file" / "data").create()

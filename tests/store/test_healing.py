"""A damaged journal: it is found and made sound, and nothing that was kept differs from what was written."""

import random
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.journal_damage import JournalDamage
from companion.store.anchor import anchor_path
from companion.store.healing import (
    DAMAGED,
    REPORT,
    SIDE_FILES,
    check,
    copy_path,
    heal,
    keep_copy,
    open_journal,
)
from companion.store.journal import Journal
from companion.store.rows import AskedQuestion

NOW = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


def written(path: Path, games: int = 6, lines: int = 40) -> list[Any]:
    """A journal as a killed service leaves it, without a copy; returns what it holds."""
    with Journal(path) as journal:
        for number in range(games):
            row = journal.begin_game("nasty_7", ["Ida", "Jo", f"Kai {number}"], {"deck_size": 20 + number})
            for n in range(1, lines + 1):
                event = {"event": "heard", "words": ["two", "three"], "start": n / 10, "end": n / 10 + 0.3}
                journal.append(
                    row.id, n, n / 10, event, source="microphone", code=None if n % 3 else "no_call"
                )
            journal.note_question(row.id, AskedQuestion(3, 1.5, "microphone", "heard", "Ida", "", "two"))
            if number < games - 1:
                journal.end_game(row.id, {"Ida": 3, "Jo": number, f"Kai {number}": 1}, ["Ida"])
    return content(path)


def content(path: Path) -> list[Any]:
    with Journal(path, writable=False) as journal:
        games = journal.games()
        return [(row, journal.lines(row.id), journal.questions(row.id)) for row in games]


def differences(before: list[Any], after: list[Any], healed: JournalDamage | None) -> list[str]:
    """What differs without a word: rows that were never written, and losses that were not reported."""
    known = {row.id: (row, lines, asked) for row, lines, asked in before}
    found = []
    for row, lines, asked in after:
        old, old_lines, old_asked = known.get(row.id, (None, [], []))
        same = old is not None and (row.name, row.players, row.settings, row.key) == (
            old.name,
            old.players,
            old.settings,
            old.key,
        )
        if not same or (row.scores not in (old.scores, {}, None)):
            found.append(f"game {row.id}")
        if lines != old_lines[: len(lines)]:
            found.append(f"lines of game {row.id}")
        if [one for one in asked if one not in old_asked]:
            found.append(f"questions of game {row.id}")
    rows = sum(len(lines) + len(asked) for _, lines, asked in before)
    kept = sum(len(lines) + len(asked) for _, lines, asked in after)
    if (kept < rows or len(after) < len(before)) and (healed is None or not healed.lost + len(healed.games)):
        found.append("a loss that was not reported")
    return found


def flipped(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place // 8] ^= 1 << place % 8
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("copied", [False, True], ids=["without a copy", "with a copy of the first games"])
def test_a_flipped_bit_is_found_and_healed(tmp_path: Path, copied: bool) -> None:
    """A flip in what SQLite does not use changes nothing; every other one is found."""
    original = tmp_path / "original" / "journal.sqlite"
    original.parent.mkdir()
    before = written(original)
    if copied:
        with Journal(original) as journal:
            keep_copy(journal, original)
            journal.append(before[-1][0].id, 41, 5.0, {"event": "undone"}, source="phone")
        before = content(original)
    places = random.Random(7)
    bits = original.stat().st_size * 8
    spots = [places.randrange(bits) for _ in range(40)] + [places.randrange(100 * 8) for _ in range(8)]
    for number, spot in enumerate(spots):
        path = tmp_path / str(number) / "journal.sqlite"
        path.parent.mkdir()
        path.write_bytes(original.read_bytes())
        anchor_path(path).write_bytes(anchor_path(original).read_bytes())
        if copied:
            copy_path(path).write_bytes(copy_path(original).read_bytes())
        flipped(path, spot)
        healed = heal(path, NOW)
        with Journal(path) as journal:
            journal.begin_game("nasty_7", ["Ida", "Jo"], {})
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        after = content(path)[:-1] if healed is None or healed.rows else []
        assert differences(before, after, healed) == [], (number, spot, healed)
        if copied:
            assert len(after) == len(before), (spot, healed)
            assert sum(len(lines) for _, lines, _ in after) >= 240, (spot, healed)


def test_half_a_file_starts_and_says_what_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    before = written(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    journal = open_journal(path)
    assert journal.healed is not None
    assert journal.healed.lost > 0
    journal.close()
    assert differences(before, content(path), journal.healed) == []


def test_a_journal_of_rubbish_is_kept_aside_and_a_new_one_begins(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(random.Random(1).randbytes(20_000))
    journal = open_journal(path)
    assert journal.healed is not None
    assert journal.games() == []
    journal.close()
    folder = Path(journal.healed.folder)
    assert folder.parent == tmp_path / DAMAGED
    assert (folder / "journal.sqlite").stat().st_size == 20_000
    assert msgspec.json.decode((folder / REPORT).read_bytes(), type=JournalDamage) == journal.healed


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM line WHERE seq = (SELECT max(seq) FROM line)",
        "DELETE FROM line WHERE seq = 17",
        "UPDATE line SET event = json_set(event, '$.words[0]', 'four') WHERE seq = 17",
        "UPDATE line SET code = NULL WHERE seq = 18",
        """UPDATE game SET players = '["Ida", "Jo", "Lou"]' WHERE id = 2""",
        "UPDATE game SET scores = json_set(scores, '$.Ida', 30) WHERE id = 2",
        "UPDATE question SET answer = 'none' WHERE id = 2",
        "DELETE FROM line WHERE seq > 200; DELETE FROM seal WHERE id > (SELECT max(id) - 40 FROM seal)",
    ],
)
def test_lost_and_changed_rows_are_found(tmp_path: Path, change: str) -> None:
    path = tmp_path / "journal.sqlite"
    before = written(path)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA recursive_triggers=OFF")
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.executescript(change)
    assert not check(path).sound
    journal = open_journal(path)
    journal.close()
    assert journal.healed is not None
    assert journal.healed.lost > 0
    assert differences(before, content(path), journal.healed) == []
    assert check(path).sound
    assert heal(path, NOW) is None


def test_what_the_copy_holds_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    before = written(path)
    open_journal(path).close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    journal = open_journal(path)
    journal.close()
    assert journal.healed is not None
    assert (journal.healed.lost, journal.healed.games) == (0, ())
    assert content(path) == before


def test_a_game_is_playable_up_to_the_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path, games=1, lines=30)
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER line_is_not_changed")
        db.execute("UPDATE line SET t = 77.0 WHERE n = 12")
    journal = open_journal(path)
    game = journal.open_game()
    assert game is not None
    assert [line.n for line in journal.lines(game.id)] == list(range(1, 12))
    assert journal.healed is not None
    assert [(one.id, one.kept, one.lost) for one in journal.healed.games] == [(game.id, 11, 19)]
    journal.close()


def test_a_killed_service_leaves_a_sound_journal(tmp_path: Path) -> None:
    path, copy = tmp_path / "journal.sqlite", tmp_path / "killed.sqlite"
    with Journal(path) as journal:
        game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
        journal.append(game.id, 1, 1, {"event": "undone"}, source="phone")
        for ending in ("", *SIDE_FILES):
            source = path.with_name(path.name + ending)
            copy.with_name(copy.name + ending).write_bytes(source.read_bytes())
        anchor_path(copy).write_bytes(anchor_path(path).read_bytes())
    assert check(copy).sound
    copy.with_name(copy.name + "-wal").unlink()
    assert not check(copy).sound


def test_a_journal_of_an_earlier_companion_gets_its_seals(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    before = written(path)
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE seal")
        db.execute("PRAGMA user_version=3")
    anchor_path(path).unlink()
    assert heal(path, NOW) is None
    open_journal(path).close()
    assert check(path).sound
    assert content(path) == before


def test_healing_that_is_interrupted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.sqlite"
    before = written(path)
    flipped(path, 8 * (path.stat().st_size - 60))
    assert not check(path).sound

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("companion.store.healing.put_in_place", killed)
        with pytest.raises(KeyboardInterrupt):
            heal(path, NOW)
    assert heal(path, NOW) is None
    assert check(path).sound
    assert differences(before, content(path), JournalDamage("", "", "", 1, 1, 0, ())) == []


def test_a_new_journal_does_not_inherit_the_copy_of_a_deleted_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    written(path)
    open_journal(path).close()
    path.unlink()
    journal = open_journal(path)
    assert journal.games() == []
    assert journal.healed is None
    journal.close()

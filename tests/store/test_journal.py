"""The journal on real files: what it returned for is on disk, whatever happens afterwards."""

import os
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Unavailable, Unreadable
from companion.store.journal import MIGRATIONS, VERSION, Journal, JournalFailed, read_journal
from companion.store.rows import AskedQuestion

WRITER = """
import sys
from pathlib import Path
from companion.store.journal import Journal

journal = Journal(Path(sys.argv[1]))
game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
for n in range(1, 10_000):
    journal.append(game.id, n, n / 10, {"event": "time_passed", "t": n / 10}, source="clock")
    print(n, flush=True)
"""


def started(path: Path) -> tuple[Journal, int]:
    journal = Journal(path / "journal.sqlite")
    return journal, journal.begin_game("nasty_7", ["Ida", "Jo"], {"deck_size": 10}).id


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    event = {"event": "heard", "words": ["fünf", "✓"], "start": 0.1, "end": 0.30000000000000004}
    first = journal.append(game, 1, 0.5, event, source="microphone")
    second = journal.append(game, 2, 0.6, {"event": "undone"}, source="phone", code="nothing_to_undo")
    journal.close()
    with read_journal(tmp_path / "journal.sqlite") as reader:
        lines = reader.lines(game)
    assert [(line.seq, line.n, line.event, line.code) for line in lines] == [
        (first, 1, event, None),
        (second, 2, {"event": "undone"}, "nothing_to_undo"),
    ]
    assert second > first


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.text(max_size=8),
            st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(),
            max_size=5,
        ),
        max_size=20,
    )
)
def test_any_json_survives_the_journal(tmp_path_factory: pytest.TempPathFactory, events: list[dict]) -> None:
    events = [e for e in events if not any(v in (float("inf"), float("-inf")) for v in e.values())]
    journal, game = started(tmp_path_factory.mktemp("journal"))
    for n, event in enumerate(events, 1):
        journal.append(game, n, 0.0, event, source="phone")
    assert [line.event for line in journal.lines(game)] == events
    journal.close()


def test_a_killed_writer_loses_no_line_that_it_was_told_is_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) == 25:
                os.kill(writer.pid, signal.SIGKILL)
                break
        announced = max((int(line) for line in writer.stdout), default=25)
    journal = Journal(path)
    open_game = journal.open_game()
    assert open_game is not None
    numbers = [line.n for line in journal.lines(open_game.id)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert announced <= len(numbers) <= announced + 1
    assert journal.append(open_game.id, len(numbers) + 1, 1.0, {"event": "undone"}, source="phone") > 25
    journal.close()


def test_a_full_disk_is_said_in_words_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages + 2}")
    written, failure = 0, ""
    while not failure:
        try:
            event = {"event": "heard", "words": ["x" * 400]}
            journal.append(game, written + 1, 0.0, event, source="microphone")
            written += 1
        except JournalFailed as error:
            failure = str(error)
    assert "disk is full; free some space" in failure
    assert [line.n for line in journal.lines(game)] == list(range(1, written + 1))
    journal._db.execute("PRAGMA max_page_count=100000")
    journal.append(game, written + 1, 0.0, {"event": "undone"}, source="phone")
    journal.close()


@pytest.mark.parametrize("statement", ["DELETE FROM line", "UPDATE line SET event = '{}'"])
def test_lines_are_neither_changed_nor_deleted(tmp_path: Path, statement: str) -> None:
    journal, game = started(tmp_path)
    journal.append(game, 1, 0.0, {"event": "undone"}, source="phone")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        journal._db.execute(statement)
    journal.close()


def test_a_number_is_written_once(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    journal.append(game, 1, 0.0, {"event": "undone"}, source="phone")
    with pytest.raises(JournalFailed):
        journal.append(game, 1, 0.0, {"event": "undone"}, source="phone")
    journal.close()


def test_the_open_game_is_the_one_without_an_end(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    assert journal.open_game() == journal.game(game)
    journal.end_game(game, {"Ida": 0, "Jo": 3}, ["Ida"])
    assert journal.open_game() is None
    ended = journal.game(game)
    assert (ended.scores, ended.winner) == ({"Ida": 0, "Jo": 3}, ["Ida"])
    with pytest.raises(Unreadable, match="there is no game 99999999999999999999"):
        journal.game(99999999999999999999)
    with pytest.raises(Unreadable, match="there is no game 7"):
        journal.game(7)
    journal.close()


def test_the_largest_number_of_a_game_is_looked_up_and_none_above_it(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    largest = 2**63 - 1
    journal._db.execute("UPDATE game SET id = ? WHERE id = ?", (largest, game))
    assert journal.game(largest).id == largest
    for above in (largest + 1, -largest - 2):
        with pytest.raises(Unreadable, match="there is no game"):
            journal.game(above)
    journal.close()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SQLITE_READONLY_DBMOVED", "read-only"),
        ("SQLITE_IOERR_WRITE", "cannot be used"),
        ("SQLITE_BUSY_SNAPSHOT", "another program holds it"),
        ("SQLITE_CORRUPT", "broken page"),
    ],
)
def test_each_failure_of_the_disk_has_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, words: str
) -> None:
    class Failing:
        in_transaction = False

        def execute(self, *_: object) -> None:
            error = sqlite3.OperationalError("broken page")
            error.sqlite_errorname = name
            raise error

    journal, game = started(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(journal, "_db", Failing())
        with pytest.raises(JournalFailed, match=words):
            journal.append(game, 1, 0.0, {"event": "undone"}, source="phone")
    journal.close()


def test_the_latest_night_is_the_one_of_the_latest_game(tmp_path: Path) -> None:
    now = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)
    journal = Journal(tmp_path / "journal.sqlite", wall=lambda: now)
    assert journal.latest_night() is None
    assert journal.seq() == 0
    journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    now += timedelta(days=2)
    second = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    assert journal.latest_night() == second.night == 2
    assert [game.night for game in journal.games()] == [1, 2]
    journal.close()


def test_a_pause_of_eight_hours_begins_another_night(tmp_path: Path) -> None:
    now = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    journal = Journal(tmp_path / "journal.sqlite", wall=lambda: now)
    nights = []
    for pause in (timedelta(), timedelta(hours=8, seconds=-1), timedelta(hours=8)):
        now += pause
        nights.append(journal.begin_game("nasty_7", ["Ida", "Jo"], {}).night)
    assert nights == [1, 1, 2]
    journal.close()


def test_an_older_journal_is_not_read_and_is_migrated_by_the_one_that_writes(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    sqlite3.connect(path).close()
    path.touch()
    with pytest.raises(Unavailable, match="older"):
        read_journal(path)
    Journal(path).close()
    read_journal(path).close()


def test_a_long_pause_begins_another_night(tmp_path: Path) -> None:
    now = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)
    journal = Journal(tmp_path / "journal.sqlite", wall=lambda: now)
    first = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    now += timedelta(hours=5)
    journal.append(first.id, 1, 0.0, {"event": "undone"}, source="phone")
    now += timedelta(hours=6)
    late = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    now += timedelta(hours=9)
    next_day = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    assert [late.night - first.night, next_day.night - first.night] == [0, 1]
    assert [game.id for game in journal.games(first.night)] == [first.id, late.id]
    journal.close()


def test_a_game_left_on_the_table_over_night_does_not_prolong_the_night(tmp_path: Path) -> None:
    now = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)
    journal = Journal(tmp_path / "journal.sqlite", wall=lambda: now)
    first = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
    now += timedelta(days=1)
    journal.end_game(first.id, {"Ida": 3, "Jo": 4}, [])
    assert journal.begin_game("nasty_7", ["Ida", "Jo"], {}).night == first.night + 1
    journal.close()


def test_a_clock_that_was_wrong_spoils_one_night_only(tmp_path: Path) -> None:
    """A Pi without a network may wake up years ahead; put right, its games are nights again."""
    evening = datetime(2026, 11, 21, 19, 0, tzinfo=UTC)
    clock = [datetime(2036, 1, 1, tzinfo=UTC)]
    journal = Journal(tmp_path / "journal.sqlite", wall=lambda: clock[-1])
    nights = []
    for following in (evening, evening + timedelta(hours=1), evening + timedelta(days=1), evening):
        game = journal.begin_game("nasty_7", ["Ida", "Jo"], {})
        journal.append(game.id, 1, 0.0, {"event": "undone"}, source="phone")
        journal.end_game(game.id, {"Ida": 3, "Jo": 4}, [])
        nights.append(game.night - 1)
        clock.append(following)
    assert nights == [0, 1, 1, 2]
    journal.close()


def test_the_connection_is_durable(tmp_path: Path) -> None:
    journal, _ = started(tmp_path)
    pragma = {
        name: journal._db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "user_version", "foreign_keys", "busy_timeout")
    }
    assert pragma == {
        "journal_mode": "wal", "synchronous": 2, "user_version": VERSION, "foreign_keys": 1,
        "busy_timeout": 5000,
    }  # fmt: skip
    journal.close()


def test_a_file_that_is_no_journal_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(Unreadable, match="put it aside"):
        Journal(path)


def test_each_step_to_the_newest_schema_is_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, game = started(tmp_path)
    first.close()
    steps = {VERSION + 1: "CREATE TABLE three (x)", VERSION + 2: "CREATE TABLE four (x)"}
    monkeypatch.setattr("companion.store.journal.VERSION", VERSION + 2)
    monkeypatch.setattr("companion.store.journal.MIGRATIONS", {**MIGRATIONS, **steps})
    for path in (tmp_path / "journal.sqlite", tmp_path / "journal.sqlite", tmp_path / "new.sqlite"):
        with Journal(path) as journal:
            names = journal._db.execute("SELECT name FROM sqlite_master WHERE name IN ('three', 'four')")
            assert {row[0] for row in names} == {"three", "four"}
            assert journal._db.execute("PRAGMA user_version").fetchone() == (VERSION + 2,)
            assert [one.id for one in journal.games()] == ([game] if path.name == "journal.sqlite" else [])


def test_a_newer_companions_journal_is_left_alone(tmp_path: Path) -> None:
    journal, _ = started(tmp_path)
    journal._db.execute(f"PRAGMA user_version={VERSION + 1}")
    journal.close()
    with pytest.raises(Unavailable, match="newer companion"):
        Journal(tmp_path / "journal.sqlite")


def test_readers_read_while_the_writer_writes_and_write_nothing(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    reader = read_journal(tmp_path / "journal.sqlite")
    journal.append(game, 1, 0.0, {"event": "undone"}, source="phone")
    assert [line.n for line in reader.lines(game)] == [1]
    with pytest.raises(JournalFailed, match="read-only"):
        reader.append(game, 2, 0.0, {"event": "undone"}, source="phone")
    reader.close()
    journal.close()
    with pytest.raises(Unavailable, match="there is no journal"):
        read_journal(tmp_path / "elsewhere" / "journal.sqlite")


def test_a_copy_is_whole_while_the_original_is_open(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    journal.append(game, 1, 0.0, {"event": "undone"}, source="phone")
    journal.copy_to(tmp_path / "copy.sqlite")
    copy = read_journal(tmp_path / "copy.sqlite")
    assert copy.lines(game) == journal.lines(game)
    copy.close()
    journal.close()


def test_questions_come_back_as_they_were_closed(tmp_path: Path) -> None:
    journal, game = started(tmp_path)
    asked = AskedQuestion(4, 7.5, "microphone", "unsure_call", "Jo", "", "two three", 1)
    left = AskedQuestion(5, 9.0, "camera", "card_gone", None, "place 1,2", None)
    for one in (asked, left):
        journal.note_question(game, one)
    journal.close()
    with read_journal(tmp_path / "journal.sqlite") as reader:
        assert reader.questions(game) == [asked, left]
        assert reader.questions(game + 1) == []


def test_a_journal_of_the_first_version_is_read_and_carried_on(tmp_path: Path) -> None:
    """A backup of an earlier companion: it has no questions, and gets them once somebody writes."""
    path = tmp_path / "journal.sqlite"
    old = sqlite3.connect(path)
    old.executescript(resources.files("companion.store").joinpath("schema.sql").read_text())
    old.execute("PRAGMA user_version=1")
    old.execute("INSERT INTO night (started) VALUES ('2026-01-01T20:00:00+00:00')")
    old.execute(
        "INSERT INTO game (key, night, name, players, settings, started)"
        " VALUES ('k', 1, 'nasty_7', '[\"Ida\",\"Jo\"]', '{}', '2026-01-01T20:00:00+00:00')"
    )
    old.commit()
    old.close()
    with read_journal(path) as reader:
        assert [one.players for one in reader.games()] == [["Ida", "Jo"]]
        assert reader.questions(1) == []
    with Journal(path) as journal:
        journal.note_question(1, AskedQuestion(1, 2.0, "camera", "unsure_card", None, "", "gun", 1))
        assert [one.answer for one in journal.questions(1)] == ["gun"]

"""The simulated hall: a small one, with broker and hub killed, and a count that would see a loss."""

import subprocess
import sys
from argparse import Namespace
from pathlib import Path

from hall_messages import result, taken

from bench.hall.__main__ import hall
from bench.hall.count import counted, latency
from companion.hub.database import HubDatabase
from companion.hub.storing import ResultStore
from companion.store.journal import Journal, utc_now

ROOT = Path(__file__).parents[2]
GIVEN = {
    "tables": 12,
    "whole": 1,
    "minutes": 0.2,
    "speed": 10.0,
    "kills": 1,
    "cut_s": 3.0,
    "database": "",
    "seed": 4,
}


def test_a_small_hall_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    figures = hall(Namespace(**GIVEN, calm=False), tmp_path)
    count = figures["count"]
    assert count["events"] > 20
    assert (count["events_lost"], count["results_lost"], count["counted_twice"]) == (0, 0, 0)
    assert count["standings_right"] is True


def test_what_is_lost_and_what_is_there_too_often_is_counted(tmp_path: Path) -> None:
    folder = tmp_path / "tables" / "window"
    folder.mkdir(parents=True)
    with Journal(folder / "journal.sqlite", new_key=iter(("g1", "g2")).__next__) as journal:
        for _ in range(2):
            game = journal.begin_game("trio_monsters", ["Ida", "Jo", "Kai"], {})
            journal.append(game.id, 1, 1.0, {"event": "x"}, source="phone")
            journal.end_game(game.id, {"Ida": 5, "Jo": 3, "Kai": 1}, ["Ida"])
    url = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    database = HubDatabase(url)
    ResultStore(database, utc_now).store(taken(result("g1", 1), result("g9", 2)))
    database.close()
    found = counted(tmp_path / "tables", url)
    assert (found.games, found.events, found.results) == (2, 2, 2)
    assert (found.events_lost, found.results_lost, found.counted_twice) == (2, 1, 1)
    assert found.standings_right, "one is missing and one is invented: the sums are the same"


def test_latencies() -> None:
    assert latency([1.0]) is None
    found = latency([0.1] * 98 + [2.0, 9.0])
    assert found is not None
    assert (found.results, found.median_s, found.most_s) == (100, 0.1, 9.0)
    assert 2.0 <= found.p99_s < 3.0


def test_the_help_is_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.hall", "--help"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert "--calm" in done.stdout

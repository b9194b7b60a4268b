"""Exports that other programs read: replay, spreadsheets, BG Stats."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import pytest

from companion.store import exports
from companion.store.rows import GameRow, Line

GAME = GameRow(
    id=12,
    key="5b1f0e",
    night=3,
    name="nasty_7",
    players=["Ida", "=Jo,1", "Kai"],
    settings={"deck_size": 30, "first_player": "Kai"},
    started="2026-11-21T18:30:12.250+00:00",
    ended="2026-11-21T19:02:00.000+00:00",
    scores={"Ida": 0, "=Jo,1": 11, "Kai": 4},
    winner=["Ida"],
)
PLACES = {"Ida": 1, "=Jo,1": 3, "Kai": 2}


def play(link: str) -> dict[str, Any]:
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    decoded: dict[str, Any] = json.loads(unquote(link.partition("data=")[2]))
    return decoded


def test_a_script_is_the_header_and_every_judged_event() -> None:
    lines = [
        Line(
            1, 1, 0.5, "", "camera", {"event": "card_played", "player": "Ida", "card": "gun", "t": 0.5}, None
        ),
        Line(2, 2, 0.9, "", "phone", {"event": "undone"}, "nothing_to_undo"),
    ]
    script = [json.loads(line) for line in exports.script(GAME, lines).splitlines()]
    assert script[0] == {"game": "nasty_7", "players": GAME.players, "settings": GAME.settings}
    assert script[1:] == [line.event for line in lines]


def test_the_table_has_one_row_a_player_and_no_formulas() -> None:
    rows = list(csv.DictReader(io.StringIO(exports.table([(GAME, PLACES)]), newline="")))
    assert [(row["player"], row["score"], row["place"], row["winner"]) for row in rows] == [
        ("Ida", "0", "1", "yes"),
        ("'=Jo,1", "11", "3", "no"),
        ("Kai", "4", "2", "no"),
    ]
    assert tuple(rows[0]) == exports.COLUMNS


def test_a_row_says_which_game_of_which_night_and_where_the_player_sat() -> None:
    rows = list(csv.reader(io.StringIO(exports.table([(GAME, PLACES)]), newline="")))
    assert rows[2] == ["3", "12", "nasty_7", GAME.started, GAME.ended, "'=Jo,1", "2", "11", "3", "no"]
    assert [row[6] for row in rows[1:]] == ["1", "2", "3"]


def test_a_game_on_the_table_has_neither_end_nor_scores() -> None:
    open_game = msgspec.structs.replace(GAME, ended=None, scores=None, winner=None)
    rows = list(csv.DictReader(io.StringIO(exports.table([(open_game, PLACES)]), newline="")))
    assert {(row["ended"], row["score"], row["winner"]) for row in rows} == {("", "", "no")}
    found = play(exports.bgstats_link(open_game, "x", PLACES, highest_wins=True))
    assert "durationMin" not in found
    assert all("score" not in one and not one["winner"] for one in found["players"])


@pytest.mark.parametrize(
    ("ended", "minutes"), [("2026-11-21T21:40:12.250+00:00", 190), ("2026-11-21T18:30:13.000+00:00", 1)]
)
def test_a_game_lasts_whole_minutes_and_one_at_least(ended: str, minutes: int) -> None:
    game = msgspec.structs.replace(GAME, ended=ended)
    assert play(exports.bgstats_link(game, "x", PLACES, highest_wins=True))["durationMin"] == minutes


def test_without_a_setting_the_first_player_starts() -> None:
    game = msgspec.structs.replace(GAME, settings={})
    found = play(exports.bgstats_link(game, "x", PLACES, highest_wins=True))
    assert [one["startPlayer"] for one in found["players"]] == [True, False, False]


@pytest.mark.parametrize("first", "=+-@\t\r")
def test_no_name_becomes_a_formula(first: str) -> None:
    name = first + "Jo"
    game = msgspec.structs.replace(GAME, players=[name], scores=None, winner=None)
    rows = list(csv.DictReader(io.StringIO(exports.table([(game, {name: 1})]), newline="")))
    assert rows[0]["player"] == "'" + name


def test_a_bg_stats_link_has_what_the_app_asks_for() -> None:
    found = play(exports.bgstats_link(GAME, "The Nasty 7", PLACES, highest_wins=False))
    assert (found["sourceName"], found["sourcePlayId"]) == ("Tabletop Companion", "5b1f0e")
    assert found["playDate"] == "2026-11-21 18:30:12"
    assert found["durationMin"] == 32
    assert found["game"] == {
        "name": "The Nasty 7",
        "sourceGameId": "nasty_7",
        "highestWins": False,
        "noPoints": False,
    }
    assert [(p["winner"], p["startPlayer"], p["rank"], p["score"]) for p in found["players"]] == [
        (True, False, 1, "0"),
        (False, False, 3, "11"),
        (False, True, 2, "4"),
    ]


def test_players_keep_their_ids_over_the_evenings() -> None:
    def ids(game: GameRow) -> list[str]:
        return [
            p["sourcePlayerId"]
            for p in play(exports.bgstats_link(game, "x", PLACES, highest_wins=True))["players"]
        ]

    assert ids(GAME) == ids(msgspec.structs.replace(GAME, id=13, key="other"))
    assert len(set(ids(GAME))) == 3
    assert ids(GAME)[0] == "48fc2630966d4d0b", "BG Stats knows her by this"


def test_a_link_that_would_be_too_long_drops_its_comments() -> None:
    link = exports.bgstats_link(GAME, "x", PLACES, highest_wins=True, comments="é" * 2000)
    assert len(link) < 8000
    assert "comments" not in play(link)
    assert play(exports.bgstats_link(GAME, "x", PLACES, highest_wins=True, comments="hm"))["comments"] == "hm"


def test_a_link_may_have_eight_thousand_characters() -> None:
    def link(comment: int) -> str:
        return exports.bgstats_link(GAME, "x", PLACES, highest_wins=True, comments="m" * comment)

    longest = 8000 - len(link(1)) + 1
    assert len(link(longest)) == 8000
    assert play(link(longest))["comments"]
    assert "comments" not in play(link(longest + 1))


@pytest.mark.parametrize("text", ["2026-11-21T18:30:12.250+00:00", "2026-11-21T19:30:12.250+01:00"])
def test_scripts_are_named_by_time(text: str) -> None:
    name = exports.file_name(msgspec.structs.replace(GAME, started=text))
    assert name == "2026-11-21_1830_nasty_7_12.jsonl"
    assert datetime.fromisoformat(text).astimezone(UTC).hour == 18
    assert Path(name).suffix == ".jsonl"

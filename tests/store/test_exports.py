"""Exports that other programs read: replay, spreadsheets, BG Stats."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from companion.store import exports
from companion.store.journal import GameRow, Line

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

    import msgspec

    assert ids(GAME) == ids(msgspec.structs.replace(GAME, id=13, key="other"))
    assert len(set(ids(GAME))) == 3


def test_a_link_that_would_be_too_long_drops_its_comments() -> None:
    link = exports.bgstats_link(GAME, "x", PLACES, highest_wins=True, comments="é" * 2000)
    assert len(link) < 8000
    assert "comments" not in play(link)
    assert play(exports.bgstats_link(GAME, "x", PLACES, highest_wins=True, comments="hm"))["comments"] == "hm"


@pytest.mark.parametrize("text", ["2026-11-21T18:30:12.250+00:00", "2026-11-21T19:30:12.250+01:00"])
def test_scripts_are_named_by_time(text: str) -> None:
    import msgspec

    name = exports.file_name(msgspec.structs.replace(GAME, started=text))
    assert name == "2026-11-21_1830_nasty_7_12.jsonl"
    assert datetime.fromisoformat(text).astimezone(UTC).hour == 18
    assert Path(name).suffix == ".jsonl"

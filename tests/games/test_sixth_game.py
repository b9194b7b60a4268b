"""Pig, which lives in tests/games/pig and is registered by one line: no other file of the product knows it.

docs/add-a-game.md tells its story and lists its files; the last test keeps that listing up to date.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from rulescripts import codes, found, replay, view

from companion.announce.render import TableRenderer
from companion.commands.cli import group
from companion.core.config import Config, parse
from companion.core.config import Pages as PagesConfig
from companion.core.errors import UsageError
from companion.devices.inputs import Inputs
from companion.games import game_names
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.story import phrases
from web import create_app

pytestmark = pytest.mark.usefixtures("pig")
HERE = Path(__file__).parent / "pig"
PAGE = Path(__file__).parents[2] / "docs" / "add-a-game.md"
SAME = {"Origin": "http://localhost"}
HEADER = {"game": "pig", "players": ["Ida", "Jo"], "settings": {"target": 10}}

Json = dict[str, Any]


def rolled(player: str, pips: int) -> Json:
    return {"event": "die_rolled", "player": player, "pips": pips}


def kept(player: str) -> Json:
    return {"event": "points_kept", "player": player}


GAME = [rolled("Ida", 6), rolled("Ida", 1), rolled("Jo", 5), rolled("Jo", 6), rolled("Ida", 2), kept("Jo")]


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[FlaskClient]:
    """A phone at a real table without devices, where everybody decides."""
    app = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(tmp_path), inputs=Inputs())
    app.start()
    yield create_app(app.host, secret_key=app.data.key(), writer=TableRenderer(phrases)).test_client()
    app.stop()


def post(phone: FlaskClient, command: str, /, **data: Any) -> Json:
    reply: Json = phone.post(f"/api/command/{command}", json=data, headers=SAME).get_json()
    return reply


def test_its_rules_are_played() -> None:
    record = replay(HEADER, GAME)
    assert found(record) == [(2, "Ida", "points_lost")]
    assert codes(record) == [(5, "not_your_turn")]
    assert record.winner() == ["Jo"]
    assert view(record) == {"phase": "over", "turn": None, "rolled": 0, "kept": {"Ida": 0, "Jo": 11}}
    assert record.book.decode(msgspec.json.encode(record.state)) == record.state


def test_it_is_taken_up_in_the_middle() -> None:
    middle = {"event": "position", "state": {"turn": "Jo", "kept": {"Ida": 4, "Jo": 9}}}
    impossible = {"event": "position", "state": {"kept": {"Ida": 4, "Jo": 10}}}
    record = replay(HEADER, [middle, impossible, rolled("Jo", 3), kept("Jo")])
    assert codes(record) == [(2, "bad_position")]
    assert record.winner() == ["Jo"]


def test_replay_and_rules_speak_of_it(tmp_path: Path) -> None:
    script = tmp_path / "pig.jsonl"
    script.write_text("\n".join(json.dumps(line) for line in [HEADER, *GAME]), encoding="utf-8")
    result = json.loads(CliRunner().invoke(group, ["replay", str(script), "--json"]).stdout)
    assert result["scores"] == {"Ida": 0, "Jo": 11}
    told = CliRunner().invoke(group, ["replay", str(script), "--explain"])
    assert told.exit_code == 0
    assert "A one loses the points of the turn and ends it." in told.output
    assert "Jo wins" in told.output
    rules = CliRunner().invoke(group, ["rules", "pig", "--find", "target"]).output
    assert "PIG-4" in rules
    assert CliRunner().invoke(group, ["rules", "pig", "--language", "de"]).exit_code == 0
    audio = CliRunner().invoke(group, ["replay", str(script), "--audio", str(script)])
    assert isinstance(audio.exception, UsageError | SystemExit)


def test_it_is_played_on_a_phone_taken_back_and_counted_in_the_night(phone: FlaskClient) -> None:
    new = post(phone, "new_game", game="pig", players=["Ida", "Jo"], settings={"target": 4})
    assert new["ok"]
    assert post(phone, "event", **rolled("Ida", 6))["ok"]
    assert phone.get("/state.json").get_json()["state"]["rolled"] == 6
    assert post(phone, "undo")["ok"]
    assert phone.get("/state.json").get_json()["state"]["rolled"] == 0
    refused = post(phone, "event", **rolled("Jo", 6))
    assert (refused["ok"], refused["code"]) == (False, "not_your_turn")
    assert post(phone, "event", **rolled("Ida", 5))["ok"]
    assert post(phone, "event", **kept("Ida"))["ok"]
    shown = phone.get("/state.json").get_json()
    assert shown["winner"] == ["Ida"]
    assert shown["night"]["standings"][0] == {"player": "Ida", "points": 1}
    assert all(entry["text"] for entry in shown["log"])
    assert post(phone, "next_game")["ok"]


def test_its_deck_and_zones_can_be_configured() -> None:
    assert parse('[decks]\npig = "farm"', game_names()).decks == {"pig": "farm"}


def test_the_page_lists_its_files_as_they_are() -> None:
    """Otherwise: copy the files into docs/add-a-game.md."""
    page = PAGE.read_text(encoding="utf-8")
    listed = dict(re.findall(r"`tests/games/pig/([\w/.]+)`:\n\n```\w+\n(.*?)```", page, flags=re.DOTALL))
    files = {
        path.relative_to(HERE).as_posix(): path for path in HERE.rglob("*") if path.suffix in (".py", ".toml")
    }
    assert listed.keys() == files.keys()
    for name, path in files.items():
        assert listed[name] == path.read_text(encoding="utf-8"), name

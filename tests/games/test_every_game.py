"""Every registered game, and one that only tests know, through whatever asks a game for its facts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from companion import art
from companion.announce.render import TableRenderer
from companion.art.mat_sheet import mat_picture
from companion.commands.cli import group
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.core.mat_layout import MATS
from companion.devices.inputs import Inputs
from companion.games import game_named, game_names
from companion.games.game import Game
from companion.games.zone import default_zones
from companion.host import doctor
from companion.host.history import finished
from companion.host.zones import mat_zones
from companion.runtime.app import App
from companion.senses import watchers
from companion.store.folder import DataFolder
from companion.store.rows import GameRow
from companion.table.night import night
from companion.table.story import phrases
from companion.vision.camera.markers import find_mat
from web import create_app

Json = dict[str, Any]
SAME = {"Origin": "http://localhost"}
STATIC = Path(__file__).parents[2] / "web" / "static" / "games"
PLAYERS = ["Ida", "Jo", "Kai"]
GAMES = (*game_names(), "pig")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, pig: str) -> Game:
    return game_named(request.param)


@pytest.fixture
def app(tmp_path: Path, game: Game) -> Iterator[App]:
    """A real table without devices, where everybody decides."""
    made = App(Config(pages=PagesConfig(open_to_all=True)), DataFolder(tmp_path), inputs=Inputs())
    made.start()
    yield made
    made.stop()


@pytest.fixture
def phone(app: App) -> FlaskClient:
    return create_app(app.host, secret_key=app.data.key(), writer=TableRenderer(phrases)).test_client()


def post(phone: FlaskClient, path: str, data: Json) -> Json:
    reply = phone.post(path, json=data, headers=SAME)
    assert reply.status_code == 200, reply.get_data(as_text=True)
    answer: Json = reply.get_json()
    assert answer["ok"]
    return answer


def boot_of(page: str) -> Json:
    found: Json = json.loads(page.split('id="boot">')[1].split("</script>")[0])
    return found


def test_name_and_rules_agree(game: Game) -> None:
    assert game.rulebook.name == game.name
    setup = game.rulebook.header(PLAYERS, {})
    assert game.rulebook.expects(game.rulebook.start(setup))


def test_a_game_that_is_followed_has_a_watcher_zones_and_cards(game: Game) -> None:
    if game.followed:
        assert game.watcher in watchers.KINDS
        assert game.cards
        assert game.zones
    else:
        assert not game.zones, "nobody reads zones of a game that the camera does not follow"


def test_mat_and_guess_give_the_same_zones(game: Game) -> None:
    for seats in game.seats:
        guessed, on_mat = default_zones(game.zones, seats), mat_zones(MATS["a3"], game, min(seats, 6))
        if seats <= 6:
            assert list(guessed) == list(on_mat)
        assert all(len(corners) >= 3 for corners in guessed.values())


def test_a_scorer_counts_what_is_photographed(game: Game) -> None:
    assert (game.display_points is not None) == (game.photographed == "display")
    assert (game.tile_points is not None) == (game.photographed == "tiles")
    assert (game.points_of_display({}) is not None) == (game.photographed == "display")
    assert (game.points_of_tiles({}) is not None) == (game.photographed == "tiles")
    assert game.joker in ("", *game.cards)


def test_cards_can_be_drawn_where_a_drawing_is_named(game: Game) -> None:
    if game.drawing:
        assert art.card_labels(game.name) == list(game.cards)
        for label in game.cards:
            assert art.drawing(game.name, label).width > 0


def test_a_page_of_its_own_is_there_if_the_game_says_so(game: Game) -> None:
    assert (STATIC / game.name / "index.js").is_file() == game.page


def test_zones_are_taken_from_the_mat_and_no_other_is_offered(
    app: App, phone: FlaskClient, game: Game
) -> None:
    offered = post(phone, "/api/setup/state", {"game": game.name})["setup"]["zones"]
    expected = default_zones(game.zones, 4)
    assert set(offered) == set(expected)
    if not game.zones:
        return
    mat = np.asarray(mat_picture(MATS["a3"], 2.0), np.uint8)
    image = np.pad(mat, ((500, 500), (700, 700), (0, 0)), constant_values=60)
    assert find_mat(image) is not None
    app.latest_frame.see(image, app.clock())
    taken = post(phone, "/api/setup/mat", {"game": game.name})["setup"]
    assert taken["source"] == "mat"
    shared = [zone.name for zone in game.zones if not zone.each_player and not zone.beside_mat]
    for zone in shared:
        assert taken["zones"][zone] != [list(corner) for corner in expected[zone]]
    assert set(taken["zones"]) == set(expected), "the watcher reads these and no other"


def test_doctor_speaks_of_the_decks_of_games_that_are_followed(game: Game, tmp_path: Path) -> None:
    found = {str(one.name): one for one in doctor.check_machine(Config(), DataFolder(tmp_path))}
    if game.followed:
        assert f"deck {game.name}" in found


def test_a_deck_is_named_by_the_cards_of_the_game(phone: FlaskClient, game: Game) -> None:
    if not game.cards:
        return
    enrolment = post(phone, "/api/enrol/open", {"deck": game.name})["enrolment"]
    assert [one["label"] for one in enrolment["labels"]] == list(game.cards)
    assert enrolment["missing"] == list(game.cards)
    assert enrolment["title"] == game.title


def test_replay_explains_and_rules_are_printed(game: Game, tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text(json.dumps({"game": game.name, "players": PLAYERS, "settings": {}}) + "\nnonsense\n")
    done = CliRunner().invoke(group, ["replay", str(script), "--json", "--explain"])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert result["explanations"][0]["text"]
    assert result["may"]
    printed = CliRunner().invoke(group, ["rules", game.name])
    assert printed.exit_code == 0
    assert printed.output.startswith(game.title)


def test_pages_are_told_the_facts_and_a_game_is_started_and_undone(phone: FlaskClient, game: Game) -> None:
    post(phone, "/api/command/new_game", {"game": game.name, "players": PLAYERS, "settings": {}})
    boot = boot_of(phone.get("/").get_data(as_text=True))
    assert boot["snapshot"]["game"]["title"] == game.title
    (facts,) = [one for one in boot["games"] if one["name"] == game.name]
    assert facts["fewest_points_win"] == game.fewest_points_win
    assert facts["cards"] == list(game.cards)
    form = boot_of(phone.get("/new").get_data(as_text=True))
    (shown,) = [one for one in form["games"] if one["name"] == game.name]
    assert [one["name"] for one in shown["settings"]] == list(game.rulebook.settings_type.__struct_fields__)
    for page in ("/table", "/history", "/help", "/photo", "/setup", "/past", "/enrol"):
        assert phone.get(page).status_code == 200, page


def test_the_night_ranks_by_what_wins(game: Game) -> None:
    row = GameRow(1, "k", 1, game.name, PLAYERS, {}, "20:00", "21:00", {"Ida": 3, "Jo": 1, "Kai": 2}, ["Ida"])
    (shown,) = night([finished(row)]).games
    better, worse = ("Jo", "Kai") if game.fewest_points_win else ("Kai", "Jo")
    assert shown.points[better] > shown.points[worse]

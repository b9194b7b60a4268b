"""A game that was handed out as a file is opened again on the pages, and nothing else changes by it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import Phone
from flask.testing import FlaskClient
from past_evening import GAMES, evening, script
from playwright.sync_api import expect
from still_host import SAME
from web_server import serving_table

from companion.announce.render import TableRenderer
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.host.game_files import FILES, MOST_EVENTS
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.table.story import phrases
from web import create_app

HEADER = '{"game":"bugs_and_co","players":["Ida","Jo"],"settings":{}}'


@pytest.fixture
def service(tmp_path: Path) -> App:
    data = DataFolder(tmp_path)
    evening(data.journal, GAMES[:2])
    return App(Config(pages=PagesConfig(open_to_all=True)), data, inputs=Inputs())


@pytest.fixture
def client(service: App) -> Iterator[FlaskClient]:
    service.start()
    yield create_app(service.host, secret_key=b"k" * 32, writer=TableRenderer(phrases)).test_client()
    service.stop()


@pytest.fixture
def played(service: App) -> Iterator[str]:
    pages = create_app(service.host, secret_key=service.data.key(), writer=TableRenderer(phrases))
    with serving_table(service, pages) as address:
        yield address


def sent(client: FlaskClient, text: str, name: str = "game.jsonl") -> tuple[int, dict[str, str]]:
    answer = client.post("/api/past/file", json={"name": name, "text": text}, headers=SAME)
    return answer.status_code, answer.get_json()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_opens_with_the_steps_that_it_had(client: FlaskClient, game: str) -> None:
    text = "\n".join(map(json.dumps, script(game)))
    status, reply = sent(client, text, "2026-11-21_1930_x_12.jsonl")
    assert status == 200
    steps = client.get(f"/api/past/file/{reply['key']}/steps?first=7").get_json()
    assert [step["n"] for step in steps["steps"]][:2] == [7, 8]
    assert steps["last"] == len(script(game)) - 1
    assert steps["started"] == "2026-11-21T19:30:00+00:00"
    assert all(step["entry"]["text"] for step in steps["steps"])
    if game in GAMES[:2]:
        own = client.get(f"/api/past/{GAMES.index(game) + 1}/steps?first=7").get_json()
        shown = ("state", "scores", "winner", "phase", "turn")
        assert [[step[key] for key in shown] for step in own["steps"]] == [
            [step[key] for key in shown] for step in steps["steps"]
        ]


def test_an_exported_game_opens_again_and_changes_nothing(client: FlaskClient, service: App) -> None:
    before = client.get("/past/results.csv").data, client.get("/state.json").get_json()
    text = client.get("/past/1.jsonl").get_data(as_text=True)
    assert sent(client, text) == sent(client, text)
    assert sent(client, text)[0] == 200
    assert (client.get("/past/results.csv").data, client.get("/state.json").get_json()) == before
    assert len(service.host.history.state().games) == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is no game in this file"),
        ("\n \n", "there is no game in this file"),
        ("PK\x03\x04 not a game", "line 1 is no event"),
        ("[1, 2]", "line 1 is no event"),
        (HEADER + "\n{}\n{", "line 3 is no event"),
        (HEADER.replace("bugs_and_co", "chess"), "the games are"),
        (HEADER.replace('"Jo"', '"Ida"'), "distinct names"),
        (HEADER.replace('"settings":{}', '"settings":{"target":1}'), "settings"),
        (HEADER + "\n{}" * (MOST_EVENTS + 1), f"more than {MOST_EVENTS} events"),
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(client: FlaskClient, text: str, says: str) -> None:
    status, reply = sent(client, text)
    assert status == 422
    assert says in reply["text"]


def test_a_file_that_is_too_large_is_refused(client: FlaskClient) -> None:
    status, reply = sent(client, " " * (1024 * 1024))
    assert (status, reply["code"]) == (413, "too_large")


def test_only_the_latest_files_are_kept(client: FlaskClient) -> None:
    keys = [sent(client, HEADER + "\n" * n)[1]["key"] for n in range(FILES + 1)]
    assert client.get(f"/past/file/{keys[-1]}").status_code == 200
    gone = client.get(f"/api/past/file/{keys[0]}/steps")
    assert (gone.status_code, gone.get_json()["code"]) == (422, "game_file.closed")


def test_a_guest_opens_none(guest: FlaskClient) -> None:
    assert sent(guest, HEADER)[0] == 403


def test_a_game_is_handed_out_and_opened_again_by_tapping(
    played: str, phones: Callable[..., Phone], tmp_path: Path
) -> None:
    phone = phones(played)
    phone.excuse("status of 422")
    page = phone.open("/past")
    with page.expect_download() as handed_out:
        page.get_by_role("link", name="The game as a file").first.click()
    file = tmp_path / handed_out.value.suggested_filename
    handed_out.value.save_as(file)
    nonsense = tmp_path / "holiday.txt"
    nonsense.write_text("sun and sea", encoding="utf-8")
    page.get_by_label("A game as a file").set_input_files(nonsense)
    expect(page.get_by_role("alert").first).to_contain_text("holiday.txt was not opened: line 1 is no event")
    large = tmp_path / "film.mp4"
    large.write_bytes(b"0" * 1_000_000)
    page.get_by_label("A game as a file").set_input_files(large)
    expect(page.get_by_role("alert").first).to_have_text("film.mp4 is too large to be a game.")
    page.get_by_label("A game as a file").set_input_files(file)
    page.wait_for_url("**/past/file/*")
    expect(page.locator("main")).to_contain_text(f"Opened from a file: {file.name}.")
    phone.tap("Last event")
    expect(page.locator(".winner").first).to_be_visible()

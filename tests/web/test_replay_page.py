"""Past games that open: step by step, by keys, slider and links, with the table as it was."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from chromium import Phone
from past_evening import evening, script
from playwright.sync_api import expect
from web_server import serving_table

from companion.announce.render import TableRenderer
from companion.core.config import Config
from companion.core.config import Pages as PagesConfig
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder
from companion.store.journal import Journal
from companion.table.record import opened
from companion.table.story import phrases
from web import create_app


@pytest.fixture
def app(tmp_path: Path) -> App:
    """A table at which the golden playthroughs were played."""
    data = DataFolder(tmp_path)
    evening(data.journal)
    return App(Config(pages=PagesConfig(open_to_all=True)), data, inputs=Inputs())


@pytest.fixture
def played(app: App) -> Iterator[str]:
    pages = create_app(app.host, secret_key=app.data.key(), writer=TableRenderer(phrases))
    with serving_table(app, pages) as address:
        yield address


def test_every_step_of_a_game_is_served_as_described(app: App) -> None:
    app.start()
    client = create_app(app.host, secret_key=b"k" * 32, writer=TableRenderer(phrases)).test_client()
    try:
        for game in range(1, 6):
            last = app.host.history.steps(game, 0).last
            for first in range(0, last + 1, 50):
                page = client.get(f"/api/past/{game}/steps?first={first}").get_json()
                numbers = [step["n"] for step in page["steps"]]
                assert numbers == list(range(first, min(first + 50, last + 1)))
                assert all(step["entry"]["text"] for step in page["steps"] if step["n"])
        assert client.get("/api/past/6/steps").status_code == 422
        assert client.get("/past/6").status_code == 422
        assert client.get("/past/2?step=x").status_code == 200
    finally:
        app.stop()


def test_the_last_step_is_the_result(app: App) -> None:
    app.start()
    try:
        for game in app.host.history.state().games:
            last = app.host.history.steps(game.id, 0).last
            (step,) = app.host.history.steps(game.id, last).steps
            assert (step.scores, step.winner) == (game.scores, game.winner)
    finally:
        app.stop()


def test_a_game_opens_from_the_list_and_is_stepped_through(played: str, phones: Callable[..., Phone]) -> None:
    phone = phones(played, locale="en-GB")
    page = phone.open("/past")
    page.get_by_role("link", name="Seven Merry Monsters").click()
    now = page.locator(".event-now h2")
    expect(now).to_have_text("The game begins.")
    phone.tap("Next")
    expect(now).to_have_text("Kai lays a card face down into hidden column 1.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".steps output")).to_have_text("3 of 83")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".steps output")).to_have_text("2 of 83")
    page.get_by_role("slider", name="Event").fill("60")
    expect(now).to_have_text("Jo plays joker.")
    expect(page.locator(".event-now")).to_contain_text("Kai takes trick 3 with the highest number")
    expect(page.locator(".seat", has_text="Jo").locator(".score")).to_have_text("34")
    page.keyboard.press("End")
    expect(page.locator(".event-now .winner")).to_have_text("Jo wins.")
    assert phone.overflow() <= 0


def test_a_link_opens_its_step(played: str, phones: Callable[..., Phone]) -> None:
    page = phones(played).open("/past/3?step=50")
    expect(page.locator(".event-now h2")).to_have_text("Ida draws nothing.")
    expect(page.locator("[aria-current=step]")).to_have_count(1)
    assert page.locator(".scene .lattice image").count() > 0
    page.locator(".log button", has_text=re.compile("^45")).click()
    expect(page).to_have_url(re.compile(r"step=45$"))
    page.get_by_role("button", name="Link to this step").click()
    expect(page.locator(".step-link")).to_have_value(f"{played}/past/3?step=45")


def test_the_game_leaves_as_a_file(played: str, phones: Callable[..., Phone]) -> None:
    page = phones(played).open("/past/1")
    with page.expect_download() as download:
        page.get_by_role("link", name="The game as a file").click()
    assert download.value.suggested_filename.endswith("_nasty_7_1.jsonl")
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(script("nasty_7"))


def test_a_thousand_events_stay_quick(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    header, *events = script("thirteen_monsters")
    with Journal(data.journal) as journal, journal.together():
        row = journal.begin_game(header["game"], header["players"], header["settings"])
        record = opened(header)
        for n in range(1, 1001):
            event = events[(n // 2) % 80] if n % 2 == 0 else {"event": "undone"}
            journal.append(row.id, n, float(n), event, source="phone", code=record.push(event).code)
    app = App(Config(), data, inputs=Inputs())
    app.start()
    try:
        began = time.monotonic()
        app.host.history.steps(1, 0)
        replayed = time.monotonic() - began
        began = time.monotonic()
        for first in range(0, 1000, 50):
            assert len(app.host.history.steps(1, first).steps) == 50
        pages = time.monotonic() - began
    finally:
        app.stop()
    assert pages < 20 * max(0.5, replayed), "the game is not replayed for each page"

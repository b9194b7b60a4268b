"""Every page, in both schemes, from a small phone to a television: no axe findings, targets
for a thumb, plain words.

The list of pages is that of the application: a new one is looked at as soon as it is there.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chromium import Phone
from flask import Flask
from playwright.sync_api import Page, expect
from test_browser_position import send

from companion.games import game_names

Phones = Callable[..., Phone]
AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = {320: 568, 360: 740, 768: 1024, 1920: 1080}
LOOKS = [("dark", width) for width in WIDTHS] + [("light", 360), ("light", 1920)]
"""The layout does not depend on the scheme: light ones are looked at on a phone and on a television."""
OF_LAYOUT = ["color-contrast", "target-size", "scrollable-region-focusable"]
"""The rules whose result depends on width and scheme; all others are asked once."""
PLAYERS = ("Ida", "Jo", "Maximiliane")
RUN = """async (rules) => {
  const only = rules ? {runOnly: {type: "rule", values: rules}} : {};
  const found = await axe.run(document, {resultTypes: ["violations"], ...only});
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}`));
}"""
SMALL = """() => [...document.querySelectorAll("button, select, input, summary, a")].filter((one) => {
  const box = one.getBoundingClientRect();
  if (box.width < 2 || one.closest(".unseen")) return false;
  if (!one.checkVisibility({visibilityProperty: true})) return false;
  if (one.matches(".unseen, [type=file], [type=checkbox], [type=radio]")) return false;
  if (one.localName === "a" && getComputedStyle(one).display === "inline") return false;
  return box.height < 43.5 || box.width < 43.5;
}).map((one) => `${one.outerHTML.slice(0, 120)} ${JSON.stringify(one.getBoundingClientRect())}`)"""
OVER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
ZOOMED = """() => [...document.querySelectorAll("input, select, textarea")].filter((one) => {
  if (one.matches(".unseen, [type=file], [type=checkbox], [type=radio], [type=range]")) return false;
  return parseFloat(getComputedStyle(one).fontSize) < 16;
}).map((one) => one.outerHTML.slice(0, 120))"""
"""Fields into which an iPhone zooms."""
ENGINEERS = re.compile(
    r"`|\b[a-z]+_[a-z_]+\b|\bsudo\b|\bvenv\b|--[a-z]|\bJSON\b|\bundefined\b|\bNaN\b|\[object"
)
"""Names of settings and codes, commands, data: no words for players."""


OWNERS = ("/devices", "/settings", "/machine")
"""The pages of whoever owns the machine."""


OF_A_GAME = ("/", "/table", "/help")
"""The pages that differ from game to game, looked at for each."""


def html_pages(app: Flask) -> list[str]:
    """The addresses of all pages without a parameter."""
    client = app.test_client()
    paths = sorted(
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and rule.rule != "/events"
    )
    return [path for path in paths if not Path(path).suffix and client.get(path).mimetype == "text/html"]


@pytest.fixture
def axe() -> str:
    if not AXE.exists():
        pytest.skip("no axe-core here: npm ci")
    return AXE.read_text(encoding="utf-8")


def findings(page: Page, axe: str) -> list[str]:
    """What is wrong with the page as it is shown."""
    page.evaluate(axe)
    found: list[str] = []
    if not page.url.endswith(OWNERS):
        found = [f"words: {text}" for text in ENGINEERS.findall(page.locator("main").inner_text())]
    for scheme, width in LOOKS:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        rules = None if (scheme, width) == ("dark", 360) else OF_LAYOUT
        found += [f"{scheme} {width} {one}" for one in page.evaluate(RUN, rules)]
        if scheme == "dark":
            over = page.evaluate(OVER)
            found += [f"{over} pixels wider than {width}"] if over > 0 else []
            found += [f"{width} small: {one}" for one in page.evaluate(SMALL)]
            found += [f"{width} zoomed: {one}" for one in page.evaluate(ZOOMED)]
    return found


def begin(page: Page, game: str) -> None:
    data: dict[str, Any] = {"game": game, "players": PLAYERS, "settings": {}}
    send(page, "new_game", data)


def test_there_are_pages(app: Flask) -> None:
    pages = html_pages(app)
    assert {"/", "/history", "/help", "/rules", "/join", "/setup", "/table", "/new", "/past"} <= set(pages)


def test_every_page_is_without_a_finding(table: str, app: Flask, phones: Phones, axe: str) -> None:
    phone = phones(table)
    phone.excuse("status of 422")  # there is no camera
    begin(phone.open(), "seven_merry_monsters")
    wrong = {}
    for path in sorted({*html_pages(app)} - {*OF_A_GAME}):
        page = phone.open(path)
        found = findings(page, axe)
        if found:
            wrong[path] = found
    assert not wrong, wrong


@pytest.mark.parametrize("game", game_names())
def test_the_board_of_every_game_is_without_a_finding(
    game: str, table: str, phones: Phones, axe: str
) -> None:
    phone = phones(table)
    begin(phone.open(), game)
    wrong = {path: found for path in OF_A_GAME if (found := findings(phone.open(path), axe))}
    assert not wrong, wrong


def test_arrow_keys_move_between_the_cards_of_a_picker(table: str, phones: Phones) -> None:
    phone = phones(table)
    begin(phone.open(), "seven_merry_monsters")
    page = phone.open()
    phone.tap("Enter Ida's card")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="red 1", exact=True).focus()
    for key, card in [
        ("ArrowRight", "red 2"),
        ("ArrowDown", "orange 2"),
        ("ArrowLeft", "orange 1"),
        ("ArrowUp", "red 1"),
    ]:
        page.keyboard.press(key)
        expect(dialog.get_by_role("button", name=card, exact=True)).to_be_focused()

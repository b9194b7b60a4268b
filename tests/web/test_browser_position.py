"""What the rules refuse is counted, and how things stand is put right, by tapping, at a real table."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import Phone
from playwright.sync_api import Page, expect

Phones = Callable[..., Phone]


def picture(page: Page, name: str) -> None:
    """Keeps a picture of the page for looking at, where a folder for them is named."""
    folder = os.environ.get("COMPANION_PICTURES")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


def start(phone: Phone, game: str, *players: str) -> Page:
    """A new game on the board."""
    page = phone.seats(game, *players)
    phone.tap("Start with", exact=False)
    page.wait_for_url("**/")
    return page


def send(page: Page, name: str, data: dict[str, object]) -> None:
    """A command as another phone of the referee would send it."""
    page.evaluate(
        """([name, data]) => fetch(`/api/command/${name}`, {method: "POST", body: JSON.stringify(data),
            headers: {"Content-Type": "application/json"}}).then((reply) => reply.json())""",
        [name, data],
    )


def score(page: Page, player: str, points: str) -> None:
    expect(page.locator(".scores li", has_text=player).locator(".score")).to_have_text(points)


def test_a_refused_move_is_counted_with_a_preview(table: str, phones: Phones) -> None:
    phone = phones(table)
    phone.excuse("409")
    page = start(phone, "Trio Monsters", "Ida", "Jo")
    send(page, "event", {"event": "card_revealed", "card": "red", "at": [0, 0]})
    send(page, "event", {"event": "card_played", "player": "Jo", "card": "blue", "at": [0, 1]})
    phone.tap("We play it so")
    sheet = page.get_by_role("dialog", name="What would change")
    expect(sheet.get_by_role("row", name="Jo: Cards in the hand")).to_contain_text("3")
    expect(sheet.get_by_role("row", name="Whose turn")).to_contain_text("Jo")
    picture(page, "preview")
    sheet.get_by_role("button", name="We play it so").click()
    expect(page.locator("h2").first).to_contain_text("Jo")
    page.goto("/history")
    expect(page.locator(".log")).to_contain_text("The table counts move 2, against rule TRIO-5.")
    expect(page.locator(".log")).to_contain_text("the table counts it: entry 3")
    picture(page, "history")
    assert phone.overflow() == 0


def test_history_opens_the_form_where_the_outcome_is_not_known(table: str, phones: Phones) -> None:
    phone = phones(table)
    phone.excuse("409")
    page = start(phone, "The Nasty 7", "Ida", "Jo")
    send(page, "event", {"event": "accused", "by": ["Jo"], "t": 1})
    page.goto("/history")
    page.locator("button.entry").first.click()
    phone.tap("We play it so", exact=False)
    page.wait_for_url("**/position?entry=1")
    phone.tap("Cards in the stack: Ida: one less")
    expect(page.locator(".sums")).to_have_text("109 of 110 cards in the stacks, on the pile and in the box")
    expect(page.get_by_role("button", name="What would change?")).to_be_disabled()
    picture(page, "nasty")
    phone.tap("Cards in the stack: Jo: one more")
    phone.tap("What would change?")
    phone.tap("We play it so")
    page.wait_for_url("**/")
    score(page, "Ida", "54")


@pytest.mark.parametrize(
    ("game", "taps"),
    [
        ("Seven Merry Monsters", ["One more round", "Round 1: Ida: one more"]),
        ("Bugs & Co", ["Tiles taken: Ida: one more"]),
        ("13 Monsters", ["Ida: Add (Monsters)", "Add"]),
        ("Trio Monsters", ["Cards won: Ida: one more", "Draw pile: one less"]),
    ],
)
def test_every_game_is_put_right_by_tapping(table: str, phones: Phones, game: str, taps: list[str]) -> None:
    phone = phones(table)
    page = start(phone, game, "Ida", "Jo", "Kai")
    phone.tap("Menu")
    phone.tap("How things stand", exact=False)
    page.wait_for_url("**/position")
    for tap in taps:
        phone.tap(tap)
    picture(page, f"form {game}")
    assert phone.overflow() == 0
    phone.tap("What would change?")
    picture(page, f"preview {game}")
    phone.tap("That is how things stand")
    page.wait_for_url("**/")
    expect(page.get_by_role("button", name="Undo: The table agreed on how things stand.")).to_be_enabled()


def test_a_game_moves_to_another_table_as_a_line(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "Trio Monsters", "Ida", "Jo")
    won = {"won": {"Ida": 4, "Jo": 0}, "draw_pile": 50}
    send(page, "position", {"state": {**won, "phase": "play", "turn": "Ida"}})
    score(page, "Ida", "4")
    page.goto("/new")
    phone.tap("Copy this game")
    line = page.get_by_label("The game in one line").input_value()
    assert json.loads(line)["state"]["won"] == {"Ida": 4, "Jo": 0}
    picture(page, "copy")
    phone.tap("Close")
    phone.tap("Paste a game")
    page.get_by_label("The game in one line").fill("no game")
    phone.tap("Go on with this game")
    expect(page.get_by_role("alert")).to_contain_text(["That is not the line of a game."])
    page.get_by_label("The game in one line").fill(line.replace('"Ida":4', '"Ida":3').replace(":50", ":51"))
    phone.tap("Go on with this game")
    page.wait_for_url("**/")
    score(page, "Ida", "3")


def test_without_twins_the_set_up_asks_for_the_cards(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.seats("The Nasty 7", "Ida", "Jo")
    page.get_by_text("House rules").click()
    page.get_by_label("Twins").uncheck()
    phone.tap("Start with", exact=False)
    expect(page.get_by_text("Without the twins I have to know how many cards there are.")).to_be_visible()
    picture(page, "cards each")
    page.get_by_label("How many cards does each player hold?").fill("22")
    page.get_by_label("How many cards does each player hold?").blur()
    phone.tap("Start with", exact=False)
    page.wait_for_url("**/")
    score(page, "Ida", "22")

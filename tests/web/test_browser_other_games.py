"""The three games whose tables are more than a pile: entered by tapping on lattice, tiles and grid."""

import re
from collections.abc import Callable

from chromium import Phone
from playwright.sync_api import Route, expect
from test_browser_play import scores, start
from test_browser_position import send

Phones = Callable[..., Phone]


def test_trio_monsters_are_laid_on_the_lattice(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "Trio Monsters", "Ida", "Jo")
    phone.tap("Enter the first card")
    phone.tap("green")
    expect(page.locator(".lattice-table image")).to_have_count(1)
    for place in ("row 1, place 0", "row 1, place -1", "row 1, place 1"):
        phone.tap("Enter Ida's card")
        phone.tap("green")
        phone.tap(place)
    expect(page.locator("#verdict")).to_have_text("Ida caught 4 cards.")
    scores(page, Ida="4")
    phone.tap("Ida ends the turn")
    expect(page.locator("h2").first).to_have_text("Jo lays cards.")


def test_a_press_while_a_card_is_on_its_way_means_the_table_with_that_card(
    table: str, phones: Phones
) -> None:
    phone = phones(table)
    page = start(phone, "Trio Monsters", "Ida", "Jo")
    phone.tap("Enter the first card")
    phone.tap("green")
    expect(page.locator(".lattice-table image")).to_have_count(1)
    held: list[Route] = []
    page.route("**/api/command/event", lambda route: held.append(route))
    for name in ("Enter Ida's card", "green"):
        phone.tap(name)
    with page.expect_request("**/api/command/event"):
        phone.tap("row 1, place 0")
    phone.tap("Enter Ida's card")
    expect(page.get_by_role("dialog")).to_have_count(0)
    held[0].continue_()
    page.unroute("**/api/command/event")
    for name in ("green", "row 1, place -1"):
        phone.tap(name)
    expect(page.locator(".lattice-table image")).to_have_count(3)


def test_bugs_are_counted_tile_by_tile(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "Bugs & Co", "Ida", "Jo")
    phone.tap("Start!")
    phone.tap("A trophy was taken")
    phone.tap("Jo")
    phone.tap("ten")
    phone.tap("Counted down to stop")
    phone.tap("Ida's tiles")
    for _ in range(3):
        page.get_by_role("button", name=re.compile("^spiral: ")).click()
    page.get_by_role("button", name=re.compile("^claw: ")).click()
    phone.tap("Enter 4 tiles")
    expect(page.locator(".scores li", has_text="Ida").locator(".score")).to_have_text("2")
    phone.tap("Jo's tiles")
    expect(page.get_by_role("button", name=re.compile("^spiral: "))).to_be_disabled()
    page.get_by_role("button", name=re.compile("^claw: ")).click()
    phone.tap("Enter 1 tile")
    expect(page.locator(".winner")).to_have_text("Ida and Jo win together.")


def test_thirteen_monsters_are_searched_on_the_grid(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "13 Monsters", "Ida", "Jo")
    for place in ("row 1, column 1", "row 9, column 9"):
        phone.tap(place)
        page.get_by_role("dialog").get_by_role("button", name="3 top", exact=True).click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#verdict")).to_have_text("Ida found a set.")
    expect(page.locator(".scores li", has_text="Ida")).to_contain_text("3")
    expect(page.locator(".scores").get_by_role("img", name="3 top")).to_be_visible()
    expect(page.get_by_role("button", name="row 1, column 1", exact=True)).to_have_count(0)
    phone.tap("row 1, column 2")
    page.get_by_role("dialog").get_by_role("button", name="4 top", exact=True).click()
    expect(page.locator(".cell").get_by_role("img", name="4 top")).to_be_visible()
    phone.tap("row 1, column 3")
    page.get_by_role("dialog").get_by_role("button", name="5 top", exact=True).click()
    expect(page.get_by_role("button", name="Ida ends the turn.")).to_be_visible()
    expect(page.locator(".grid-nine .cell:not(.gap)")).to_have_count(76)
    page.reload()
    expect(page.get_by_role("button", name="Ida ends the turn.")).to_be_visible()
    expect(page.locator(".grid-nine .cell:not(.gap)")).to_have_count(76)
    phone.tap("Ida ends the turn.")
    expect(page.locator("h2").first).to_have_text("Jo turns a card over.")
    phone.tap("row 1, column 2")
    expect(page.locator("#verdict")).to_contain_text("4 top")


FIGHT = {
    "phase": "attack",
    "turn": "Ida",
    "dealing": False,
    "sets": {"Ida": [], "Jo": [{"monster": 5, "part": "eyes"}, {"monster": 13, "part": "top"}]},
    "monsters": {"Ida": [{"parts": [1, 1, 1]}], "Jo": [{"parts": [3, 4, 5]}]},
    "cards_left": 62,
    "battle": {
        "attacker": "Ida",
        "defender": "Jo",
        "parts": [1, 1, 1],
        "set": {"monster": 13, "part": "top"},
        "throws": {"Ida": 5, "Jo": 4},
        "points": {"Ida": 8},
        "thrown": 1,
        "lying": [4, 4, 2, 1, 6],
    },
}


def test_a_fight_shows_monsters_and_dice_and_is_thrown_with_the_main_keys(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = start(phone, "13 Monsters", "Ida", "Jo")
    send(page, "event", {"event": "position", "state": FIGHT})
    fight = page.get_by_role("region", name="The fight")
    expect(fight.get_by_role("img", name="1-1-1")).to_be_visible()
    expect(fight.get_by_role("img", name="13 top")).to_be_visible()
    dice = fight.get_by_role("group", name="Thrown").get_by_role("img")
    expect(dice).to_have_count(5)
    expect(page.locator(".main-actions .primary")).to_have_text(["Throw", "Stop"])
    phone.tap("Throw")
    phone.tap("4-4")
    for value in "144":
        page.get_by_role("dialog").get_by_role("button", name=value, exact=True).click()
    phone.tap("Enter")
    expect(page.locator("#verdict, .fight")).to_contain_text(["16", ""])
    phone.tap("Stop")
    expect(page.locator("h2").first).to_have_text("Jo throws the dice.")

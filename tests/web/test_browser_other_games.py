"""The three games whose tables are more than a pile: entered by tapping on lattice, tiles and grid."""

import re
from collections.abc import Callable

from chromium import Phone
from playwright.sync_api import Route, expect
from test_browser_play import scores, start

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
    expect(page.locator(".scores li", has_text="Ida")).to_contain_text("3 top")
    expect(page.get_by_role("button", name="row 1, column 1", exact=True)).to_have_count(0)
    phone.tap("row 1, column 2")
    page.get_by_role("dialog").get_by_role("button", name="4 top", exact=True).click()
    phone.tap("row 1, column 3")
    page.get_by_role("dialog").get_by_role("button", name="5 top", exact=True).click()
    expect(page.get_by_role("button", name="Ida ends the turn.")).to_be_visible()
    expect(page.locator(".grid-nine .cell:not(.gap)")).to_have_count(76)
    page.reload()
    expect(page.get_by_role("button", name="Ida ends the turn.")).to_be_visible()
    expect(page.locator(".grid-nine")).to_have_count(0)
    phone.tap("Ida ends the turn.")
    expect(page.locator("h2").first).to_have_text("Jo turns a card over.")
    phone.tap("row 1, column 2")
    expect(page.locator("#verdict")).to_contain_text("4 top")

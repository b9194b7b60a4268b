"""Corrections on a phone: any entry, however old, by picking, with few taps."""

from collections.abc import Callable

from chromium import Phone
from playwright.sync_api import Page, expect
from test_browser_position import send

Phones = Callable[..., Phone]


def begin(page: Page, game: str, *players: str, **settings: object) -> None:
    send(page, "new_game", {"game": game, "players": players, "settings": settings})


def test_a_logged_card_is_corrected_with_three_taps(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open()
    begin(page, "nasty_7", "Ida", "Jo")
    send(page, "event", {"event": "card_played", "player": "Ida", "card": "gun"})
    page = phone.open("/history")
    page.locator("button.entry").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".rule-texts li").first).to_contain_text("N7-")
    dialog.locator(".suit").get_by_role("button", name="phone", exact=True).click()
    phone.tap("Change it")
    expect(page.locator(".log")).to_contain_text("Ida plays phone")


def test_every_entry_of_a_long_game_is_reached(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open()
    phone.excuse("409")
    begin(page, "nasty_7", "Ida", "Jo")
    page.evaluate("""async () => {
        const body = JSON.stringify({event: "card_played", player: "Nobody", card: "gun"});
        const headers = {"Content-Type": "application/json"};
        for (let n = 0; n < 104; n += 1) await fetch("/api/command/event", {method: "POST", headers, body});
    }""")
    page = phone.open("/history")
    expect(page.locator(".log li")).to_have_count(100)
    phone.tap("Show all 104 entries")
    expect(page.locator(".log li")).to_have_count(104)
    expect(page.locator("h2")).to_have_text("Round 1")


def test_an_entered_display_opens_again_with_its_columns(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open()
    begin(page, "seven_merry_monsters", "Ida", "Jo", "Kai", tracking="scan")
    display = {"red": {"cards": 4, "jokers": 1}, "blue": {"cards": 6, "jokers": 0}}
    send(page, "event", {"event": "display_scanned", "player": "Ida", "display": display})
    page = phone.open("/history")
    page.locator("button.entry").click()
    page.wait_for_url("**/photo**")
    expect(page.locator(".total b")).to_have_text("10")
    phone.tap("red cards: one less")
    phone.tap("green cards: one more")
    expect(page.locator(".total b")).to_have_text("19")
    assert phone.overflow() == 0
    phone.tap("Enter 19 points")
    page.wait_for_url("**/")
    columns = page.locator(".scores li", has_text="Ida").locator(".columns > li")
    expect(columns).to_have_count(3)


def test_a_list_of_numbers_is_corrected_by_picking(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open()
    begin(page, "nasty_7", "Ida", "Jo")
    send(page, "event", {"event": "card_played", "player": "Ida", "card": "racketeer"})
    send(page, "event", {"event": "heard", "words": ["six"]})
    page = phone.open("/history")
    page.locator("button.entry").first.click()
    phone.tap("Change: what was said", exact=False)
    phone.tap("one")
    phone.tap("Change it")
    expect(page.locator("main")).to_contain_text("Ida was right.")


def test_another_taker_of_a_trick_asks_once_and_loses_nothing(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open()
    begin(page, "seven_merry_monsters", "Ida", "Jo", "Kai")
    for player, monster, number in [
        ("Ida", "red", 1), ("Jo", "orange", 6), ("Kai", "yellow", 3),
        ("Jo", "orange", 7), ("Kai", "yellow", 2), ("Ida", "green", 1),
    ]:  # fmt: skip
        card = {"monster": monster, "number": number}
        send(page, "event", {"event": "card_played", "player": player, "card": card})
    page = phone.open("/history")
    page.locator("button.entry").nth(3).click()
    phone.tap("yellow 7")
    expect(page.get_by_role("dialog")).to_contain_text("How did it go on at the table?")
    phone.tap("As entered", exact=False)
    phone.tap("Change it")
    expect(page.locator("main")).to_contain_text("Kai plays yellow 7")
    expect(page.locator("main")).not_to_contain_text("not accepted")
    expect(page.locator("h2").first).to_have_text("Round 1, trick 3")


def test_why_opens_the_text_of_the_rule_with_one_tap(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open()
    begin(page, "nasty_7", "Ida", "Jo")
    send(page, "event", {"event": "card_played", "player": "Ida", "card": "racketeer"})
    send(page, "event", {"event": "heard", "words": ["six"]})
    page = phone.open()
    expect(page.locator("#verdict")).to_have_text("Ida said six. It was one.")
    page.get_by_role("link", name="Why?").click()
    dialog = page.get_by_role("dialog", name="Ida calls: six.")
    expect(dialog).to_contain_text("Ida said six. It was one.")
    expect(dialog.locator(".rule-texts li").first).to_contain_text("N7-")


def test_a_round_says_what_is_counted_and_who_is_missing(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open()
    begin(page, "seven_merry_monsters", "Ida", "Jo", "Cleo", tracking="scan")
    for player, blue in (("Ida", 6), ("Jo", 1)):
        display = {"red": {"cards": 4, "jokers": 1}, "blue": {"cards": blue, "jokers": 0}}
        send(page, "event", {"event": "display_scanned", "player": player, "display": display})
    page = phone.open()
    expect(page.locator("h2").first).to_have_text("Waiting for the display of Cleo.")
    expect(page.locator(".scores li", has_text="Ida")).to_contain_text("10 points this round")
    expect(page.locator(".scores li", has_text="Cleo")).not_to_contain_text("this round")

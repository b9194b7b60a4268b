"""The rules on the phone: two taps from the board, every id with its text, and what may be done now."""

import re
from collections.abc import Callable
from typing import Any

from chromium import Phone
from playwright.sync_api import expect

Phones = Callable[..., Phone]


def command(phone: Phone, name: str, **data: Any) -> None:
    headers = {"Origin": phone.base}
    assert phone.page.request.post(f"/api/command/{name}", data=data, headers=headers).ok


def trick(phone: Phone) -> None:
    """A trick with a joker, after which Kai has a joker to place."""
    command(phone, "new_game", game="seven_merry_monsters", players=["Ida", "Jo", "Kai"], settings={})
    cards = (("Ida", {"monster": "green", "number": 4}), ("Jo", {"monster": "joker"}))
    for player, card in (*cards, ("Kai", {"monster": "red", "number": 6})):
        command(phone, "event", event="card_played", player=player, card=card)


def test_two_taps_lead_from_the_board_to_the_text_of_a_rule(table: str, phones: Phones) -> None:
    phone = phones(table)
    trick(phone)
    page = phone.open("/")
    phone.tap("Menu")
    phone.tap("Rules", exact=False)
    expect(page.locator("h1")).to_have_text("Seven Merry Monsters")
    expect(page.locator("#SMM-29")).to_have_text("The highest total wins. SMM-29")
    assert phone.overflow() <= 0


def test_search_finds_rules_by_word_and_by_id(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open("/rules?game=thirteen_monsters")
    box = page.get_by_role("searchbox")
    box.fill("SUPERNOVA")
    expect(page.locator("#M13-43")).to_be_visible()
    expect(page.locator("#M13-12")).to_have_count(0)
    box.fill("m13-12")
    expect(page.locator(".rule-list li")).to_have_count(1)
    box.fill("chess")
    expect(page.locator(".lead")).to_have_text("No rule says that; try another word.")
    box.fill("")
    expect(page.locator("#sample")).to_be_visible()


def test_the_sample_turn_shows_its_cards_and_links_its_rules(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open("/rules?game=seven_merry_monsters")
    first = page.locator(".sample li").first
    expect(first).to_contain_text("Ida leads trick 1 with green 4.")
    expect(first.get_by_role("img", name="green 4")).to_be_visible()
    first.get_by_text("Why?").click()
    first.get_by_role("link", name="SMM-8").click()
    expect(page).to_have_url(re.compile("#SMM-8$"))
    expect(page.locator("#SMM-8")).to_have_class("found")
    expect(page.locator("#SMM-8")).to_be_in_viewport()


def test_between_two_games_the_phone_asks_which_game(table: str, phones: Phones) -> None:
    phone = phones(table)
    page = phone.open("/rules")
    page.get_by_role("link", name="Trio Monsters").click()
    expect(page.locator("h1")).to_have_text("Trio Monsters")


def test_history_shows_the_story_and_a_tap_the_rules_behind_it(table: str, phones: Phones) -> None:
    phone = phones(table)
    trick(phone)
    page = phone.open("/history")
    latest = page.locator(".log li").first
    expect(latest).to_contain_text("Kai takes trick 1 with the highest number, 6, and leads the next one.")
    latest.get_by_role("button").click()
    rules = page.locator("dialog .rule-texts")
    expect(rules).to_contain_text("SMM-13 Without a tie the highest number wins every card of the trick.")
    expect(rules.get_by_role("link", name="SMM-13")).to_have_attribute(
        "href", "/rules?game=seven_merry_monsters#SMM-13"
    )
    expect(page.get_by_role("button", name="Take it out")).to_be_visible()


def test_what_may_be_done_now_is_said_in_sentences_with_the_rule(table: str, phones: Phones) -> None:
    phone = phones(table)
    trick(phone)
    page = phone.open("/help")
    kai = page.locator(".deeds > li", has_text="Kai")
    expect(kai).to_contain_text("Kai: put a card into your display.")
    expect(kai).to_contain_text("SMM-18 You choose a column for each joker you win")
    expect(page.locator(".deeds > li", has_text="Ida")).to_contain_text("waits")
    command(phone, "event", event="card_placed", player="Kai", card={"monster": "joker"}, column="red")
    expect(kai).to_contain_text("Kai: play any card of your hand to the trick.")

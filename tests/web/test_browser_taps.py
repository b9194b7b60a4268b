"""How many taps what happens every evening takes, counted in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from chromium import Phone
from msgspec.structs import replace
from playwright.sync_api import expect
from still_host import StillHost, eventually
from test_browser_pages import photographed
from test_browser_play import start
from test_browser_position import send

from companion.api.photos import PhotoReading

Phones = Callable[..., Phone]


class Taps:
    """The taps on a phone since `begin`, across its pages."""

    def __init__(self, phone: Phone) -> None:
        self.count = 0
        phone.context.expose_function("companionTapped", self._tapped)
        phone.context.add_init_script(
            "addEventListener('click', (event) => event.isTrusted && window.companionTapped(), true)"
        )

    def _tapped(self) -> None:
        self.count += 1

    def begin(self) -> None:
        self.count = 0


def counted(phone: Phone) -> Taps:
    """Counts from now on; opens the board."""
    taps = Taps(phone)
    phone.open()
    return taps


def begin(phone: Phone, game: str, *players: str, **settings: Any) -> None:
    send(phone.page, "new_game", {"game": game, "players": players, "settings": settings})


def test_a_round_of_seven_merry_monsters_without_devices(
    still: str, host: StillHost, phones: Phones, tmp_path: Path
) -> None:
    """Each display is photographed; one has a doubtful card. The shutter of the phone is a tap that the page
    does not see."""
    host.pin = ""
    photo = photographed(host, tmp_path)
    read = host.read_photo

    def read_mostly_sure(player: str, jpeg: bytes) -> PhotoReading:
        found = read(player, jpeg)
        return found if player == "Ida" else replace(found, places=())

    host.read_photo = read_mostly_sure  # type: ignore[method-assign]
    phone = phones(still)
    taps = counted(phone)
    taps.begin()
    phone.tap("Score from a photo")
    for n, name in enumerate(("Ida", "Jo", "Kai")):
        phone.tap(name, exact=False)
        phone.page.set_input_files("#picture", photo)
        if name == "Ida":
            phone.page.locator(".quad.doubtful").click()
            phone.page.get_by_role("group", name="Likeliest").get_by_role("button", name="blue 7").click()
        phone.tap("Enter 13 points")
        eventually(lambda n=n: phone.page.evaluate("1") and len(host.asked) == n + 1)
        expect(phone.page.locator(".quad")).to_have_count(0)  # "joker" begins like Jo
    shutters = 3
    assert taps.count + shutters <= 15


def test_a_logged_card_is_corrected(table: str, phones: Phones) -> None:
    phone = phones(table)
    taps = counted(phone)
    begin(phone, "nasty_7", "Ida", "Jo")
    send(phone.page, "event", {"event": "card_played", "player": "Ida", "card": "gun"})
    page = phone.open("/history")
    taps.begin()
    page.locator("button.entry").click()
    page.get_by_role("dialog").locator(".suit").get_by_role("button", name="phone", exact=True).click()
    phone.tap("Change it")
    expect(page.locator(".log")).to_contain_text("Ida plays phone")
    assert taps.count <= 3


def test_a_card_of_an_entered_display_is_changed(table: str, phones: Phones) -> None:
    phone = phones(table)
    taps = counted(phone)
    begin(phone, "seven_merry_monsters", "Ida", "Jo", "Kai", tracking="scan")
    display = {"red": {"cards": 4, "jokers": 1}, "blue": {"cards": 6, "jokers": 0}}
    send(phone.page, "event", {"event": "display_scanned", "player": "Ida", "display": display})
    page = phone.open("/history")
    taps.begin()
    page.locator("button.entry").click()
    page.wait_for_url("**/photo**")
    phone.tap("red cards: one less")
    phone.tap("green cards: one more")
    phone.tap("Enter 19 points")
    page.wait_for_url("**/")
    assert taps.count <= 4


def test_why_is_asked_and_the_rule_is_there(table: str, phones: Phones) -> None:
    phone = phones(table)
    taps = counted(phone)
    begin(phone, "nasty_7", "Ida", "Jo")
    send(phone.page, "event", {"event": "card_played", "player": "Ida", "card": "racketeer"})
    send(phone.page, "event", {"event": "heard", "words": ["six"]})
    page = phone.open()
    taps.begin()
    page.get_by_role("link", name="Why?").click()
    expect(page.get_by_role("dialog").locator(".rule-texts li").first).to_contain_text("N7-")
    assert taps.count == 1
    rule = page.get_by_role("dialog").locator(".rule-texts a").first
    name = rule.inner_text()
    rule.click()
    expect(page.locator(f"[id='{name}'].found")).to_be_visible()
    assert taps.count == 2


def test_the_countdown_of_bugs_and_co(table: str, phones: Phones) -> None:
    phone = phones(table)
    taps = counted(phone)
    page = start(phone, "Bugs & Co", "Ida", "Jo")
    phone.tap("Start!")
    phone.tap("A trophy was taken")
    phone.tap("Jo")
    expect(page.locator("h2").first).to_contain_text("Count down together")
    taps.begin()
    phone.tap("Counted down to stop")
    expect(page.locator("h2").first).to_contain_text("Count the tiles")
    assert taps.count == 1

"""The table view: composed for each game, with the code to join, names that fit, and the winner's moment."""

from collections.abc import Callable
from typing import Any

import pytest
from chromium import Phone
from past_evening import rename, script
from playwright.sync_api import Page, expect
from still_host import StillHost

from companion.games import game_named
from companion.table.record import opened

TELEVISIONS = ({"width": 1920, "height": 1080}, {"width": 1280, "height": 720})
LONG = [
    "Großtante Wilhelmine K.",
    "Maximilian-Alexander B.",
    "Bartholomäus Schneider",
    "Annabelle-Josephine W.",
    "Christopher Robinsonson",
    "Konstantin Oppenheimer",
    "Friederike von Lilienth.",
    "Jo",
]
Json = dict[str, Any]


def shown(game: str, events: int | None = None, names: list[str] | None = None) -> Json:
    """A snapshot of a golden playthrough after so many events (None: all)."""
    header, *played = script(game)
    players = names or header["players"]
    header, *played = rename([header, *played], dict(zip(header["players"], players, strict=False)))
    record = opened({**header, "players": players} if names else header)
    for event in played[:events]:
        record.push(event)
    view = record.book.view(record.state)
    seats = [{"name": name, "colour": "#56B4E9", "shape": "star"} for name in players]
    title = game_named(game).title
    return {
        "seq": 9,
        "game": {"id": 1, "name": game, "title": title, "settings": {}, "players": seats},
        "state": view,
        "scores": record.scores(),
        "winner": record.winner(),
        "phase": view["phase"],
        "turn": view.get("turn"),
        "log": [],
        "offers": [],
        "questions": [],
        "sources": {},
        "announcement": None,
    }


def cut_off(page: Page) -> list[str]:
    """The names that do not fit into their places, and seats that are too small for what they show."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".seat-name > span, .seat")]
            .filter(one => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
            .map(one => one.textContent)"""
    )
    return found


@pytest.mark.parametrize("screen", TELEVISIONS)
def test_eight_long_names_fit(
    still: str, host: StillHost, phones: Callable[..., Phone], screen: dict[str, int]
) -> None:
    host.shown |= shown("bugs_and_co", 0, LONG)
    phone = phones(still, viewport=screen)
    page = phone.open("/table")
    expect(page.locator(".seat")).to_have_count(8)
    assert cut_off(page) == []
    assert phone.overflow() <= 0
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("screen", TELEVISIONS)
@pytest.mark.parametrize(
    ("game", "events", "looked_for"),
    [
        ("seven_merry_monsters", 76, ".trick .card"),
        ("trio_monsters", 40, ".lattice image"),
        ("nasty_7", 2, ".heap"),
        ("bugs_and_co", 3, ".trophies .trophy"),
        ("thirteen_monsters", 30, ".fight .dice"),
    ],
)
def test_each_game_has_its_table(
    still: str,
    host: StillHost,
    phones: Callable[..., Phone],
    game: str,
    events: int,
    looked_for: str,
    screen: dict[str, int],
) -> None:
    host.shown |= shown(game, events)
    page = phones(still, viewport=screen).open("/table")
    expect(page.locator(f".middle {looked_for}").first).to_be_visible()
    expect(page.get_by_role("img", name="QR code to join")).to_be_visible()
    expect(page.locator(".join-address")).to_contain_text("192.168.1.20:8080")
    assert cut_off(page) == []


def test_columns_show_their_cards_and_what_they_are_worth(
    still: str, host: StillHost, phones: Callable[..., Phone]
) -> None:
    host.shown |= shown("seven_merry_monsters", 76)
    page = phones(still, viewport=TELEVISIONS[0]).open("/table")
    jo = page.locator(".seat", has_text="Jo")
    columns = host.shown["state"]["display"]["Jo"]
    expect(jo.locator(".display-columns li")).to_have_count(len(columns))
    expect(jo.locator(".column-points").first).to_have_text("10")  # StillHost.points
    expect(jo.locator(".display-sums")).to_have_text(
        f"{10 * len(columns)} points this round · rounds: {host.shown['state']['round_scores'][0]['Jo']}"
    )


def test_a_referees_television_shows_a_code_when_a_phone_asks(
    still: str, host: StillHost, phones: Callable[..., Phone]
) -> None:
    host.shown |= shown("trio_monsters", 3)
    guest = phones(still, viewport=TELEVISIONS[1]).open("/table")
    referee = phones(still, viewport=TELEVISIONS[1])
    referee.open("/join#code=4711")
    expect(referee.page).to_have_url(f"{still}/")
    television = referee.open("/table")
    asks = {"code": "phone_asks", "params": {}, "priority": 1, "text": "A phone asks."}
    host.publish(10, announcement=asks)
    expect(television.locator(".pairing-code")).to_have_text("471 1")
    host.publish(11, announcement={**asks, "code": "phone_paired"})
    expect(television.locator(".pairing-code")).to_have_count(0)
    expect(guest.locator("#verdict")).to_have_text("A phone asks.")
    expect(guest.locator(".pairing-code")).to_have_count(0)
    expect(guest.get_by_role("button", name="Show a code")).to_have_count(0)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_winners_moment_is_a_picture(
    still: str, host: StillHost, phones: Callable[..., Phone], motion: str
) -> None:
    host.shown |= shown("nasty_7", None, LONG[:4])
    phone = phones(still, viewport=TELEVISIONS[0], reduced_motion=motion)
    page = phone.open("/table")
    expect(page.locator(".victory .winner")).to_have_text("Annabelle-Josephine W. wins.")
    expect(page.locator(".others li")).to_have_count(3)
    expect(page.locator(".others li").first).to_contain_text("Maximilian-Alexander B.")
    falling = page.evaluate("getComputedStyle(document.querySelector('.piece')).animationName")
    assert falling == ("none" if motion == "reduce" else "fall")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert phone.overflow() <= 0

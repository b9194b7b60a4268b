"""A phone whose Wi-Fi stalls, and a browser with many tabs."""

import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from chromium import Phone, press
from playwright.sync_api import Route, expect
from stalling_proxy import stalling
from still_host import StillHost, eventually
from test_browser_play import start
from web_server import serving

from web import create_app

Phones = Callable[..., Phone]
WITHIN_5_S = 5_000
SETTLED_MS = 2_500


@pytest.fixture
def game(table: str, phones: Phones) -> Phone:
    phone = phones(table)
    start(phone, "The Nasty 7", "Ida", "Jo")
    return phone


def test_a_press_is_shown_as_sent_and_counts_once(game: Phone) -> None:
    """The first two attempts arrive, but their answers are lost."""
    page = game.page
    game.excuse("ERR_FAILED")
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) < 2:
            route.fetch()
            lost.append(route.request.headers["idempotency-key"])
            route.abort()
        else:
            route.continue_()

    page.route("**/api/command/event", lose)
    game.tap("racketeer")
    expect(page.locator("#sending")).to_contain_text("Sending: Ida plays a card")
    expect(page.locator("#sending")).to_be_empty()
    assert lost[0] == lost[1]
    log = page.evaluate("fetch('/state.json').then((reply) => reply.json()).then((s) => s.log)")
    assert [(entry["event"]["event"], entry["rejected"]) for entry in log] == [("card_played", None)]


def test_a_silent_connection_is_said_within_five_seconds(table: str, phones: Phones) -> None:
    phone = phones(table)
    phone.page.route("**/events", lambda route: None)  # the request is never answered
    page = phone.open()
    expect(page.locator(".link")).to_be_empty()
    expect(page.locator(".link")).to_contain_text("The connection is lost.", timeout=WITHIN_5_S)
    page.unroute_all(behavior="ignoreErrors")
    expect(page.locator(".link")).to_be_empty()


def test_a_connection_that_stalls_in_mid_game_is_said_within_five_seconds(table: str, phones: Phones) -> None:
    with stalling(table) as (address, way):
        phone = phones(address)
        phone.excuse_server_away()
        page = phone.open()
        page.wait_for_timeout(SETTLED_MS)
        expect(page.locator(".link")).to_be_empty()
        way.stall()
        expect(page.locator(".link")).to_contain_text("The connection is lost.", timeout=WITHIN_5_S)
        way.go_on()
        expect(page.locator(".link")).to_be_empty()
        page.close()


def test_a_page_without_a_stream_asks_as_often_as_the_table_says_and_says_so(
    host: StillHost, phones: Phones
) -> None:
    with serving(create_app(host, secret_key=b"k" * 32, listeners=1)) as port:
        first, second = phones(f"http://127.0.0.1:{port}"), phones(f"http://127.0.0.1:{port}")
        second.excuse("status of 503")
        first.open()
        asked: list[float] = []

        def answer_later(route: Route) -> None:
            asked.append(time.monotonic())
            answer = route.fetch()
            route.fulfill(response=answer, headers={**answer.headers, "retry-after": "3"})

        second.page.route("**/state.json", answer_later)
        page = second.open()
        expect(page.locator(".link")).to_have_text(
            "Too many phones are listening at once. This page asks every 3 seconds."
        )
        eventually(lambda: page.evaluate("1") and len(asked) >= 3)
        assert min(later - sooner for sooner, later in pairwise(asked)) >= 2.9
        host.publish(21, turn="Jo")
        eventually(lambda: page.evaluate("1") and len(asked) >= 5)
        first.page.close()
        expect(page.locator(".link")).to_be_empty()
        second.page.close()


def test_many_tabs_of_one_browser_share_a_stream(game: Phone) -> None:
    tabs = [game.context.new_page() for _ in range(7)]
    for tab in tabs:
        tab.goto("/")
        expect(tab.locator("h2").first).to_have_text("Ida turns over a card.")
    game.tap("racketeer")
    for tab in tabs:
        expect(tab.locator("h2").first).to_have_text("Ida calls.")
    game.page.close()
    press(tabs[0].get_by_role("button", name="It was right", exact=True))
    for tab in tabs:
        expect(tab.locator("h2").first).to_have_text("Jo turns over a card.")

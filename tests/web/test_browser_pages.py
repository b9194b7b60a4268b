"""How the pages look and behave on real screens: size, colours, motion, names, lost connections, photos."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from chromium import PHONE, TABLET, Phone
from flask import Flask
from playwright.sync_api import Page, expect
from still_host import PIN, StillHost, eventually, scanning, seats
from web_server import serving

from companion.api.commands import Refusal
from companion.api.photos import ColumnCount, DisplayPoints, PhotoReading
from web import create_app

Phones = Callable[..., Phone]
PAGES = ["/", "/new", "/photo", "/history", "/help", "/rules", "/position", "/join", "/setup", "/table"]
NARROW = {"width": 320, "height": 568}
CONTRAST = """
() => {
  const root = getComputedStyle(document.documentElement);
  const probe = document.body.appendChild(document.createElement("i"));
  const rgb = (name) => {
    probe.style.color = root.getPropertyValue(name);
    return getComputedStyle(probe).color.match(/[0-9.]+/g).slice(0, 3).map((v) => {
      const c = v / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
  };
  const light = (name) => { const [r, g, b] = rgb(name); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const pairs = {};
  for (const back of ["--ground", "--raised", "--glow"])
    for (const front of ["--text", "--quiet", "--right", "--wrong", "--unsure"])
      pairs[`${front} on ${back}`] = ratio(front, back);
  pairs["--on-lamp on --lamp"] = ratio("--on-lamp", "--lamp");
  pairs["--text on --line"] = ratio("--text", "--line");
  return pairs;
}
"""
UNNAMED = """
() => [...document.querySelectorAll("button, a, input, select, [role=button]")].filter((element) => {
  if (element.closest("[hidden]") || !element.checkVisibility()) return false;
  const label = element.labels?.length ? element.labels[0].textContent : "";
  const name = element.getAttribute("aria-label") || element.innerText || label || element.title;
  return !name?.trim();
}).map((element) => element.outerHTML.slice(0, 120))
"""


def playing() -> dict[str, Any]:
    """Six players in the middle of a trick, long names, full displays."""
    names = ("Ida", "Jo", "Maximiliane", "Konstantin", "Mara", "Bo")
    column = {"cards": 3, "jokers": 1}
    display = dict.fromkeys(("red", "orange", "yellow", "green", "blue", "purple", "pink"), column)
    return {
        **scanning(),
        "seq": 20,
        "game": {**scanning()["game"], "players": seats(*names)},
        "phase": "trick",
        "turn": "Maximiliane",
        "state": {
            "phase": "trick",
            "round": 3,
            "trick": 8,
            "turn": "Maximiliane",
            "leader": "Ida",
            "table": [{"player": name, "card": {"monster": "green", "number": 4}} for name in names[:2]],
            "display": dict.fromkeys(names, display),
            "aside": dict.fromkeys(names, 1),
            "face_down": {name: [1, 1] for name in names},
            "to_place": {},
            "round_scores": [dict.fromkeys(names, 40)] * 3,
        },
        "scores": dict.fromkeys(names, 120),
        "announcement": {"code": "x", "text": "Jo said six. It was five.", "priority": 4, "rhythm": "wrong"},
        "questions": [
            {
                "id": "q1",
                "text": "I am not sure: was that a six?",
                "options": [{"id": "a", "label": "six"}, {"id": "b", "label": "five"}],
                "picture": None,
            }
        ],
        "deadline": {"in": 3.0, "player": "Maximiliane"},
        "log": [],
    }


def test_no_page_is_wider_than_its_screen(still: str, host: StillHost, phones: Phones) -> None:
    """On a phone, on a small one and on a tablet."""
    host.pin = ""
    phone = phones(still)
    over = {**playing(), "winner": ["Ida", "Maximiliane", "Konstantin"]}
    for shown, paths in ((playing(), PAGES), (over, ["/", "/table"])):
        host.shown = shown
        for path in paths:
            page = phone.open(path)
            for size in (PHONE, NARROW, TABLET):
                page.set_viewport_size(size)  # type: ignore[arg-type]
                assert phone.overflow() <= 0, (path, size)


def test_every_control_has_a_name_and_verdicts_are_spoken(
    still: str, host: StillHost, phones: Phones
) -> None:
    host.pin = ""
    host.shown = playing()
    phone = phones(still)
    for path in PAGES:
        assert phone.open(path).evaluate(UNNAMED) == [], path
    page = phone.open("/")
    expect(page.locator("#verdict[role=status][aria-live=polite]")).to_have_text("Jo said six. It was five.")
    phone.tap("Enter Maximiliane's card")
    assert page.evaluate(UNNAMED) == []
    expect(page.get_by_role("dialog")).to_have_accessible_name("Maximiliane's card")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_colours_follow_the_phone_and_can_be_read(still: str, phones: Phones, scheme: str) -> None:
    page = phones(still, color_scheme=scheme).open()
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", ground)[:3]))
    assert (brightness > 600) is (scheme == "light")
    poor = {pair: ratio for pair, ratio in page.evaluate(CONTRAST).items() if ratio < 4.5}
    assert poor == {}


def moves(page: Page) -> list[float]:
    """Durations of all animations that run, in milliseconds."""
    found: list[float] = page.evaluate(
        "document.getAnimations().map((one) => one.effect.getComputedTiming().activeDuration)"
    )
    return found


def test_motion_is_short_and_only_where_something_moved(still: str, host: StillHost, phones: Phones) -> None:
    host.shown = playing()
    page = phones(still).open()
    eventually(lambda: moves(page) == [])
    laid = [*host.shown["state"]["table"], {"player": "Maximiliane", "card": {"monster": "red", "number": 1}}]
    page.evaluate("""() => new MutationObserver(() => {
      window.moved = (window.moved ?? []).concat(document.getAnimations().map(
        (one) => [one.effect.target.tagName, one.effect.getComputedTiming().activeDuration]));
    }).observe(document.querySelector(".cards"), {childList: true})""")
    host.publish(21, state={**host.shown["state"], "table": laid})
    expect(page.locator(".cards .card:not(.empty)")).to_have_count(3)
    moved = page.evaluate("window.moved")
    assert [tag for tag, _ in moved] == ["LI"]
    assert all(duration < 200 for _, duration in moved)


def test_nothing_moves_where_the_phone_asks_for_less(still: str, host: StillHost, phones: Phones) -> None:
    host.pin = ""
    host.shown = playing()
    phone = phones(still, reduced_motion="reduce")
    page = phone.open()
    phone.tap("Menu")
    host.publish(21, turn="Jo")
    assert moves(page) == []


def test_lost_connection_is_said_and_mended(app: Flask, host: StillHost, phones: Phones) -> None:
    host.shown = playing()
    with serving(app) as port:
        phone = phones(f"http://127.0.0.1:{port}")
        phone.excuse_server_away()
        page = phone.open()
        expect(page.locator(".link")).to_have_text("")
    expect(page.locator(".link")).to_contain_text("The connection is lost.")
    host.shown = {**playing(), "scores": {**playing()["scores"], "Ida": 133}}
    with serving(app, port=port):
        expect(page.locator(".score").first).to_have_text("133")
        expect(page.locator(".link")).to_have_text("")
        page.close()


def test_phone_without_a_place_in_the_stream_asks_again_and_again(host: StillHost, phones: Phones) -> None:
    host.shown = playing()
    with serving(create_app(host, secret_key=b"k" * 32, listeners=1)) as port:
        first, second = phones(f"http://127.0.0.1:{port}"), phones(f"http://127.0.0.1:{port}")
        second.excuse("status of 503")
        first.open()
        page = second.open()
        host.publish(21, scores={**host.shown["scores"], "Ida": 133})
        expect(page.locator(".score").first).to_have_text("133")
        expect(page.locator(".link")).to_contain_text("This page asks every")
        first.page.close()
        second.page.close()


def test_question_is_answered_with_one_tap(still: str, host: StillHost, phones: Phones) -> None:
    host.pin = ""
    host.shown = playing()
    phone = phones(still)
    page = phone.open()
    answer = page.get_by_role("group", name="I am not sure: was that a six?").get_by_role(
        "button", name="six"
    )
    box = answer.bounding_box()
    assert box is not None
    assert box["height"] >= 48
    answer.click()
    eventually(lambda: host.asked)
    assert host.asked == [("answer", {"question": "q1", "option": "a"}, "referee")]


def test_guest_sees_the_question_and_cannot_answer(still: str, host: StillHost, phones: Phones) -> None:
    host.shown = playing()
    page = phones(still).open()
    expect(page.locator(".question")).to_contain_text("The referee answers.")
    expect(page.locator(".question button")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Enter"))).to_have_count(0)


def test_refusal_is_shown_above_the_thumb(still: str, host: StillHost, phones: Phones) -> None:
    host.pin = ""
    host.shown = playing()
    host.reply = Refusal("not_your_turn", "It is Jo's turn.")
    phone = phones(still)
    phone.excuse("status of 409")
    page = phone.open()
    phone.tap("Enter Maximiliane's card")
    phone.tap("pink 7")
    expect(page.locator("#notice")).to_have_text("It is Jo's turn.")
    assert host.asked[0][1] == {
        "event": "card_played",
        "player": "Maximiliane",
        "card": {"monster": "pink", "number": 7},
    }


def test_whistle_is_taken_with_the_pin(still: str, host: StillHost, phones: Phones) -> None:
    host.shown = playing()
    phone = phones(still)
    phone.excuse("status of 403")
    page = phone.open("/join")
    page.get_by_label("Code").fill("0000")
    phone.tap("Become the referee")
    expect(page.get_by_text("That is not the code.")).to_be_visible()
    page.get_by_label("Code").fill(PIN)
    phone.tap("Become the referee")
    expect(page.get_by_text("This phone is the referee's.")).to_be_visible()
    expect(phone.open().get_by_role("button", name="Enter Maximiliane's card")).to_be_visible()


def test_pin_behind_the_hash_is_entered_by_itself(still: str, phones: Phones) -> None:
    page = phones(still).open(f"/join#code={PIN}")
    expect(page.get_by_role("button", name="New game")).to_be_visible()
    assert PIN not in page.url.removeprefix(still)  # the port may hold the same digits


def photographed(host: StillHost, tmp_path: Path) -> Path:
    """A host that reads four cards, one of them doubtful, from a picture of 800 x 600."""
    picture = np.full((600, 800, 3), 70, np.uint8)
    labels = ["green 4", "green 2", "joker", "blue 7"]
    cards = []
    for n, label in enumerate(labels):
        x, y = 40 + 190 * n, 100
        cv2.rectangle(picture, (x, y), (x + 150, y + 220), (250, 250, 250), -1)
        corners = [[x, y], [x + 150, y], [x + 150, y + 220], [x, y + 220]]
        monster = "green" if label == "joker" else label.split()[0]
        sure = 0.4 if label == "blue 7" else 0.98
        cards.append(
            {"id": f"c{n}", "label": label, "confidence": sure, "corners": corners, "monster": monster}
        )
    jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
    deck = [f"{name} {k}" for name in ("red", "green", "blue") for k in range(1, 8)] + ["joker"]
    reading = {
        "player": "Kai",
        "display": {},
        "labels": deck,
        "id": "p1",
        "picture": "/photo/p1.jpg",
        "cards": cards,
        "score": None,
        "unsure": [],
        "size": [800, 600],
        "places": [
            {
                "id": "u1",
                "corners": cards[3]["corners"],
                "likely": ["green 7"],
                "monster": "blue",
                "card": "c3",
                "reason": "it may be another card",
            }
        ],
    }
    worth = {0: 0, 1: 10, 2: 6}

    def points(display: dict[str, ColumnCount], aside: int) -> DisplayPoints:
        columns = {name: worth.get(held.cards, held.cards) for name, held in display.items()}
        return DisplayPoints(sum(columns.values()), columns)

    host.read_photo = lambda player, data: msgspec.convert(reading, PhotoReading)  # type: ignore[method-assign]
    host.photo = lambda photo_id: jpeg  # type: ignore[method-assign]
    host.points = points  # type: ignore[method-assign]
    offer = {
        "event": "display_scanned",
        "fields": {"player": {"kind": "oneof", "values": ["Ida", "Jo", "Kai"]}},
    }
    read = {**scanning()["state"], "display": {"Kai": {"pink": {"cards": 3, "jokers": 0}}}}
    host.shown = {**scanning(), "state": read, "offers": [offer], "log": [], "questions": []}
    path = tmp_path / "photo.jpg"
    path.write_bytes(jpeg)
    return path


def test_round_is_scored_from_a_photograph(
    still: str, host: StillHost, phones: Phones, tmp_path: Path
) -> None:
    host.pin = ""
    photo = photographed(host, tmp_path)
    phone = phones(still)
    page = phone.open("/photo")
    phone.tap("Ida")
    expect(page.locator("#picture[capture=environment][accept^='image/jpeg']")).to_have_count(1)
    page.set_input_files("#picture", photo)
    expect(page.get_by_text("I am not sure of 1 place.", exact=False)).to_be_visible()
    expect(page.locator(".total b")).to_have_text("13")

    quad = page.locator(".quad.doubtful")
    drawn = page.locator(".reading img").bounding_box()
    where = quad.bounding_box()
    assert drawn is not None
    assert where is not None
    scale = drawn["width"] / 800
    assert abs(where["x"] - (drawn["x"] + 610 * scale)) < 4
    assert abs(where["y"] - (drawn["y"] + 100 * scale)) < 4
    quad.click()
    page.get_by_role("group", name="Likeliest").get_by_role("button", name="green 7").click()
    expect(page.locator(".total b")).to_have_text("4")
    expect(page.get_by_text("I see 4 cards.", exact=False)).to_be_visible()

    phone.tap("joker: correct it")
    phone.tap("This is no card")
    expect(page.locator(".total b")).to_have_text("3")
    phone.tap("Add a card")
    phone.tap("red 1")
    expect(page.locator(".total b")).to_have_text("13")
    phone.tap("Add a card")
    phone.tap("joker")
    phone.tap("red")
    expect(page.locator(".total b")).to_have_text("9")
    phone.tap("Enter 9 points")
    expect(page.locator("h1")).to_have_text("Score from a photo")
    eventually(lambda: host.asked)
    assert host.asked == [
        (
            "event",
            {
                "event": "display_scanned",
                "player": "Ida",
                "display": {"green": {"cards": 3, "jokers": 0}, "red": {"cards": 2, "jokers": 1}},
            },
            "referee",
        )
    ]


def test_display_is_counted_by_hand(still: str, host: StillHost, phones: Phones, tmp_path: Path) -> None:
    host.pin = ""
    photographed(host, tmp_path)
    phone = phones(still)
    page = phone.open("/photo?player=Jo")
    phone.tap("Count by hand instead")
    for _ in range(3):
        phone.tap("red cards: one more")
    phone.tap("red jokers: one more")
    phone.tap("blue cards: one more")
    expect(page.locator(".total b")).to_have_text("13")
    expect(page.get_by_role("button", name="blue jokers: one more")).to_be_disabled()
    phone.tap("Enter 13 points")
    eventually(lambda: host.asked)
    assert host.asked[0][1]["display"] == {
        "red": {"cards": 3, "jokers": 1},
        "blue": {"cards": 1, "jokers": 0},
    }


def test_unreadable_picture_is_said_and_can_be_taken_again(
    still: str, host: StillHost, phones: Phones, tmp_path: Path
) -> None:
    host.pin = ""
    photographed(host, tmp_path)
    broken = tmp_path / "notes.jpg"
    broken.write_bytes(b"this is text")
    phone = phones(still)
    phone.excuse("status of 415")
    page = phone.open("/photo?player=Ida")
    page.set_input_files("#picture", broken)
    expect(page.get_by_role("alert").first).to_contain_text("I can read JPEG, PNG and WebP pictures.")
    page.set_input_files("#picture", tmp_path / "photo.jpg")
    expect(page.locator(".quad")).to_have_count(4)


def test_that_the_clock_waits_is_said_once(still: str, host: StillHost, phones: Phones) -> None:
    """The news says it after a restart; once something else is the news, the line below does."""
    said = "The game goes on. The clock waits for the next move."
    host.pin = ""
    host.shown = {
        **scanning(),
        "questions": [],
        "paused": "resumed",
        "announcement": {"code": "game_resumed", "text": said, "priority": 1, "rhythm": "go", "n": 2},
    }
    phone = phones(still)
    page = phone.open()
    expect(page.locator("#verdict")).to_have_text(said)
    expect(page.locator(".paused")).to_have_text("Let it run")
    host.shown = {**host.shown, "announcement": None}
    page = phone.open()
    expect(page.locator(".paused")).to_have_text("The clock waits for the next move. Let it run")

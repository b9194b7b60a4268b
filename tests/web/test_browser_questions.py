"""A question at a small phone: its text stands once, and no answer breaks in the middle of a word."""

from collections.abc import Callable
from typing import Any

from chromium import Phone
from playwright.sync_api import expect
from still_host import StillHost, scanning

Phones = Callable[..., Phone]
SAID = "I heard five after the gun. Did Ida play a card?"
LINES = """button => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return new Set([...range.getClientRects()].map(line => Math.round(line.top))).size;
}"""
"""How many lines the label of a button takes."""


def asks(host: StillHost, *labels: str) -> None:
    host.pin = ""
    options: list[dict[str, Any]] = [{"id": str(n), "label": label} for n, label in enumerate(labels)]
    host.shown = {
        **scanning(),
        "log": [{"n": 1, "event": {"event": "x"}, "text": "x", "verdicts": [], "undone": False, "rule": "A"}],
        "questions": [{"id": "q1", "text": SAID, "player": "Ida", "options": options}],
        "announcement": {"code": "call_on_gun", "text": SAID, "priority": 3, "rhythm": "tick", "n": 1},
    }


def test_the_text_of_a_question_stands_once(still: str, host: StillHost, phones: Phones) -> None:
    """Screen readers are told both: what is new, and what the keys belong to."""
    asks(host, "racketeer", "No, nobody said it")
    page = phones(still).open()
    expect(page.locator(".question h2")).to_have_text(SAID)
    expect(page.locator("#verdict.unseen[role=status]")).to_have_text(SAID)
    expect(page.locator(".why")).to_have_count(0)
    host.shown = {**host.shown, "questions": []}
    page.reload()
    expect(page.locator("#verdict:not(.unseen)")).to_have_text(SAID)
    expect(page.locator(".why")).to_have_count(1)


def test_the_longest_word_of_an_answer_fits_its_key(still: str, host: StillHost, phones: Phones) -> None:
    asks(host, "deux gangsters", "téléphones")
    page = phones(still).open()
    expect(page.locator(".answers button")).to_have_count(2)
    assert page.get_by_role("button", name="téléphones").evaluate(LINES) == 1

"""Every code has a sentence that can be filled, in plain words, and every sentence can be translated."""

import re
import string
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.announce.announcement import Announcement, finding
from companion.announce.codes import MEANINGS, NOTICES, REJECTIONS, VERDICTS, Priority
from companion.announce.phrases import EVENTS, Phrases
from companion.announce.rhythms import LAMP, RHYTHMS, length

PARAMETERS = {
    "names": ["seat 1"],
    "player": "Jo",
    "turn": "Ida",
    "said": ["six"],
    "words": ["six"],
    "by": ["Kai", "Ida"],
    "expected": [5],
    "limit": 3.0,
    "count": 4,
    "row": 1,
    "column": -2,
    "card": "blue",
    "known": "yellow",
    "owner": "Kai",
    "dice": [4, 4, 1],
    "counted": 7,
    "other": "Jo",
    "taken": 8,
    "seen": 4,
    "cards": [[0, 0]],
    "title": "The Nasty 7",
    "players": ["Ida", "Jo"],
    "round": 2,
    "points": ["Ida 40", "Jo 32"],
    "winner": ["Ida"],
    "what": {"event": "card_played", "player": "Jo", "card": "gun"},
    "n": 3,
    "number": 7,
    "value": 3,
    "guess": ["six"],
    "source": "camera",
    "why": "it was unplugged",
    "phone": "Pixel, Chrome",
    "lost": 2,
}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_no_code_has_two_meanings() -> None:
    assert len(MEANINGS) == len(VERDICTS) + len(REJECTIONS) + len(NOTICES)


@pytest.mark.parametrize(
    "code", ["source_up", "recording_started", "recording_stopped", "phone_asks", "phone_paired"]
)
def test_what_devices_and_phones_do_never_sounds_like_a_number(code: str) -> None:
    """It may happen in the middle of a countdown, whose numbers are one short beat."""
    assert MEANINGS[code].rhythm != MEANINGS["counted"].rhythm


@pytest.mark.parametrize("code", MEANINGS)
def test_every_sentence_is_filled_from_known_parameters(code: str) -> None:
    assert fields(MEANINGS[code].text) <= set(PARAMETERS)
    text = Phrases().text(code, PARAMETERS)
    assert "{" not in text
    assert text[-1] in ".!?:d" or code == "counted"
    assert len(text) < 110


@pytest.mark.parametrize(
    ("verdict", "event", "text"),
    [
        (
            {"n": 4, "player": "Jo", "verdict": "wrong_number", "expected": [5]},
            {"event": "heard", "words": ["six"]},
            "Jo said six. It was five.",
        ),
        (
            {"n": 4, "player": "Jo", "verdict": "wrong_number", "expected": [2, 3]},
            {"event": "heard", "words": ["two", "four"]},
            "Jo said two four. It was two, three.",
        ),
        ({"player": "Kai", "verdict": "too_late"}, {"event": "time_passed"}, "Kai took more than 3 seconds."),
        ({"player": "Kai", "verdict": "caught", "cards": [1, 2, 3]}, {}, "Kai caught 3 cards."),
    ],
)
def test_findings_say_what_happened_and_then_why(verdict: dict, event: dict, text: str) -> None:
    details = {key: value for key, value in verdict.items() if key not in ("n", "player", "verdict")}
    announcement = finding(verdict["verdict"], verdict["player"], details, event, limit=3.0)
    assert Phrases().text(announcement.code, announcement.params) == text


def test_nobody_is_blamed() -> None:
    for meaning in MEANINGS.values():
        assert not re.search(
            r"\b(you|your|cheat|fault|mistake|stupid|illegal)\b", meaning.text, re.IGNORECASE
        )


def test_a_missing_parameter_is_somebody_not_a_crash() -> None:
    assert Phrases().text("not_your_turn", {}) == "It is somebody's turn."


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Jo said another sound the invented sound something else six"),
        ("de", "Jo hat ein anderes Geräusch das erfundene Geräusch etwas anderes sechs"),
    ],
)
def test_numbers_are_translated_and_sounds_that_are_no_words_described(language: str, text: str) -> None:
    params = {"player": "Jo", "said": ["another sound", "sound 2", "[unk]", "six"]}
    assert Phrases(language).text("wrong_sound", params).startswith(text)


def test_an_unknown_code_is_still_readable() -> None:
    assert Phrases().text("card_on_the_floor", {}) == "card on the floor"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (
            {"event": "card_played", "player": "Ida", "card": {"monster": "green", "number": 4}},
            "Ida played green 4.",
        ),
        ({"event": "card_played", "player": "Ida", "card": "twin_phone"}, "Ida played twin phone."),
        (
            {"event": "card_placed", "player": "Ida", "face_down": True, "column": 1},
            "Ida placed a card face down.",
        ),
        ({"event": "heard", "words": ["two", "four"]}, "“two four” was heard."),
        ({"event": "accused", "by": ["Ida", "Jo", "Kai"]}, "Ida, Jo and Kai doubted the call."),
        ({"event": "made_up", "player": "Ida"}, "Ida: made_up"),
    ],
)
def test_the_log_speaks_in_sentences(event: dict, text: str) -> None:
    assert Phrases().event(event) == text


def test_a_sentence_that_begins_with_a_card_begins_with_a_capital() -> None:
    card = {"monster": "green", "number": 4}
    params = {"card": card, "player": "jo", "owner": "Kai"}
    assert Phrases().text("card_of_other_display", params).startswith("Green 4 lies in jo's display.")
    assert Phrases().text("not_your_turn", {"turn": "jo"}) == "It is jo's turn."


def test_cards_are_named_as_people_say_them() -> None:
    assert Phrases().card({"monster": 7, "part": "eyes"}) == "7 eyes"
    assert Phrases().card({"monster": "joker"}) == "joker"
    assert Phrases("de").card({"monster": "green", "number": 4}) == "Grün 4"
    assert Phrases("fr").card("twin_phone") == "deux téléphones"


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("en", 1, "Kai caught 1 card."),
        ("de", 1, "Kai hat 1 Karte gefangen."),
        ("de", 2, "Kai hat 2 Karten gefangen."),
        ("fr", 1, "Kai a capturé 1 carte."),
        ("fr", 3, "Kai a capturé 3 cartes."),
    ],
)
def test_one_card_is_not_many(language: str, count: int, text: str) -> None:
    assert Phrases(language).text("caught", {"player": "Kai", "count": count}) == text


def test_a_reason_that_stands_as_a_sentence_begins_like_one() -> None:
    full = {"why": "the disk is full"}
    assert Phrases().text("not_written", full) == "That did not count. The disk is full"
    assert Phrases().text("bad_game", full) == "There is no such game: the disk is full"


def test_fractions_are_written_as_the_language_writes_them() -> None:
    late = {"player": "Kai", "limit": 2.5}
    assert Phrases("en").text("too_late", late) == "Kai took more than 2.5 seconds."
    assert Phrases("de").text("too_late", late) == "Kai hat länger als 2,5 Sekunden gebraucht."
    assert Phrases("fr").text("too_late", {**late, "limit": 1.0}) == "Kai a mis plus de 1 seconde."


def test_a_catalogue_translates(tmp_path: Path) -> None:
    source = tmp_path / "nl" / "LC_MESSAGES" / "companion.po"
    source.parent.mkdir(parents=True)
    source.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "It is {turn}\'s turn."\nmsgstr "{turn} is aan de beurt."\n'
    )
    pybabel = [
        sys.executable,
        "-m",
        "babel.messages.frontend",
        "compile",
        "-d",
        str(tmp_path),
        "-D",
        "companion",
    ]
    subprocess.run([*pybabel, "-l", "nl"], check=True, capture_output=True)
    assert Phrases("nl", tmp_path).text("not_your_turn", {"turn": "Jo"}) == "Jo is aan de beurt."
    assert Phrases("nl", tmp_path).text("undone", {"what": "x"}) == "Taken back: x"


def test_rhythms_are_told_apart_by_their_beats_alone() -> None:
    shapes = {
        name: tuple("long" if on >= 0.25 else "short" for on, _ in beats) for name, beats in RHYTHMS.items()
    }
    pairs = {(shape, round(length(name), 1)) for name, shape in shapes.items()}
    assert len(pairs) == len(RHYTHMS) == len(LAMP) == 6
    assert max(map(length, RHYTHMS)) < 2.0


def test_findings_and_alarms_are_more_urgent_than_talk() -> None:
    assert Announcement("wrong_number").priority > Announcement("unsure_call").priority > Priority.SCORE
    assert Announcement("source_down").priority is Priority.ALARM
    assert Announcement("of a newer rulebook").priority is Priority.NOTE


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([*MEANINGS, "new_code"]),
    st.sampled_from([*EVENTS, "new_event"]),
    st.dictionaries(st.sampled_from([*PARAMETERS, "to"]), ANYTHING, max_size=5),
)
def test_whatever_a_phone_may_have_sent_can_be_told(code: str, event: str, params: dict[str, object]) -> None:
    """Rejected events stay in the log with the fields they came with."""
    for phrases in (Phrases("en"), Phrases("de")):
        assert isinstance(phrases.text(code, params), str)
        assert isinstance(phrases.event({"event": event, **params}), str)

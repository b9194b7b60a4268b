"""A number that nobody asked for is listened for, but charged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from voice_takes import take

from companion.speech.model import grammar, models
from companion.speech.recognition import offline

ENGLISH = grammar.language("en")


def test_rivals_below_ten_are_listed_once_and_what_is_asked_for_often() -> None:
    known = frozenset((*ENGLISH.numbers, *ENGLISH.commands, ENGLISH.throat, *ENGLISH.unreported))
    wanted = ENGLISH.calls()
    listed = grammar.weighted_phrases(
        grammar.with_competing_words(wanted, known, ENGLISH), grammar.competing_words(wanted, known, ENGLISH)
    )
    assert {word: listed.count(word) for word in listed} == {
        **dict.fromkeys((*wanted, *ENGLISH.unreported), grammar.WANTED_WEIGHT),
        **dict.fromkeys(("zero", "eight", "nine"), 1),
    }


def test_a_number_that_was_not_asked_for_gives_no_other(english: Path, opened: Any) -> None:
    known = models.vocabulary(english)
    for said, wanted in (
        ("five", ("one", "four", "two")),
        ("seven", ("six", "two")),
        ("three", ("two", "four")),
    ):
        words, competing = (
            grammar.with_competing_words(wanted, known, ENGLISH),
            grammar.competing_words(wanted, known, ENGLISH),
        )
        assert offline.recognise(take("ben", said), opened, words, competing) == ()

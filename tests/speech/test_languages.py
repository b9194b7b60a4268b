"""Every language: the words that the rules count with, and models that can listen for them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.contract.number_words import number_word, stop_word
from companion.speech.model import grammar, models
from companion.speech.recognition import offline

TONGUES = grammar.languages()
SHIPPED = sorted(path.parts[-3] for path in models.SHIPPED.glob("*/am/final.mdl"))
"""The languages that have a model of the companion's own."""


@pytest.mark.parametrize("name", TONGUES)
def test_the_ears_and_the_rules_use_the_same_words(name: str) -> None:
    tongue = grammar.language(name)
    assert list(tongue.numbers) == [number_word(value, name) for value in range(11)]
    assert tongue.commands[0] == stop_word(name)


def test_umlauts_reach_vosk_as_they_are() -> None:
    """It leaves a word out whose letters are escaped, with nothing but a warning."""
    assert '"fünf"' in grammar.vosk_grammar(("fünf",), frozenset())


def test_a_number_nobody_asked_for_stays_a_rival_in_every_language() -> None:
    listed = grammar.weighted_phrases(("eins", "neun", "zehn", "[unk]"), frozenset(("neun", "zehn", "[unk]")))
    assert listed.count("eins") == listed.count("[unk]") == grammar.WANTED_WEIGHT
    assert listed.count("neun") == 1
    assert "zehn" not in listed


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_knows_its_words_and_hears_none_in_silence(name: str) -> None:
    path, tongue = models.find_model(name), grammar.language(name)
    known = models.vocabulary(path)
    assert known >= {*tongue.numbers, *tongue.commands, tongue.throat, *tongue.unreported}
    wanted = tongue.calls()
    words = grammar.with_competing_words(wanted, known, tongue)
    silence = np.random.default_rng(3).normal(0, 20, 32000).astype(np.int16)
    competing = grammar.competing_words(wanted, known, tongue)
    assert offline.recognise(silence, models.open_model(path), words, competing) == ()

"""Every phrase has its translation, with the same blanks, and what is compiled is what is written."""

import gettext
import re
from typing import get_args, get_type_hints

import msgspec
import pytest
from api_client import answered, changed, shown

from companion.announce.phrases import NUMBERS, Phrases
from companion.api.commands import Accepted, Refusal
from companion.api.snapshot import Announced, Snapshot, TableChange
from companion.core.config import TableSection
from companion.core.message import CONTEXT, templates
from companion.games.contract.number_words import number_word
from companion.locale import make

LANGUAGES = make.languages()
FINISHED = make.finished()
BLANK = re.compile(r"%\((\w+)\)s|\{(\w+)(?:![rs])?\}")
RUN = "run `python -m companion.locale.make` and fill what it names"


def blanks(text: str) -> set[str]:
    return {one or other for one, other in BLANK.findall(text)}


def forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def test_every_language_that_the_table_can_speak_has_a_catalogue() -> None:
    spoken = set(get_args(get_type_hints(TableSection)["language"])) - {"en"}
    assert spoken == set(LANGUAGES)
    assert FINISHED


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_is_translated_and_nothing_else(language: str) -> None:
    coded = {text for text in templates().values() if make.has_words(text)}
    catalogue = make.read(language)
    plain = [one for one in catalogue if one.id and one.context is None]
    assert {one.id if isinstance(one.id, str) else tuple(one.id) for one in plain} == make.messages(), RUN
    assert {one.id for one in catalogue if one.context == CONTEXT} == coded, RUN
    assert language not in FINISHED or make.missing(catalogue) == [], RUN
    assert [one.id for one in catalogue if one.id and one.fuzzy] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_blanks_of_the_original(language: str) -> None:
    for one in make.read(language):
        if not one.id or (language not in FINISHED and not all(forms(one.string))):
            continue
        original, translated = forms(one.id), forms(one.string)
        assert blanks(translated[-1]) == blanks(original[-1]), one.id
        for form in translated:
            assert blanks(original[-1]) - blanks(form) <= {"n", "count"}, one.id
            assert blanks(form) <= blanks(original[-1]), one.id
            assert re.sub(r"%\(\w+\)s", "", form).count("%") == 0, one.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_the_written_one(language: str) -> None:
    with (make.HERE / language / "LC_MESSAGES" / "companion.mo").open("rb") as stream:
        compiled = gettext.GNUTranslations(stream)
    for one in make.read(language):
        if not all(forms(one.string)):
            continue  # not translated yet: the test above allows it in a language that is not finished
        if one.context is not None:
            assert compiled.pgettext(one.context, str(one.id)) == one.string, RUN
        elif one.id and isinstance(one.id, str):
            assert compiled.gettext(one.id) == one.string, RUN
        elif one.id:
            assert tuple(compiled.ngettext(*one.id, n) for n in (1, 2)) == tuple(one.string), RUN


@pytest.mark.parametrize("language", FINISHED)
def test_numbers_are_said_as_the_players_of_that_language_call_them(language: str) -> None:
    said = [Phrases(language).number(n) for n in range(len(NUMBERS))]
    assert said == [number_word(n, language) for n in range(len(NUMBERS))]


def test_a_phone_is_told_in_its_own_language_what_the_table_said() -> None:
    event = {"event": "card_played", "player": "Ida", "card": {"monster": "green", "number": 4}}
    verdict = {"player": "Jo", "said": ["six"], "expected": [5]}
    caught = {"n": 1, "verdict": "caught", "player": "Kai", "params": {"player": "Kai", "count": 1}}
    snapshot = {
        "seq": 3,
        "game": {"id": 1, "name": "nasty_7", "title": "The Nasty 7", "settings": {}, "players": []},
        "announcement": {
            "code": "wrong_number",
            "params": verdict,
            "priority": 4,
        },
        "questions": [
            {
                "id": "q1",
                "code": "unsure_card",
                "params": {},
                "options": [
                    {"id": "a", "card": event["card"], "words": []},
                    {"id": "b", "card": None, "words": []},
                ],
            }
        ],
        "log": [
            {"n": 1, "event": event, "verdicts": [caught], "rejected": None, "turn": "Ida"},
            {"n": 2, "event": event, "verdicts": [], "rejected": "not_your_turn", "turn": "Jo"},
        ],
    }
    published = msgspec.convert(snapshot, Snapshot)
    change = TableChange("change", published, (Announced("no_game", {}, 1),))
    assert changed(change, "de") == changed(change, "de")
    assert changed(change, "fr")["announcements"][0]["text"].startswith("Aucune partie")
    assert shown(published)["log"][0]["text"] == "Ida played green 4."
    german = changed(change, "de")["snapshot"]
    assert german == shown(published, "de")
    assert german["announcement"]["text"] == "Jo hat sechs gesagt. Richtig war fünf."
    assert [one["label"] for one in german["questions"][0]["options"]] == ["Grün 4", "Nichts davon"]
    assert german["log"][0]["text"] == "Ida hat Grün 4 gespielt."
    assert german["log"][0]["verdicts"][0]["text"] == "Kai hat 1 Karte gefangen."
    assert german["log"][1]["why"] == "Jo ist an der Reihe."
    assert published.log[0].text == "", "what is published has no language"
    assert answered(Refusal("no_game"), "fr")["text"] == "Aucune partie sur la table. Commencez-en une."
    assert answered(Accepted(n=4), "fr") == {"ok": True, "n": 4}


def test_why_a_source_is_down_is_said_in_the_phones_language() -> None:
    why = {"code": "microphone.muted", "params": {}}
    snapshot = {
        "seq": 1,
        "log": [],
        "announcement": {"code": "source_down", "params": {"source": "camera", "why": why}, "priority": 5},
        "sources": {
            "camera": {"up": False, "why": "?", **why},
            "buzzer": {"up": True, "code": None, "why": ""},
        },
    }
    german = shown(msgspec.convert(snapshot, Snapshot), "de")
    said = "es gibt gar nichts von sich: Schalte es ein oder stell es lauter"
    assert german["sources"]["camera"]["why"] == said
    assert german["announcement"]["text"] == f"Keine Antwort: Kamera. {said[0].upper()}{said[1:]}"

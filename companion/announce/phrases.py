"""Codes and events as sentences, in the players' language.

A translation is a gettext catalogue `companion/locale/<language>/LC_MESSAGES/companion.mo`, which holds the
words of the pages as well (companion.locale.make); without one the message ids are used, which are English.
"""

from __future__ import annotations

import gettext
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from companion.announce.codes import MEANINGS, N_
from companion.core.events import agreement_of
from companion.core.languages import LOCALE as LOCALE
from companion.core.message import CONTEXT, Message, Renderer, words

NUMBERS = (
    N_("zero"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"),
    N_("six"), N_("seven"), N_("eight"), N_("nine"), N_("ten"),
)  # fmt: skip
"""The numbers that have a word of their own."""

EVENTS: Mapping[str, str] = {
    "card_played": N_("{player} played {card}."),
    "card_placed": N_("{player} placed {card}."),
    "card_revealed": N_("{card} was turned over."),
    "trick_awarded": N_("{player} gave the trick to {to}."),
    "display_scanned": N_("{player}'s display was read."),
    "heard": N_("“{words}” was heard."),
    "time_passed": N_("The time ran out."),
    "accused": N_("{by} doubted the call."),
    "position": N_("The table agreed on how things stand."),
    "agreed": N_("The table counts move {n}, against rule {rule}."),
    "agreed_without_rule": N_("The table counts move {n}, which was refused."),
    "undone": N_("The last move was taken back."),
    "amended": N_("Move {n} was changed."),
    "overruled": N_("The table agrees otherwise about move {n}."),
    "turn_ended": N_("{player} ended the turn."),
    "game_started": N_("The game was started."),
    "trophy_taken": N_("{player} took trophy {value}."),
    "tile_taken": N_("{player} took a tile."),
    "tile_looked_at": N_("{player} looked at a kept tile."),
    "tile_returned": N_("{player} put a tile back."),
    "tiles_scored": N_("{player}'s tiles were counted."),
    "sets_dealt": N_("{player} received sets."),
    "search_ended": N_("{player} ended the search."),
    "traded": N_("{player} traded with {with}."),
    "power_used": N_("{player} used {power}."),
    "monster_built": N_("{player} built a monster."),
    "attack_declared": N_("{player} attacks."),
    "dice_thrown": N_("{player} threw {dice}."),
    "throwing_ended": N_("{player} stopped throwing."),
    "set_taken": N_("{player} took a set."),
    "set_declined": N_("{player} took no set."),
    "monster_chosen": N_("{player} chose a monster."),
}
"""What the log says of an event without a story: one that was refused or no longer fits, and a correction.
Its parameters are the event's own fields."""

Stories = Callable[[str, str], Mapping[str, str]]
"""(game, language) -> code of a sentence -> the sentence with blanks."""

_NOBODY = N_("somebody")
_AND = N_("{first} and {last}")
_NOTHING = N_("nothing")
_NONE_OF_THESE = N_("None of these")
_FACE_DOWN = N_("a card face down")
_HEARD = {
    "[unk]": N_("something else"),
    "another sound": N_("another sound"),
    "yes": N_("Yes"),
    "no": N_("No"),
    "no card": N_("No, but it was said"),
    "not said": N_("No, nobody said it"),
}
"""What is heard besides the words of a call, and four answers."""
_INVENTED = N_("the invented sound")
_SOUND = re.compile(r"sound \d+")
"""What the table calls a sound that players invented."""
_NO_SENTENCE = N_("{player}: {event}")
_POINT = N_(".")

WORDS = frozenset({"power", "source"})
"""Parameters that are words of a small vocabulary, which the catalogues translate."""
CARDS = frozenset({"cards", "gives", "gets"})
"""Parameters that list cards."""
SOURCES = (
    N_("camera"),
    N_("microphone"),
    N_("buttons"),
    N_("buzzer"),
    N_("lamps"),
    N_("voice"),
    N_("storage"),
)
"""The sources that may fail."""


class Phrases:
    """Says codes and events in one language.

    Args:
        folder: of the catalogues.
        stories: the sentences of the games' stories (companion.table.story.templates).
    """

    def __init__(
        self, language: str = "en", folder: Path = LOCALE, stories: Stories = lambda game, language: {}
    ) -> None:
        self.language = language
        self._stories = stories
        self._catalogue = gettext.translation("companion", folder, languages=[language], fallback=True)
        self._renderer = Renderer(partial(self._catalogue.pgettext, CONTEXT), words(self._))

    def text(self, code: str, params: Mapping[str, Any]) -> str:
        """The sentence of an announced code; the code itself if it has no sentence (a newer rulebook's)."""
        meaning = MEANINGS.get(code)
        if meaning is None:
            return code.replace("_", " ")
        if meaning.one:
            message = self._catalogue.ngettext(meaning.one, meaning.text, _whole(params.get(meaning.counts)))
            return self.filled(message, params)
        return self._fill(meaning.text, params)

    def sentence(self, game: str, code: str, params: Mapping[str, Any]) -> str:
        """A sentence of a game's story; the code itself if there is none."""
        template = self._stories(game, self.language).get(code)
        return code.replace("_", " ") if template is None else self.filled(template, params)

    def event(self, event: Mapping[str, Any]) -> str:
        """The log's sentence for an event."""
        kind = str(event.get("event", ""))
        if kind == "set_taken" and event.get("set") is None:
            kind = "set_declined"
        about = agreement_of(event) if kind == "position" else None
        if about is not None:
            kind = "agreed" if about.rule else "agreed_without_rule"
            return self._fill(EVENTS[kind], {"n": about.n, "rule": about.rule})
        return self._fill(EVENTS.get(kind, _NO_SENTENCE), event)

    def option(self, card: Any, words: Sequence[str]) -> str:
        """An answer to a question: a card, words, or "none of these"."""
        if card is not None:
            return self.card(card)
        return self.heard(words) if words else self._(_NONE_OF_THESE)

    def heard(self, words: Sequence[Any]) -> str:
        """The words that were called, separated by spaces; sounds that are not words by a description."""
        return " ".join(self._heard(str(word)) for word in words)

    def _heard(self, word: str) -> str:
        if _SOUND.fullmatch(word):
            return self._(_INVENTED)
        if word in NUMBERS:
            return self._(word)
        return self._(_HEARD[word]) if word in _HEARD else word

    def number(self, number: int) -> str:
        """A number from 0 to 10 as a word, "five"; others in digits."""
        known = isinstance(number, int) and 0 <= number < len(NUMBERS)
        return self._(NUMBERS[number]) if known else str(number)

    def listing(self, names: Sequence[str]) -> str:
        """ "Ida", "Ida and Jo", "Ida, Jo and Kai"."""
        if len(names) < 2:
            return names[0] if names else self._(_NOTHING)
        return self._(_AND).format(first=", ".join(names[:-1]), last=names[-1])

    def card(self, card: Any) -> str:
        """A card as people say it: "green 4", "joker", "twin phone"; "joker → green" with its column."""
        if isinstance(card, Mapping):
            parts = [card.get("monster"), card.get("number"), card.get("part")]
            said = " ".join(self.word(part) for part in parts if part is not None)
            return f"{said} → {self.word(card['column'])}" if card.get("column") is not None else said
        return self.word(card)

    def word(self, word: Any) -> str:
        """A word of an event in the players' language: a monster, a power; an unknown word is not changed."""
        text = str(word).replace("_", " ")
        return self._(text) if text else ""

    def written(self, message: Message) -> str:
        """A message as a sentence; a code that the table announces gets the announcement's sentence."""
        if message.code in MEANINGS:
            return self.text(message.code, message.params)
        return self._renderer(message)

    def _read(self, message: Mapping[str, Any]) -> str:
        """A message that has been through JSON."""
        try:
            return self.written(msgspec.convert(message, Message))
        except msgspec.ValidationError:
            return str(message)

    def _(self, message: str) -> str:
        return self._catalogue.gettext(message)

    def _fill(self, message: str, params: Mapping[str, Any]) -> str:
        return self.filled(self._(message), params)

    def filled(self, sentence: str, params: Mapping[str, Any]) -> str:
        """A sentence of this language with its blanks filled: cards, numbers and lists in words."""
        filled = _Params(self, params)
        if ". {why}" in sentence and "why" in filled:
            filled["why"] = filled["why"][:1].upper() + filled["why"][1:]
        text = sentence.format_map(filled)
        # a card's name is written small, a player's as it was entered
        return text[:1].upper() + text[1:] if sentence.startswith("{card}") else text

    def shown(self, name: str, value: Any) -> str:
        """One parameter in words: cards, lists of names, numbers that were expected. Accepts any JSON: the
        log shows rejected events too, and their fields may hold anything."""
        if name == "expected" and isinstance(value, list | tuple):
            return ", ".join(self.number(number) for number in value)
        if name == "dice" and isinstance(value, list | tuple):
            return " ".join(map(str, value))
        if name in ("said", "words", "guess"):
            named = isinstance(value, list | tuple) and value
            return self.heard(value) if named else str(value or self._(_NOTHING))
        if name == "what" and isinstance(value, Mapping):
            if "sentence" not in value:
                return self.event(value)
            return self.sentence(value["game"], value["sentence"], value["params"])
        if name == "number" and isinstance(value, int):
            return self.number(value)
        if name in CARDS and isinstance(value, list | tuple):
            return self.listing([self.card(one) for one in value])
        if name in ("card", "known", "set", "column"):
            return self._(_FACE_DOWN) if value is None else self.card(value)
        if name in WORDS and isinstance(value, str):
            return self.word(value)
        if isinstance(value, Message):
            return self.written(value)
        if name == "why" and isinstance(value, Mapping):
            return self._read(value)
        if isinstance(value, list | tuple):
            return self.listing([str(one) for one in value])
        if isinstance(value, float):
            return f"{value:g}".replace(".", self._(_POINT))
        return self._(_NOBODY) if value is None else str(value)


class _Params(dict[str, str]):
    """The texts that fill the sentence's braces; a missing parameter becomes "somebody" or "nothing"."""

    def __init__(self, phrases: Phrases, params: Mapping[str, Any]) -> None:
        super().__init__({name: phrases.shown(name, value) for name, value in params.items()})
        self._phrases = phrases

    def __missing__(self, name: str) -> str:
        return self._phrases.shown(name, None)


def _whole(number: Any) -> int:
    """The number that selects singular or plural; a fraction above one is plural."""
    return math.ceil(number) if isinstance(number, int | float) and math.isfinite(number) else 2

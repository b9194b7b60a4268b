"""What is called for a card of The Nasty 7, and how words that are heard fit it: no pile, no time."""

from __future__ import annotations

import functools
from typing import Literal

import msgspec

from companion.games.contract.number_words import number, number_word, plain

Card = Literal["racketeer", "twin_racketeer", "phone", "twin_phone", "gun"]
CARDS: tuple[Card, ...] = ("racketeer", "twin_racketeer", "phone", "twin_phone", "gun")
"""The five kinds (N7-2)."""
TWINS = frozenset({"twin_racketeer", "twin_phone"})
"""Two racketeers each; the next player skips (N7-10, N7-13)."""
PHONES = frozenset({"phone", "twin_phone"})
"""The sound instead of the number (N7-11, N7-12)."""

CORRECT_RULE = {
    "racketeer": "N7-7",
    "twin_racketeer": "N7-9",
    "phone": "N7-11",
    "twin_phone": "N7-12",
    "gun": "N7-14",
}
"""What asks for a card's call."""
MISTAKE_RULE = {
    "wrong_number": "N7-18",
    "wrong_word": "N7-19",
    "wrong_sound": "N7-21",
    "should_be_silent": "N7-R13",
}
"""What makes a call wrong."""

CYCLE = 12
"""Racketeers after which the numbers 1 ... 7 ... 2 begin again."""

Sound = tuple[str, ...]
"""The words of a sound, e.g. ("hmmrrr",) or ("hands", "up")."""


class Call(msgspec.Struct, frozen=True):
    """The call for the top card of the pile."""

    player: str
    """Who has played the card and has to call."""
    card: Card
    numbers: tuple[int, ...]
    """The numbers of its racketeers, called or not."""
    first: bool
    """It is the first card of the round."""
    since: float | None
    """From this moment the time runs: for the call while it is open, then for the next card. None after a
    `position`: from the next event that has a time."""
    heard: int = 0
    """So many words of it have been heard and fit."""
    done: bool = False
    """Finished, by its last needed word or by one that does not fit."""
    mistake: str = ""
    """What was wrong, where the referee keeps it to himself until somebody accuses."""

    @property
    def silent(self) -> bool:
        """Nothing may be said (N7-14)."""
        return self.card == "gun"

    @property
    def due(self) -> bool:
        """Something has still to be said."""
        return not self.done and not self.silent


def racketeers_on(card: str) -> int:
    """How many racketeers the card adds to the count (N7-15)."""
    return 2 if card in TWINS else 1


def number_of(racketeer: int) -> int:
    """The number of the n-th racketeer of a round: 1 2 ... 7 6 ... 2 1 2 ... (N7-8, N7-R1); 0 for none."""
    if racketeer == 0:
        return 0
    step = (racketeer - 1) % CYCLE
    return step + 1 if step < 7 else 13 - step


def racketeers_counted(number: int | None, following: int | None) -> list[int]:
    """How many racketeers may have been counted, of one cycle, if the last number is this one and the next is
    the other; None: not known.

    >>> racketeers_counted(0, 1), racketeers_counted(6, 5), racketeers_counted(6, None)
    ([0], [8], [6, 8])
    """
    return [
        n
        for n in range(CYCLE + 1)
        if number in (None, number_of(n)) and following in (None, number_of(n + 1))
    ]


@functools.lru_cache(maxsize=1024)
def token(word: str, language: str) -> int | str:
    """A word as it is compared: the number that it means, or itself without regard to case."""
    value = number(word, language)
    return plain(word) if value is None else value


def tokens(words: Sound, language: str) -> tuple[int | str, ...]:
    """Several words as they are compared."""
    return tuple(token(word, language) for word in words)


def needed(call: Call, sound: Sound, language: str) -> tuple[int | str, ...]:
    """All that has to be said for the card."""
    if call.silent:
        return ()
    if call.card in PHONES:
        return tokens(sound, language) * len(call.numbers)
    return call.numbers


def right_words(call: Call, sound: Sound | None, language: str) -> tuple[Sound, ...]:
    """What would be right to say now, as words; nothing where the caller invents the sound."""
    if not call.due:
        return ()
    if call.card not in PHONES:
        return (tuple(number_word(n, language) for n in call.numbers[call.heard :]),)
    if sound is None:
        return ()
    return ((sound * len(call.numbers))[call.heard :],)


def listen(call: Call, words: list[str], sound: Sound, language: str) -> Call:
    """The call after some words: judged word by word, finished by the last needed one or by a misfit.

    Surplus words are misfits like any other (N7-R7). `mistake` names the misfit; the clock is not touched.
    """
    wanted = needed(call, sound, language)
    heard = call.heard
    for word in words:
        said = token(word, language)
        if heard == len(wanted) or said != wanted[heard]:
            kind = _misfit(call, said, sound, language)
            return msgspec.structs.replace(call, heard=heard, done=True, mistake=kind)
        heard += 1
    return msgspec.structs.replace(call, heard=heard, done=heard == len(wanted))


def _misfit(call: Call, said: int | str, sound: Sound, language: str) -> str:
    """What kind of mistake a word is that does not fit (N7-18, N7-19, N7-21, N7-R13)."""
    if call.silent:
        return "should_be_silent"
    if call.card in PHONES:
        return "wrong_sound"
    if isinstance(said, int):
        return "wrong_number"
    return "wrong_sound" if said in tokens(sound, language) else "wrong_word"


def invented(call: Call, words: list[str], language: str) -> Sound | None:
    """The round's sound as the first phone card's caller invents it (N7-28): all words, lower case.

    None if a twin phone's two halves differ (N7-R15).
    """
    sound = tuple(plain(word) for word in words)
    if call.card == "phone":
        return sound
    half = len(sound) // 2
    first, second = sound[:half], sound[half:]
    return first if tokens(first, language) == tokens(second, language) else None

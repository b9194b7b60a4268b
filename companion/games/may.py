"""What may I do now? The offers of the rules as short sentences.

A game's sentences stand in the table `may` of its digest files, the words for choices in `common_may`, one
file a language; what is missing there is said in English.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from companion.games.contract.choices import Collection, Dice, Objects, Text
from companion.games.contract.offers import Choice, Offer, OneOf, Several, Words
from companion.games.digest import digest, in_language, read
from companion.games.explain import filled, listed

FEW = 3
"""Up to so many possibilities are listed; of more only the number is given."""
NAMES = frozenset({"player", "by", "to", "with"})
"""Fields that name players: their names are the same in every language."""

Say = Callable[[Any], str]
"""A card, a monster or a power in the reader's language."""


class Possibility(msgspec.Struct, frozen=True):
    """One sentence about an offer. `players` is empty where anybody may do it."""

    text: str
    rule: str
    players: tuple[str, ...]


def may(game: str, offers: Iterable[Offer], player: str | None = None) -> list[str]:
    """What may be done now, in English; with `player` only what that player may do. Each sentence once."""
    return list(dict.fromkeys(one.text for one in possibilities(game, offers, player)))


def possibilities(
    game: str,
    offers: Iterable[Offer],
    player: str | None = None,
    language: str = "en",
    say: Say = listed,
) -> list[Possibility]:
    """What may be done now.

    Mistakes that would be accepted with a verdict, and events that only follow a deadline, are left out.
    """
    templates = in_language(digest(game), game, language).may
    found: list[Possibility] = []
    for offer in offers:
        template = templates.get(f"{offer.event}/{offer.rule}", templates.get(offer.event, ""))
        doer = offer.fields.get("player", offer.fields.get("by"))
        if not template or offer.after is not None or (player is not None and not _concerns(doer, player)):
            continue
        fields = {
            name: described(choice, language, listed if name in NAMES else say)
            for name, choice in offer.fields.items()
        }
        if player is not None:
            fields["player"] = fields["by"] = player
        if fields.get("words") != "":
            players = tuple(map(str, doer.values)) if isinstance(doer, OneOf | Several) else ()
            found.append(Possibility(filled(template, fields), offer.rule, players))
    return list(dict.fromkeys(found))


def _concerns(doer: Choice | None, player: str) -> bool:
    """Whether an offer is for this player, or for anybody."""
    return not isinstance(doer, OneOf | Several) or player in doer.values


def described(choice: Choice, language: str = "en", say: Say = listed) -> str:
    """A choice in words."""
    words = choice_words(language)
    if isinstance(choice, OneOf | Objects | Collection | Several):
        return _one_of(tuple(choice.values), words, say)
    if isinstance(choice, Words):
        return _either([" ".join(one) for one in choice.right], words) if choice.right else ""
    if isinstance(choice, Text):
        return words["another_colour"] if choice.but else words["any_colour"]
    if isinstance(choice, Dice):
        return words["dice"].format(n=choice.count) if choice.count > 1 else words["one_die"]
    return words.get(type(choice).__name__, words["something"])


@functools.cache
def choice_words(language: str) -> Mapping[str, str]:
    """The words for choices in a language."""
    found: dict[str, str] = {}
    for one in ("en", language):
        found |= read("companion.games", f"common_may/{one}.toml")
    return found


def _one_of(values: tuple[Any, ...], words: Mapping[str, str], say: Say) -> str:
    if values and _is_place(values[0]):
        return words["places"].format(n=len(values)) if len(values) > 1 else words["only_place"]
    if len(values) <= FEW:
        return _either([say(value) for value in values], words)
    return words["one_of"].format(n=len(values))


def _either(parts: list[str], words: Mapping[str, str]) -> str:
    """ "a", "a or b", "a, b or c"."""
    if len(parts) < 2:
        return "".join(parts)
    return words["or"].format(first=", ".join(parts[:-1]), last=parts[-1])


def _is_place(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(type(one) is int for one in value)

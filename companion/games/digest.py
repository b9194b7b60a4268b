"""The digest: every rule and ruling of the five games in one short sentence of our own, by id.

The sentences are data, one file a game, beside this module, and in a folder for each language into which the
rules are translated; the ids are those that verdicts and rejections name. What the rulebooks leave open is
marked as a ruling, with the setting that decides otherwise.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, Literal

import msgspec

from companion.games import GAMES, rulebook

LANGUAGES = ("en", "de", "fr")
"""The languages in which the rules are told."""

Mark = Literal["stated", "implied", "elsewhere", "ruling"]


class Rule(msgspec.Struct, frozen=True):
    """One rule in our own words."""

    id: str
    text: str
    mark: Mark
    """Stated by the rulebook, implied by it, found elsewhere, or a ruling for what is left open."""
    physical: bool = False
    """Nothing that a companion could see or hear: for people only."""


class Digest(msgspec.Struct, frozen=True):
    """What is known in words about one game."""

    title: str
    rules: Mapping[str, Rule]
    rests_on: Mapping[str, str]
    """Verdict or code -> the rule that it usually rests on."""
    verdicts: Mapping[str, str]
    """What each verdict means."""
    codes: Mapping[str, str]
    """What each rejection means, the common ones included."""
    may: Mapping[str, str]
    """Event -> what a player is told who may do it; empty for what is nobody's aim."""


@functools.cache
def digest(game: str) -> Digest:
    """The digest of one game.

    Raises:
        BadHeader: `bad_game`.
    """
    if game not in GAMES:
        rulebook(game)
    data, common = _read(f"{game}/digest/en.toml"), _read("common_digest.toml")
    physical = set(data.get("physical", ()))
    marks: dict[str, Mark] = {
        **dict.fromkeys(data["rulings"], "ruling"),
        **dict.fromkeys(data.get("implied", ()), "implied"),
        **dict.fromkeys(data.get("elsewhere", ()), "elsewhere"),
    }
    rules = {
        id_: Rule(id_, text, marks.get(id_, "stated"), id_ in physical)
        for id_, text in {**data["rules"], **data["rulings"]}.items()
    }
    codes = {**common["codes"], **data["codes"]}
    return Digest(data["title"], rules, data["rests_on"], data["verdicts"], codes, data["may"])


def in_language(found: Digest, game: str, language: str) -> Digest:
    """The digest with its rules in a language; English where a rule has no translation.

    Args:
        found: the digest of `game`.
        language: as in LANGUAGES.
    """
    file = resources.files(__package__).joinpath(game, "digest", f"{language}.toml")
    if not file.is_file():
        return found
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    replace = msgspec.structs.replace
    rules = {id_: replace(rule, text=said.get(id_, rule.text)) for id_, rule in found.rules.items()}
    return replace(found, rules=rules)


def _read(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)

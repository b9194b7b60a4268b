"""The digest: every rule and ruling of a game in one short sentence of our own, by id.

The sentences stand in `digest/<language>.toml` of the game's package. The ids are those that verdicts and
rejections name. Where the rulebook leaves something open, the sentence is marked as a ruling and names the
setting that changes it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.core.languages import english_first
from companion.games import game_named

LANGUAGES = english_first(file.stem for file in Path(__file__).parent.glob("*/digest/*.toml"))
"""The languages in which the rules of a game are written: those of the files beside the games."""

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
    """Event -> the sentence for a player who may do it; empty for events that nobody intends."""
    chapters: Mapping[str, tuple[str, ...]] = {}
    """Chapter (`aim`, `material`, `set_up`, `turn` ...) -> ids of its rules, in the order of the rulebook;
    rulings stand in none."""


@functools.cache
def digest(game: str) -> Digest:
    """The digest of one game.

    Raises:
        BadHeader: `bad_game`.
    """
    found = game_named(game)
    data = read(found.package, "digest/en.toml")
    common = read(__package__, "common_digest.toml")
    physical = set(data.get("physical", ()))
    marks: dict[str, Mark] = {
        **dict.fromkeys(data.get("rulings", ()), "ruling"),
        **dict.fromkeys(data.get("implied", ()), "implied"),
        **dict.fromkeys(data.get("elsewhere", ()), "elsewhere"),
    }
    rules = {
        id_: Rule(id_, text, marks.get(id_, "stated"), id_ in physical)
        for id_, text in {**data.get("rules", {}), **data.get("rulings", {})}.items()
    }
    codes = {**common["codes"], **data.get("codes", {})}
    rests_on, verdicts, may = (data.get(table, {}) for table in ("rests_on", "verdicts", "may"))
    chapters = {name: tuple(ids) for name, ids in data.get("chapters", {}).items()}
    return Digest(found.title, rules, rests_on, verdicts, codes, may, chapters)


def sample(game: str) -> list[str]:
    """The lines of a short script that shows a turn of the game; none if the game has no sample.

    Raises:
        BadHeader: `bad_game`.
    """
    file = resources.files(game_named(game).package).joinpath("sample.jsonl")
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


def in_language(found: Digest, game: str, language: str) -> Digest:
    """The digest with its rules, and with what may be done, in a language; English where that is missing.

    Args:
        found: the digest of `game`.
        language: as in LANGUAGES.
    """
    said = read(game_named(game).package, f"digest/{language}.toml")
    replace = msgspec.structs.replace
    rules = {id_: replace(rule, text=said.get(id_, rule.text)) for id_, rule in found.rules.items()}
    return replace(found, rules=rules, may={**found.may, **said.get("may", {})})


def read(package: str, name: str) -> dict[str, Any]:
    """The TOML data of a package; empty if there is no such file, e.g. for a game whose rules are new."""
    file = resources.files(package).joinpath(name)
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}

"""The rules of a game for people: the digest in the rulebook's chapters with a sample turn."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import msgspec

from companion.announce.codes import N_
from companion.api.rules import GameRules, PossibleNow, RuleChapter, RuleText, SampleStep
from companion.games.digest import Digest, Rule, digest, in_language, sample
from companion.games.may import possibilities
from companion.games.spotter import GameView
from companion.table.record import Record, opened
from companion.table.story import phrases, story

CHAPTERS = {
    "aim": N_("Aim"),
    "material": N_("Material"),
    "set_up": N_("Set-up"),
    "turn": N_("Turn"),
    "mistakes": N_("Mistakes and doubts"),
    "monsters": N_("Monsters"),
    "powers": N_("Powers"),
    "fights": N_("Fights"),
    "scoring": N_("Scoring"),
    "end": N_("End of the game"),
    "variants": N_("Variants"),
}
RULES = N_("Rules")
RULINGS = N_("Rulings where the rulebook leaves something open")
MARKS = {"implied": N_("follows from the rules"), "elsewhere": N_("from another source")}
PEOPLE = N_("for people only")

Translate = Callable[[str], str]


def in_chapters(found: Digest, rules: list[Rule]) -> list[tuple[str, list[Rule]]]:
    """The rules by chapter, then those in none, then the rulings; empty parts are left out.

    Args:
        rules: those of `found` that are wanted.
    """
    by_id = {rule.id: rule for rule in rules}
    parts = [
        (CHAPTERS.get(name, name.replace("_", " ")), [by_id[id_] for id_ in ids if id_ in by_id])
        for name, ids in found.chapters.items()
    ]
    placed = {id_ for ids in found.chapters.values() for id_ in ids}
    others = [rule for rule in rules if rule.mark != "ruling" and rule.id not in placed]
    rulings = [rule for rule in rules if rule.mark == "ruling"]
    return [(heading, part) for heading, part in (*parts, (RULES, others), (RULINGS, rulings)) if part]


def note_on(rule: Rule, translate: Translate) -> str:
    """What should be known about a rule; empty for most."""
    notes = [translate(MARKS[rule.mark])] if rule.mark in MARKS else []
    if rule.physical:
        notes.append(translate(PEOPLE))
    return ", ".join(notes)


@functools.lru_cache(maxsize=32)
def rules_of(game: str, language: str) -> GameRules:
    """The rules of a game in a language.

    Raises:
        BadHeader: there is no such game.
    """
    found, translate = in_language(digest(game), game, language), phrases(language).word
    chapters = tuple(
        RuleChapter(
            translate(title),
            tuple(RuleText(rule.id, rule.text, note_on(rule, translate)) for rule in part),
        )
        for title, part in in_chapters(found, list(found.rules.values()))
    )
    return GameRules(game, found.title, chapters, _sample(game, language))


def _sample(game: str, language: str) -> tuple[SampleStep, ...]:
    record = sample_record(game)
    if record is None:
        return ()
    told = story(record, language)
    steps = []
    for entry in record.entries:
        lines = [line for line in told if line.n == entry.n]
        rules = dict.fromkeys(rule for line in lines for rule in line.rules)
        steps.append(SampleStep(entry.event, tuple(line.text for line in lines), tuple(rules)))
    return tuple(steps)


def sample_record(game: str) -> Record[Any] | None:
    """The sample turn of a game, played; None if it has none."""
    lines = sample(game)
    if not lines:
        return None
    record = opened(msgspec.json.decode(lines[0]))
    for line in lines[1:]:
        record.push(line)
    return record


def possible_now(game: str, seen: GameView, language: str) -> tuple[PossibleNow, ...]:
    """What may be done now, in sentences of a language."""
    found = possibilities(game, seen.offers, language=language, say=phrases(language).card)
    return tuple(PossibleNow(one.text, one.rule, one.players) for one in found)

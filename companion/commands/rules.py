"""`companion rules`: the digest of a game's rules in our own words, with ids."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable

import click
import msgspec

from companion.announce.codes import N_
from companion.announce.phrases import Phrases
from companion.commands._games import game_name
from companion.games.digest import LANGUAGES, Digest, Rule, digest, in_language

WIDEST = 100
"""Columns of the terminal that a line may take."""
HEADINGS = {
    "ruling": N_("Rulings where the rulebook leaves something open"),
    "stated": N_("Rules"),
}
MARKS = {"implied": N_("follows from the rules"), "elsewhere": N_("from another source")}
PEOPLE = N_("for people only")
NONE = N_("No rule says that; try another word.")
Say = Callable[[str], str]


@click.command()
@click.argument("game", callback=game_name)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object only.")
@click.option("--find", "wanted", metavar="TEXT", help="Only rules whose id or sentence contains this.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
def command(game: str, as_json: bool, wanted: str | None, language: str) -> None:
    """Print the rules of GAME in short, with the ids that verdicts refer to.

    GAME is a name like nasty_7; an unknown name lists all games.
    """
    found = in_language(digest(game), game, language)
    rules = [rule for rule in found.rules.values() if wanted is None or _concerns(rule, wanted)]
    if as_json:
        result = {"game": game, "title": found.title, "rules": rules}
        click.echo(msgspec.json.encode(result))
    else:
        click.echo("\n".join(page(found, rules, Phrases(language).word)))


def _concerns(rule: Rule, wanted: str) -> bool:
    return wanted.casefold() in f"{rule.id} {rule.text}".casefold()


def page(found: Digest, rules: list[Rule], say: Say) -> list[str]:
    """The digest in lines to be read; `say` says what is round the rules."""
    lines = [found.title]
    indent = " " * (max((len(rule.id) for rule in rules), default=0) + 2)
    width = min(WIDEST, shutil.get_terminal_size().columns)
    for ruling, heading in ((False, HEADINGS["stated"]), (True, HEADINGS["ruling"])):
        part = [rule for rule in rules if (rule.mark == "ruling") is ruling]
        if part:
            lines += ["", say(heading)]
        for rule in part:
            label = rule.id.ljust(len(indent))
            lines += textwrap.wrap(label + _text(rule, say), width, subsequent_indent=indent)
    return lines if rules else [*lines, "", say(NONE)]


def _text(rule: Rule, say: Say) -> str:
    """The sentence with what should be known about it."""
    notes = [say(MARKS[rule.mark])] if rule.mark in MARKS else []
    if rule.physical:
        notes.append(say(PEOPLE))
    return f"{rule.text} ({', '.join(notes)})" if notes else rule.text

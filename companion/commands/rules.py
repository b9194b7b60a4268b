"""`companion rules`: the digest of a game's rules in our own words, with ids."""

from __future__ import annotations

import shutil
import textwrap

import click
import msgspec

from companion.rules import GAMES
from companion.rules.digest import Digest, Rule, digest

WIDEST = 100
"""Columns of the terminal that a line may take."""
HEADINGS = {
    "ruling": "Rulings where the rulebook leaves something open",
    "stated": "Rules",
}
MARKS = {"implied": "follows from the rules", "elsewhere": "from another source"}


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)), metavar="GAME")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object only.")
@click.option("--find", "wanted", metavar="TEXT", help="Only rules whose id or sentence contains this.")
def command(game: str, as_json: bool, wanted: str | None) -> None:
    """Print the rules of GAME in short, in our own words, with the ids that verdicts name.

    GAME is one of seven_merry_monsters, trio_monsters, bugs_and_co, thirteen_monsters, nasty_7.
    """
    found = digest(game)
    rules = [rule for rule in found.rules.values() if wanted is None or _concerns(rule, wanted)]
    if as_json:
        result = {"game": game, "title": found.title, "rules": rules}
        click.echo(msgspec.json.encode(result))
    else:
        click.echo("\n".join(page(found, rules)))


def _concerns(rule: Rule, wanted: str) -> bool:
    return wanted.casefold() in f"{rule.id} {rule.text}".casefold()


def page(found: Digest, rules: list[Rule]) -> list[str]:
    """The digest in lines to be read."""
    lines = [found.title]
    indent = " " * (max((len(rule.id) for rule in rules), default=0) + 2)
    width = min(WIDEST, shutil.get_terminal_size().columns)
    for ruling, heading in ((False, HEADINGS["stated"]), (True, HEADINGS["ruling"])):
        part = [rule for rule in rules if (rule.mark == "ruling") is ruling]
        if part:
            lines += ["", heading]
        for rule in part:
            label = rule.id.ljust(len(indent))
            lines += textwrap.wrap(label + _text(rule), width, subsequent_indent=indent)
    return lines if rules else [*lines, "", "No rule says that; try another word."]


def _text(rule: Rule) -> str:
    """The sentence with what should be known about it."""
    notes = [MARKS[rule.mark]] if rule.mark in MARKS else []
    if rule.physical:
        notes.append("for people only")
    return f"{rule.text} ({', '.join(notes)})" if notes else rule.text

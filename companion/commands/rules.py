"""`companion rules`: prints the rules of a game in short sentences with ids."""

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
from companion.host.game_rules import in_chapters, note_on, sample_record
from companion.table.story import StoryLine, story

WIDEST = 100
"""Columns of the terminal that a line may take."""
SAMPLE = N_("A sample turn")
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
        result = {"game": game, "title": found.title, "rules": rules, "chapters": found.chapters}
        click.echo(msgspec.json.encode({**result, "sample": sample_turn(game, language)}))
        return
    click.echo("\n".join(page(found, rules, Phrases(language).word)))
    if wanted is None:
        click.echo("\n".join(sample_lines(game, language)))


def sample_turn(game: str, language: str) -> list[StoryLine]:
    """A short script of the game as it is played, sentence by sentence."""
    record = sample_record(game)
    return [] if record is None else story(record, language)


def sample_lines(game: str, language: str) -> list[str]:
    """The sample turn as lines of text, with the rules behind each sentence."""
    width = min(WIDEST, shutil.get_terminal_size().columns)
    lines = []
    for line in sample_turn(game, language):
        rules = f" ({', '.join(line.rules)})" if line.rules else ""
        lines += textwrap.wrap(line.text + rules, width, initial_indent="  ", subsequent_indent="    ")
    return ["", Phrases(language).word(SAMPLE), *lines] if lines else []


def _concerns(rule: Rule, wanted: str) -> bool:
    return wanted.casefold() in f"{rule.id} {rule.text}".casefold()


def page(found: Digest, rules: list[Rule], say: Say) -> list[str]:
    """The digest as lines of text; `say` translates its headings and notes."""
    lines = [found.title]
    indent = " " * (max((len(rule.id) for rule in rules), default=0) + 2)
    width = min(WIDEST, shutil.get_terminal_size().columns)
    for heading, part in in_chapters(found, rules):
        lines += ["", say(heading)]
        for rule in part:
            label = rule.id.ljust(len(indent))
            lines += textwrap.wrap(label + _text(rule, say), width, subsequent_indent=indent)
    return lines if rules else [*lines, "", say(NONE)]


def _text(rule: Rule, say: Say) -> str:
    """The sentence with what should be known about it."""
    note = note_on(rule, say)
    return f"{rule.text} ({note})" if note else rule.text

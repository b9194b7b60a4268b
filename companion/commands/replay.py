"""`companion replay`: a script of events through the referee, as a summary or as one JSON object."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.commands.reports import Report
from companion.core.errors import BadHeader, CompanionError, UsageError
from companion.core.events import MutableEvent
from companion.games import game_named, games
from companion.table.record import Record, opened, parse
from companion.table.timeline import Entry

if TYPE_CHECKING:
    from companion.table.heard_replay import AskedCall

SHOWN = 5
"""The most broken lines that are listed by number."""
NOTHING_HEARD = "no call was heard in it: is it loud enough, and does it begin with the game?"
"""A note on a recording."""


class CannotRead(CompanionError):
    """A script that cannot be read."""


@click.command()
@click.argument("script", type=click.Path(path_type=Path))
@click.option(
    "--audio", type=click.Path(path_type=Path), help="Recording (WAV) that replaces the heard events."
)
@click.option(
    "--answers",
    type=click.Path(path_type=Path),
    help="Script with the true heard events, which answer the questions; else the asked are believed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object only.")
@click.option("--explain", is_flag=True, help="Say for each event what it meant, and the rules it rests on.")
@click.option("--story", "as_story", is_flag=True, help="Print the game as a person would tell it.")
@click.option("--position", is_flag=True, help="Print the game as one line, to go on at another table.")
@click.option("--language", default="en", show_default=True, help="Language of the sentences, e.g. de.")
def command(
    script: Path,
    audio: Path | None,
    answers: Path | None,
    as_json: bool,
    explain: bool,
    as_story: bool,
    position: bool,
    language: str,
) -> None:
    """Play a SCRIPT, one JSON object a line (header, then events), through the referee.

    With --audio the calls come from a recording of the table and are judged as the table judges them. The
    output has the questions that it would ask: "asked": [{"t", "player", "heard", "right"}].
    """
    lines = lines_of(script)
    if answers is not None and audio is None:
        raise UsageError("replay.answers_without_audio")
    try:
        record, asked = replayed(lines, audio, None if answers is None else lines_of(answers))
    except BadHeader as error:
        if as_json:
            put({"error": error.code})
        click.echo(f"companion: {script}, line 1: {error}", err=True)
        sys.exit(2)
    unread = [number for number, line in enumerate(lines, 1) if line is None or parse(line) is None]
    if unread:
        click.echo(f"companion: {script}, {passed_over(unread)}", err=True)
    if audio is not None and not asked and not any(map(_is_heard, record.entries)):
        click.echo(f"companion: {audio}: {NOTHING_HEARD}", err=True)
    if position:
        put(game_line(record))
        return
    if as_story and not as_json:
        click.echo("\n".join(paragraphs(record, language)))
        return
    reasons = explanations(record) if explain else None
    if as_json:
        result = record.result()
        if audio is not None:
            result = {**result, "asked": [msgspec.to_builtins(one) for one in asked]}
        if reasons is not None:
            result = {**result, "explanations": reasons, "may": choices(record)}
        put({**result, "story": story_lines(record, language)} if as_story or explain else result)
    else:
        click.echo("\n".join([*summary(record, reasons), *map(_question_line, asked)]))


def lines_of(script: Path) -> list[str | None]:
    """The lines of a script, None for a line that is not UTF-8. Empty lines at its end are left out.

    Raises:
        CannotRead: the file cannot be read; the message says why.
    """
    try:
        data = script.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        raise CannotRead("replay.unreadable", script=script, why=why) from error
    lines = data.removeprefix(b"\xef\xbb\xbf").rstrip().split(b"\n")
    return [_decoded(line) for line in lines]


def _is_heard(entry: Entry) -> bool:
    return entry.code is None and entry.event.get("event") == "heard"


def _decoded(line: bytes) -> str | None:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None


def passed_over(unread: list[int]) -> str:
    """A note on lines that are not JSON objects; the events in the other lines still count."""
    shown = ", ".join(map(str, unread[:SHOWN])) + (", ..." if len(unread) > SHOWN else "")
    if len(unread) == 1:
        return f"line {shown} is no JSON object and was passed over: one {{...}} a line, UTF-8"
    return f"lines {shown} are no JSON objects and were passed over: one {{...}} a line, UTF-8"


def replayed(
    lines: list[str | None], audio: Path | None = None, answers: list[str | None] | None = None
) -> tuple[Record[Any], list[AskedCall]]:
    """The record of a script, with the calls of a recording if one is given, and the questions about them.

    Args:
        lines: the script.
        audio: the recording.
        answers: lines with the true `heard` events; None: a call that is asked about is believed.

    Raises:
        BadHeader: the first line names no playable game.
        UsageError: there is a recording, but the game has no calls.
    """
    if lines[0] is None:
        raise BadHeader("bad_game", "header.no_utf8")
    header = parse(lines[0])
    record = opened(header)
    if audio is None:
        for line in lines[1:]:
            record.push("" if line is None else line)
        return record, []
    if game_named(record.book.name).hearing is None:
        listening = tuple(game.name for game in games() if game.hearing is not None)
        raise UsageError("replay.no_speech_option", games=listening)
    from companion.commands.replay_audio import replayed_recording

    events = [_event_of(line) for line in lines[1:]]
    truth = None if answers is None else [one for line in answers if (one := parse(line or "")) is not None]
    return replayed_recording(header or {}, events, audio, truth)


def _event_of(line: str | None) -> MutableEvent | str:
    """The event of a line; the line itself if it is none."""
    event = parse(line or "")
    return (line or "") if event is None else event


def explanations(record: Record[Any]) -> list[Report]:
    """For each verdict and each rejection the rule behind it, in a sentence."""
    from companion.games.explain import explain, with_meant_field

    game = record.book.name
    found: list[Report] = []
    for entry in record.entries:
        if entry.code is not None:
            rule, text = explain(game, entry.code, {"rule": entry.rule})
            text = with_meant_field(text, record.book, record.setup, entry.event, entry.code)
            found.append({"n": entry.n, "code": entry.code, "rule": rule, "text": text})
        for one in entry.findings:
            rule, text = explain(game, one.verdict, {**one.details, "rule": one.rule})
            reason = {"n": entry.n, "player": one.player, "verdict": one.verdict}
            found.append({**reason, "rule": rule, "text": text})
    return found


def story_lines(record: Record[Any], language: str) -> list[Report]:
    """The story, sentence by sentence: {"n", "code", "text", "rules"}."""
    from companion.table.story import story

    return [msgspec.to_builtins(line) for line in story(record, language)]


def paragraphs(record: Record[Any], language: str) -> list[str]:
    """The story as text: a line for each event, then the points of each player."""
    lines: dict[int, list[str]] = {}
    for line in story_lines(record, language):
        lines.setdefault(line["n"], []).append(line["text"])
    scores = ", ".join(f"{player} {points}" for player, points in record.scores().items())
    return [*(" ".join(sentences) for sentences in lines.values()), *([scores] if scores else [])]


def game_line(record: Record[Any]) -> dict[str, Any]:
    """Header and position of a game: what "Paste a game" on the phone reads."""
    settings = msgspec.to_builtins(record.setup.settings)
    header = {"game": record.book.name, "players": record.setup.players, "settings": settings}
    return {**header, "state": record.book.view(record.state)}


def choices(record: Record[Any]) -> list[str]:
    """What may be done now, in short sentences."""
    from companion.games.may import may

    return may(record.book.name, record.book.expects(record.state))


def summary(record: Record[Any], reasons: list[Report] | None) -> list[str]:
    """The result as lines of text, on request with the reasons of its findings and the possible next
    events."""
    book, view = record.book, record.book.view(record.state)
    turn = view.get("turn")
    lines = [f"{book.title}: {view['phase']}" + (f", {turn} is to act" if turn else "")]
    if reasons is not None:
        lines += explained_lines(record, reasons)
    else:
        lines += [
            _as_line(one) for one in sorted(record.verdicts + record.rejected, key=lambda each: each["n"])
        ]
    lines += [f"{points:>6}  {player}" for player, points in record.scores().items()]
    winner = record.winner()
    if reasons is not None:
        lines += [f"     ?  {sentence}" for sentence in choices(record)]
    if winner:
        lines.append(f"{' and '.join(winner)} {'wins' if len(winner) == 1 else 'share the win'}")
    return lines


def explained_lines(record: Record[Any], reasons: list[Report]) -> list[str]:
    """The meaning of each event with its rules, and rejections and verdicts with their reasons."""
    found: list[tuple[int, str]] = []
    for line in story_lines(record, "en"):
        rules = f" [{', '.join(line['rules'])}]" if line["rules"] else ""
        found.append((line["n"], f"{line['n']:>6}  {line['text']}{rules}"))
    found += [(reason["n"], _as_line(reason)) for reason in reasons]
    return [text for _n, text in sorted(found, key=lambda one: one[0])]


def _question_line(one: AskedCall) -> str:
    """One question as a line."""
    heard, right = " ".join(one.heard) or "nothing known", " ".join(one.right) or "silence"
    return f"asked at {one.t:.3f} s: {one.player}, heard {heard}, right: {right}"


def _as_line(one: Report) -> str:
    """One verdict or rejection as a line."""
    what = f"{one['player']}: {one['verdict']}" if "verdict" in one else f"rejected: {one['code']}"
    expected = f" (expected {', '.join(map(str, one['expected']))})" if "expected" in one else ""
    rule = f" [{one['rule']}]" if one.get("rule") else ""
    text = f" – {one['text']}" if one.get("text") else ""
    return f"{one['n']:>6}  {what}{expected}{rule}{text}"


def put(result: Report) -> None:
    """JSON on standard output, UTF-8 whatever the terminal."""
    click.echo(msgspec.json.encode(result))

"""`companion listen`: the calls in recordings, as words with their times."""

from __future__ import annotations

import time
from typing import Any

import click
import msgspec

from companion.commands.reports import Report
from companion.core.errors import CompanionError


@click.command()
@click.argument("recordings", metavar="WAV...", nargs=-1, required=True)
@click.option(
    "--words",
    default="",
    help="Words to listen for, e.g. one,two,stop. Default: the calls of The Nasty 7.",
)
@click.option("--language", default="en", show_default=True, help="The language of the calls.")
@click.option(
    "--model", "model_name", default="", help="An added model or a folder; default: the companion's own."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each recording.")
def command(recordings: tuple[str, ...], words: str, language: str, model_name: str, as_json: bool) -> None:
    """Recognise the calls in recordings.

    Any WAV file; sample rate and channels are converted. Other words are left out.
    """
    import os

    from companion.speech.model import grammar, models
    from companion.store.folder import DataFolder, default_folder

    lang = grammar.language(language)
    shelf = DataFolder(default_folder(os.environ)).models
    path = models.find_model(language, models.named(model_name, shelf))
    known = models.vocabulary(path)
    wanted = words.split(",") if words.strip() else [word for word in lang.calls() if word in known]
    listening, competing = (
        grammar.with_competing_words(wanted, known, lang),
        grammar.competing_words(wanted, known, lang),
    )
    model = models.open_model(path)
    failures: list[CompanionError] = []
    for recording in recordings:
        try:
            found = _listen(recording, model, listening, competing)
        except CompanionError as error:
            failures.append(error)
            continue
        click.echo(msgspec.json.encode(found) if as_json else _readable(found))
    for failure in failures[:-1]:
        click.echo(f"companion: {failure}", err=True)
    if failures:
        raise failures[-1]


def _listen(recording: str, model: Any, words: tuple[str, ...], unreported: frozenset[str]) -> Report:
    """The JSON object of one recording."""
    from companion.speech.audio import wav
    from companion.speech.recognition import calls, offline

    begun = time.perf_counter()
    samples = wav.read_wav(recording)
    heard = offline.recognise(samples, model, words, unreported)
    return {
        "audio": recording,
        "calls": [
            {
                "words": list(call.said),
                "start": round(call.start, 3),
                "end": round(call.end, 3),
                "confidence": round(call.confidence, 3),
            }
            for call in calls.group(heard)
        ],
        "words": [
            {
                "word": word.word,
                "start": round(word.start, 3),
                "end": round(word.end, 3),
                "confidence": round(word.confidence, 3),
            }
            for word in heard
        ],
        "ms": round((time.perf_counter() - begun) * 1000.0, 1),
    }


def _readable(found: Report) -> str:
    """The calls as text, one a line."""
    lines = [found["audio"]]
    for call in found["calls"]:
        said, sure = " ".join(call["words"]), call["confidence"]
        lines.append(f"  {call['start']:7.2f} - {call['end']:6.2f} s  {said}  ({sure:.0%} sure)")
    return "\n".join(lines if len(lines) > 1 else [*lines, "  nothing was heard"])

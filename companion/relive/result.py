"""The result of an evening that was played again: typed for programs, in sentences for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from companion.recording import format as files
from companion.recording.reader import JudgedGame, RecordedEvening
from companion.relive.compare import GameComparison, compared
from companion.relive.player import Relived, SenseReport
from companion.relive.truth import SenseTruth, truth
from companion.relive.words import Clues, written
from companion.store.journal import read_journal
from companion.store.rows import Line

CUT_S = 1.5
"""The last seconds of an evening that was cut off are not compared: each file ends at its own moment."""


class ReliveResult(msgspec.Struct, frozen=True):
    """What `companion relive --json` prints."""

    same: bool
    """Whether both journals have the same events, verdicts and times."""
    seconds: float
    """Length of the evening."""
    tolerance_s: float
    """By how much times may differ: one picture."""
    cut_off: str | None
    """The file that ended before the log did: the evening is compared up to there."""
    frames_lost: int
    """Pictures that the recording does not hold."""
    games: tuple[GameComparison, ...]
    truth: tuple[SenseTruth, ...] | None = None
    """With `--truth`: what became of the events of each sense that evening."""


def of(evening: RecordedEvening, again: Relived, *, truth: bool = False) -> ReliveResult:
    """Compares an evening with what came of it now.

    Raises:
        Unreadable: its journal cannot be read.
    """
    manifest = evening.manifest
    live = evening.journal()
    earlier = _earlier(evening, live)
    began = datetime.fromisoformat(manifest.began)
    ended = began + timedelta(seconds=again.end - manifest.start)
    tolerance_s = 1.0 / manifest.config.camera.fps
    games = compared(
        live,
        again.games,
        tolerance_s,
        earlier,
        None if is_whole(evening, again) else ended - timedelta(seconds=CUT_S),
    )
    return ReliveResult(
        not any(one.differences for one in games),
        round(again.end - manifest.start, 3),
        round(tolerance_s, 4),
        again.cut_off,
        manifest.totals.frames_lost,
        games,
        _truth(evening, live, earlier) if truth else None,
    )


def is_whole(evening: RecordedEvening, again: Relived) -> bool:
    """Whether the recording goes on to the end of the service, or until somebody ended it."""
    manifest = evening.manifest
    return manifest.ended is not None and manifest.stopped_why is None and again.cut_off is None


def as_json(result: ReliveResult) -> str:
    """The result as one line of JSON."""
    return msgspec.json.encode(result, order="deterministic").decode()


def as_text(evening: RecordedEvening, again: Relived, result: ReliveResult) -> list[str]:
    """The result in sentences, one a line."""
    manifest = evening.manifest
    began = datetime.fromisoformat(manifest.began)
    reported = (one for one in evening.items() if isinstance(one, files.Reported))
    live = tuple(SenseReport(one.at, one.observation) for one in reported)
    clues = Clues(live, manifest.start, began), Clues(again.reports, manifest.start, began)
    lines = written(result.games, *clues, whole=is_whole(evening, again))
    if not result.games:
        lines.append("No game was played.")
    if manifest.running is not None:
        lines.append("The recording began in the middle of a game: what had begun before is missing in it.")
    if result.frames_lost:
        lost = f"{result.frames_lost} pictures are missing"
        lines.append(f"{lost}: they came faster than they could be compressed.")
    if result.cut_off is not None:
        lines.append(f"{result.cut_off} ends early: the evening is compared up to there.")
    elif manifest.ended is None:
        lines.append("The recording was cut off: the evening is compared up to there.")
    for one in result.truth or ():
        lines.append(
            f"{one.sense}: {one.right} of {one.events} events were right, {one.corrected} were corrected, "
            f"{one.asked} were asked about, {one.refused} were refused."
        )
    return lines


def _earlier(evening: RecordedEvening, games: Sequence[JudgedGame]) -> list[Sequence[Line]]:
    """For each game its lines from before the recording began."""
    start = evening.start_journal
    if start is None:
        return [() for _ in games]
    with read_journal(start) as journal:
        known = {row.id: journal.lines(row.id) for row in journal.games()}
    return [known.get(one.game.id, ()) for one in games]


def _truth(
    evening: RecordedEvening, games: Sequence[JudgedGame], earlier: Sequence[Sequence[Line]]
) -> tuple[SenseTruth, ...]:
    return truth(games, earlier, _answered(evening))


def _answered(evening: RecordedEvening) -> frozenset[int]:
    """Numbers in the journal of the lines that answers have made."""
    asked: set[int] = set()
    found: set[int] = set()
    for item in evening.items():
        if isinstance(item, files.CommandArrived) and item.name == "answer":
            asked.add(item.number)
        elif isinstance(item, files.CommandReplied) and item.number in asked:
            seq = msgspec.json.decode(item.reply).get("seq")
            if isinstance(seq, int):
                found.add(seq)
    return frozenset(found)

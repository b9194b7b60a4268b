"""The closed loop of The Nasty 7 in noise: right, asked, accused, missed mistakes, questions.

    python -m bench.table_talk --shared DIR [--noises silence,music] [--snr 20,10,5] [--games 1] [--seed 0]
                               [--group development|report] [--players N] [--turns] [--each]
                               [--array [--no-seats]] [--log FILE]

Real listener, inbox, spotter and rules; landings are reported as late as the camera reports them. Callers are
real speakers that no training has met, the throat sound is synthetic. Constants are chosen by the development
speakers and noises only.

`--array`: the same in a simulated room (pyroomacoustics) with four microphones, players in their seats and
the noise from a loudspeaker in another direction; seats are learned before the game. `--no-seats`: they are
not, and directions say nothing. `--each`: the results are those of each kind of noise, not of all together.
`--log`: a long measurement may be done in several runs of the same commit.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bench.evenings import nasty_7
from bench.evenings.habits import Habits, drawn
from bench.evenings.script import Rng
from bench.paths import default_shared
from bench.report import options as results_option
from bench.report.estimates import Estimate, mean, rate, share
from bench.report.results import record
from bench.table_talk.game_log import GameLog
from bench.table_talk.loop import NO_SEATS, GameResult, TurnResult, played
from bench.table_talk.microphone import TableSound
from bench.table_talk.noises import KINDS, Noises
from bench.table_talk.voices import SPEAKERS, CallerVoice, Group

GROUPS = tuple(SPEAKERS)
IN_REPORT = {"silence": "clean", "five talkers": "talkers", "foreign numbers": "foreign", "music": "music"}
"""Kinds of noise that have rows of their own in the report, and what those are named after."""


@dataclass(frozen=True)
class Condition:
    """A kind of noise and how far it is below a clear call."""

    kind: str
    snr_db: float

    def __str__(self) -> str:
        return self.kind if self.kind == "silence" else f"{self.kind} {self.snr_db:g} dB"


def lively(rng: Rng) -> Habits:
    """Players who shout early and make many mistakes."""
    habits = drawn(rng)
    changes = {"shouts_early": 0.2, "errs": 0.12, "early_s": 0.5}
    return Habits(**{**habits.__dict__, **changes})


@dataclass(frozen=True)
class ListeningTable:
    """What stands on the table."""

    array: bool = False
    """An array of microphones in a simulated room; False: one microphone."""
    learns_seats: bool = True
    """Whether the players' seats are learned before the game."""


@dataclass(frozen=True)
class DrawnGame:
    """What a game is drawn from."""

    group: Group
    condition: Condition
    seed: int
    players: int | None
    """None: 2 to 4."""
    table: ListeningTable


def measure(
    shared: Path,
    group: Group,
    conditions: list[Condition],
    games: int,
    seed: int,
    verbose: bool,
    table: ListeningTable,
    players: int | None = None,
    log: GameLog | None = None,
) -> dict[Condition, list[GameResult]]:
    """Plays the games of every condition; `players`: of each game, None: 2 to 4."""
    noises = Noises(shared, group)
    log = GameLog(None) if log is None else log
    found: dict[Condition, list[GameResult]] = {}
    for condition in conditions:
        for number in range(seed, seed + games):
            drawn = DrawnGame(group, condition, number, players, table)
            result = log.get(str(drawn))
            if result is None:
                result = play(shared, noises, drawn)
                log.keep(str(drawn), result)
            found.setdefault(condition, []).append(result)
            if verbose:
                shown(condition, number, result.turns)
    return found


def play(shared: Path, noises: Noises, game: DrawnGame) -> GameResult:
    """Plays one game."""
    group, table, condition = game.group, game.table, game.condition
    rng = np.random.default_rng([game.seed, 23, *([GROUPS.index(group)] if table.array else [])])
    script = nasty_7.script(game.seed, lively, game.players)
    voices = rng.permutation(SPEAKERS[group])
    callers = {
        player: CallerVoice(shared, str(voices[place % len(voices)]), rng)
        for place, player in enumerate(script.players)
    }
    noise = None if condition.kind == "silence" else noises.make(condition.kind, rng)
    if not table.array:
        return played(script, TableSound(callers, noise, condition.snr_db, rng), rng)
    from bench.table_talk.array_room import ArrayTableSound  # pyroomacoustics is for it alone

    room = ArrayTableSound(callers, noise, condition.snr_db, rng)
    return played(script, room, rng, room.seats() if table.learns_seats else NO_SEATS)


def shown(condition: Condition, number: int, turns: list[TurnResult]) -> None:
    """Prints the turns that went wrong."""
    for turn in turns:
        if turn.outcome not in ("right", "caught"):
            late = " (landing not reported)" if turn.unseen else ""
            print(
                f"{condition} game {number} {turn.at:.1f} s {turn.player} {turn.card}, {turn.moment}{late}: "
                f"{turn.truth} -> {turn.outcome} {turn.verdicts}"
            )


def counted(results: list[GameResult]) -> dict[str, Counter[str]]:
    """Outcomes of calls that were right, of silent guns, of early calls, of mistakes, and of the turns that
    the camera missed."""
    counts: dict[str, Counter[str]] = {
        name: Counter() for name in ("call", "gun", "early", "mistake", "unseen")
    }
    for turn in (turn for result in results for turn in result.turns):
        if turn.unseen:
            counts["unseen"][turn.outcome] += 1
        elif turn.truth != "correct":
            counts["mistake"][turn.outcome] += 1
        else:
            counts["gun" if turn.card == "gun" else "call"][turn.outcome] += 1
            if turn.moment == "call before the card is down":
                counts["early"][turn.outcome] += 1
    return counts


def late_unasked(results: list[GameResult]) -> int:
    """How many players count as too late although something was said in time, unasked; also where the camera
    missed the card."""
    return sum(turn.late_unasked for result in results for turn in result.turns)


def report(found: dict[Condition, list[GameResult]]) -> None:
    """Prints the table."""
    print(
        "| noise | right calls: right / asked / accused / unnoticed | silent guns: the same "
        "| early calls: the same | landing not reported: the same | mistakes: caught / asked / missed "
        "| questions in 20 turns "
        "| CPU idle / whole, s |"
    )
    print("|---" * 8 + "|")
    for condition, results in found.items():
        print(row(str(condition), results))
    print(row("all", [one for results in found.values() for one in results]))


def row(name: str, results: list[GameResult]) -> str:
    """One line of the table."""
    counts = counted(results)
    turns = sum(len(result.turns) for result in results)
    questions = sum(result.questions for result in results)
    right = ("right", "asked", "accused", "unnoticed")
    cells = [
        " / ".join(str(counts[kind][one]) for one in right) for kind in ("call", "gun", "early", "unseen")
    ]
    cells.append(" / ".join(str(counts["mistake"][one]) for one in ("caught", "asked", "missed")))
    cells.append(f"{20 * questions / max(1, turns):.1f}")
    idle = np.mean([cost for result in results for cost in result.idle_busy] or [0.0])
    whole = np.mean([cost for result in results for cost in result.busy] or [0.0])
    return f"| {name} | " + " | ".join(cells) + f" | {idle:.3f} / {whole:.3f} |"


def estimates(found: dict[Condition, list[GameResult]]) -> dict[str, Estimate]:
    """The rows of the report: over all noises, over all of them without noise, and the costs."""
    every = [one for results in found.values() for one in results]
    made: dict[str, Estimate] = {}
    counts = counted(every)
    for name, kind, outcome in (
        ("accused", "call", "accused"), ("asked", "call", "asked"), ("right", "call", "right"),
        ("gun-accused", "gun", "accused"), ("early-right", "early", "right"), ("missed", "mistake", "missed"),
    ):  # fmt: skip
        if counts[kind].total():
            made[f"table_talk/{name}"] = share(counts[kind][outcome], counts[kind].total())
    turns = sum(len(result.turns) for result in every)
    made["table_talk/late-unasked"] = share(late_unasked(every), turns)
    made["table_talk/questions"] = rate(sum(result.questions for result in every), turns / 20)
    quiet = [one for condition, results in found.items() for one in results if condition.kind == "silence"]
    if quiet:
        made["table_talk/cost-idle"] = mean([cost for one in quiet for cost in one.idle_busy])
        made["table_talk/cost"] = mean([cost for one in quiet for cost in one.busy])
    return made


def of_each_noise(found: dict[Condition, list[GameResult]]) -> dict[str, Estimate]:
    """The rows of the report about single kinds of noise, each at all its levels together: right calls that
    are accused or asked about, and mistakes that pass."""
    made: dict[str, Estimate] = {}
    for kind, name in IN_REPORT.items():
        counts = counted([one for each, results in found.items() if each.kind == kind for one in results])
        calls, mistakes = counts["call"], counts["mistake"]
        if calls:
            made[f"table_talk/{name}-accused"] = share(calls["accused"], calls.total())
            made[f"table_talk/{name}-asked"] = share(calls["asked"], calls.total())
        if mistakes:
            made[f"table_talk/{name}-passed"] = share(mistakes["missed"], mistakes.total())
    return made


def of_games(found: dict[Condition, list[GameResult]]) -> dict[str, Estimate]:
    """The rows of the report about whole games."""
    every = [one for results in found.values() for one in results]
    return {
        "table_talk/fair": share(sum(one.is_fair for one in every), len(every)),
        "table_talk/game-questions": rate(sum(one.questions for one in every), len(every)),
    }


def of_array(found: dict[Condition, list[GameResult]]) -> dict[str, Estimate]:
    """The rows of the report about an array of microphones."""
    calls = counted([one for results in found.values() for one in results])["call"]
    names = ("right", "asked", "accused")
    return {f"table_talk/array-{name}": share(calls[name], calls.total()) for name in names}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shared", type=Path, default=default_shared())
    parser.add_argument("--noises", default=",".join(KINDS), help=", ".join(KINDS))
    parser.add_argument("--snr", default="20,10,5", help="decibels below a clear call")
    parser.add_argument("--games", type=int, default=1, help="games of each condition")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--group", choices=tuple(SPEAKERS), default="development")
    parser.add_argument("--players", type=int, help="of each game (otherwise 2 to 4)")
    parser.add_argument("--each", action="store_true", help="results of each kind of noise")
    parser.add_argument("--turns", action="store_true", help="print each turn that went wrong")
    parser.add_argument("--array", action="store_true", help="an array of microphones in a simulated room")
    parser.add_argument("--no-seats", action="store_true", help="the seats are not learned")
    parser.add_argument("--log", type=Path, help="keep each game here; games that are in it are not played")
    results_option.add(parser)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = asked.noises.split(",")
    levels = [float(one) for one in asked.snr.split(",")]
    conditions = [
        Condition(kind, level) for kind in kinds for level in (levels if kind != "silence" else levels[:1])
    ]
    began = time.process_time()
    table = ListeningTable(asked.array, not asked.no_seats)
    found = measure(
        asked.shared,
        asked.group,
        conditions,
        asked.games,
        asked.seed,
        asked.turns,
        table,
        asked.players,
        GameLog(asked.log),
    )
    report(found)
    whole = of_games(found)
    fair, questions = (whole[f"table_talk/{name}"] for name in ("fair", "game-questions"))
    print(f"\n{fair.value:.3f} of {fair.n} games without a false accusation")
    print(f"{questions.value:.2f} questions a game")
    every = [one for results in found.values() for one in results]
    print(f"{late_unasked(every)} players too late, unasked, although something was said in time")
    print(f"\n{asked.group} speakers and noises; {time.process_time() - began:.0f} s of processor time")
    if asked.array:
        rows = of_array(found)
    elif asked.each:
        rows = of_each_noise(found)
    else:
        rows = estimates(found) if asked.players is None else whole
    record(asked.results, rows)


if __name__ == "__main__":
    main()

"""How much of the rules random play reaches.

    python -m bench.rules.coverage                  all games, 70 random games each
    python -m bench.rules.coverage --games 20 --only nasty_7

Plays random games; at every step events from elsewhere in the game and broken ones are tried as well, which
the rules refuse. Prints for every module of a game's rules the share of its branches and statements that are
reached, and the lines that are not. Needs the package `coverage` (extra `bench`).
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import subprocess
import sys
from importlib import util
from pathlib import Path
from random import Random
from typing import Any

Json = dict[str, Any]
NOT_RULES = {"position", "story", "view"}
"""Modules on which a game's rules rest and that random play is not about."""
GAMES = 70
REMEMBERED = 200
"""So many earlier events are kept to be tried again where they do not belong."""
AGREED = 0.1
"""Share of the refused events that the table counts all the same."""
WRONG_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 99, 2.5, float("inf"), "", "nobody", [], [1], [""], [None, 2], ["x", "x"]),
    *({}, {"monster": 0}, {"monster": 1, "part": "tail"}, {"red": -1}),
)


def play(game: str, number: int) -> None:
    """Plays so many random games and tries wrong events at every step."""
    from bench.rules.laws import broken_laws
    from bench.rules.play import header_of, next_event
    from companion.games import rulebook
    from companion.table.record import opened
    from companion.table.story import sentences_of

    book, pool = rulebook(game), list[Json]()
    for seed in range(number):
        random = Random(f"coverage {game} {seed}")
        header = header_of(book, random)
        refuse_settings(book, header)
        record = opened(header)
        while record.state.phase != "over" and len(record.entries) < 2000:
            event = next_event(record, random)
            pool.append(event)
            stray = random.sample(pool, min(4, len(pool)))
            turn = book.view(record.state).get("turn") or random.choice(record.setup.players)
            for wrong in (*stray, *({**one, "player": turn} for one in stray), broken(event, random)):
                refuse(book, record.state, wrong, agreed=random.random() < AGREED)
            for offer in book.expects(record.state):
                offer.matches(event)
                offer.matches(broken(event, random))
            book.deadline(record.state)
            if "start" not in event and random.random() < 0.1:
                event = {**event, "t": record.state.time}
            record.push(event)
            if random.random() < 0.05 and record.state.phase != "over":
                record.push({"event": "position", "state": json.loads(json.dumps(book.view(record.state)))})
            del pool[:-REMEMBERED]
        assert not broken_laws(record.state)
        refuse(book, record.state, random.choice(pool))
        book.expects(record.state)
        book.deadline(record.state)
        record.result()
        sentences_of(record)


def refuse_settings(book: Any, header: Json) -> None:
    """Tries the header with each setting spoilt."""
    from companion.core.errors import BadHeader

    for name in book.settings_type.__struct_fields__:
        for value in WRONG_VALUES:
            with contextlib.suppress(BadHeader):
                book.header(header["players"], {**header["settings"], name: value})


def broken(event: Json, random: Random) -> Json:
    """The event with one field of a wrong value, or without it."""
    name = random.choice(sorted(event.keys() - {"event"}) or ["player"])
    changed = {**event, name: random.choice(WRONG_VALUES)}
    if random.random() < 0.2:
        del changed[name]
    return changed


def refuse(book: Any, state: Any, event: Json, agreed: bool = False) -> None:
    """Tries an event that may be refused, by itself, as pardoned by the table and, `agreed`, as counted."""
    from companion.core.errors import Rejected

    for judge in (book.play, book.pardon):
        with contextlib.suppress(Rejected):
            judge(state, event)
    if agreed:
        book.outcome(state, event)
    if isinstance(event.get("event"), str):
        with contextlib.suppress(Rejected):
            book.lapse(state, event)


def measured(game: str, number: int) -> Json:
    """{"reached", "possible", "modules": [[name, reached, possible, lines that are not reached]]}.

    Coverage starts before anything of the companion is imported, so that definitions count as reached.
    """
    from coverage import Coverage

    modules = sorted(map(str, rule_modules(game)))
    coverage = Coverage(branch=True, include=modules, data_file=None)
    coverage.start()
    try:
        play(game, number)
    finally:
        coverage.stop()
    found = []
    for module in modules:
        reached, possible = coverage._analyze(module).numbers.ratio_covered
        found.append([Path(module).name, reached, possible, coverage.analysis2(module)[4]])
    return {
        "reached": sum(one[1] for one in found),
        "possible": sum(one[2] for one in found),
        "modules": found,
    }


def rule_modules(game: str) -> set[Path]:
    """The modules of a game that its rulebook imports, at whatever distance."""
    folder, found = Path(__file__).resolve().parents[2] / "companion" / "games" / game, set[Path]()
    waiting = ["rules"]
    while waiting:
        path = folder / f"{waiting.pop()}.py"
        found.add(path)
        named = re.findall(rf"^from companion\.games\.{game}\.(\w+) import", path.read_text("utf-8"), re.M)
        waiting += [name for name in named if name not in NOT_RULES and folder / f"{name}.py" not in found]
    return found


def report(game: str, result: Json) -> str:
    """The result in lines to be read."""
    lines = [f"{result['reached'] / result['possible']:6.1%}  {game}"]
    for name, reached, possible, missing in result["modules"]:
        share = reached / possible if possible else 1.0
        lines.append(f"  {share:6.1%}  {name}" + (f"  not reached: {missing}" if missing else ""))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rules.coverage", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES, help="random games of each")
    parser.add_argument("--only", help="this game alone")
    parser.add_argument("--json", action="store_true", help="print the result of --only as JSON")
    options = parser.parse_args()
    if util.find_spec("coverage") is None:
        sys.exit("coverage is not installed: pip install coverage")
    if options.json:
        print(json.dumps(measured(options.only, options.games)))
        return
    from companion.games import game_names

    for game in [options.only] if options.only else game_names():
        # A process of its own each: coverage has to start before the game is imported.
        asked = [sys.executable, "-m", "bench.rules.coverage", "--json", "--only", game]
        asked += ["--games", str(options.games)]
        done = subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=True)

        print(report(game, json.loads(done.stdout)), flush=True)


if __name__ == "__main__":
    main()

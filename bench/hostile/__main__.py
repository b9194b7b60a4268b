"""What one phone, a damaged card or a bad file can do to the service.

python -m bench.hostile                              20,000 requests, 40 kills, 200 flips
python -m bench.hostile --requests 100000 --kills 500
python -m bench.hostile --only guesses --guess-s 3600    300 addresses guess the code for an hour
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from bench.hostile import crowd, damage, guesses, kills, pictures, requests
from bench.hostile.target import target
from bench.report import options as results_option
from bench.report.estimates import Estimate, share, single
from bench.report.results import record


def pages(folder: Path, count: int, seed: int) -> dict[str, Estimate]:
    """Everything that comes over the network."""
    with target(folder / "pages") as running:
        waits = crowd.newcomers(running)
        answered, more = crowd.pages(running)
    with target(folder / "flood") as running:
        growth, written = crowd.flood(running)
        memory, slowest = pictures.bombs(running)
    with target(folder / "requests") as running:
        found, faults = requests.attack(running, count, seed)
        alive = running.process.poll() is None
    for fault in faults[:20]:
        print(fault)
    print(f"{count} requests: {dict(sorted(found.items()))}; the service runs: {alive}")
    print(f"newcomers: at most {max(waits):.2f} s; 500 streams: {answered} answered, {more:.0f} MB more")
    print(f"flood: a change is {growth:.2f} times as long, {written:.1f} MB written")
    print(f"bombs: {memory:.0f} MB more, slowest answer {slowest:.2f} s")
    return {
        "service/hostile-faults": single(found["fault"] + (not alive)),
        "service/hostile-hangs": single(found["hang"]),
        "service/hostile-rights": single(found["rights"]),
        "service/hostile-newcomers": single(max(waits)),
        "service/hostile-pages": share(answered, 500),
        "service/hostile-pages-memory": single(more),
        "service/hostile-flood": single(growth),
        "service/hostile-bombs-memory": single(memory),
        "service/hostile-bombs-answer": single(slowest),
    }


def guessed(folder: Path, seconds: float, per_s: float) -> dict[str, Estimate]:
    """300 addresses guess the code that makes a phone the referee's."""
    with target(folder / "guesses") as running:
        attack = guesses.Guesses(running)
        attack.run(seconds, per_s)
    said = "never" if attack.said_after is None else f"after {attack.said_after} codes"
    print(f"{attack.sent} codes in {seconds:.0f} s, {attack.waiting} not looked at: {attack.found} let in")
    print(f"announced at the table {said}")
    return {
        "service/hostile-guessed": single(attack.found),
        "service/hostile-guess-said": single(attack.sent if attack.said_after is None else attack.said_after),
    }


def main() -> None:
    """Attacks, prints, records."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--flips", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--guess-s", type=float, default=60.0, help="seconds of guessing the code")
    parser.add_argument("--guess-rate", type=float, default=60.0, help="codes per second")
    parser.add_argument("--only", choices=("pages", "guesses", "journal"), help="a part of it")
    results_option.add(parser)
    chosen = parser.parse_args()
    found: dict[str, Estimate] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if chosen.only in (None, "pages"):
            found |= pages(folder, chosen.requests, chosen.seed)
        if chosen.only in (None, "guesses"):
            found |= guessed(folder, chosen.guess_s, chosen.guess_rate)
        if chosen.only in (None, "journal"):
            (folder / "damage").mkdir()
            (folder / "kills").mkdir()
            damaged = damage.damage(folder / "damage", chosen.flips, chosen.seed)
            again, doubled = kills.kills(folder / "kills", chosen.kills, chosen.seed)
            print(f"damage: {damaged}; {chosen.kills} kills: {again} commands sent again, {doubled} doubled")
            found |= {
                "service/hostile-starts": share(damaged.opened, damaged.tried),
                "service/hostile-silent": single(damaged.silent),
                "service/hostile-doubled": share(doubled, again),
            }
    record(chosen.results, found)


if __name__ == "__main__":
    main()

"""Tables of evenings: a row for each game, the commonest causes, and the estimates for bench/results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bench.evenings.counts import Evening, commonest
from bench.report.estimates import Estimate, mean, median, percentile, share

HEADER = (
    "| game | games | equal to the script | without help | events found | questions a game | "
    "taps a game, median | needed taps | wrong scores shown | wrong accusations | mistakes missed | "
    "to the page, median / 95 % |"
)
MARKS = {
    "seven_merry_monsters": "merry",
    "nasty_7": "nasty",
    "trio_monsters": "trio",
    "bugs_and_co": "bugs",
    "thirteen_monsters": "thirteen",
}
"""Game -> how its measures begin."""


def table(evenings: Sequence[Evening]) -> str:
    """A row for each game, then the ten commonest causes."""
    rows = [HEADER, "|---" * (HEADER.count("|") - 1) + "|"]
    games = list(dict.fromkeys(one.game for one in evenings))
    rows += [_row(game, [one for one in evenings if one.game == game]) for game in games]
    if len(games) > 1:
        rows.append(_row("all", list(evenings)))
    rows += ["", "| cause | times | for example |", "|---|---|---|"]
    rows += [f"| {name} | {count} | {where} |" for name, count, where in commonest(list(evenings))]
    return "\n".join(rows)


def _row(name: str, evenings: list[Evening]) -> str:
    delays = [delay for one in evenings for delay in one.delays]
    found = sum(one.found for one in evenings), sum(one.events for one in evenings)
    late = f"{np.median(delays):.2f} / {np.percentile(delays, 95):.2f} s" if delays else "-"
    cells = (
        name,
        str(len(evenings)),
        _of(sum(one.equal for one in evenings), len(evenings)),
        _of(sum(one.alone for one in evenings), len(evenings)),
        _of(*found),
        f"{np.mean([one.questions for one in evenings]):.1f}",
        f"{np.median([one.taps for one in evenings]):.0f}",
        f"{np.mean([one.needed_taps for one in evenings]):.1f}",
        _of(sum(one.wrong_scores for one in evenings), sum(one.looks for one in evenings)),
        str(sum(one.wrong_accusations for one in evenings)),
        f"{sum(one.missed_mistakes for one in evenings)} of {sum(one.mistakes for one in evenings)}",
        late,
    )
    return f"| {' | '.join(cells)} |"


def _of(hits: int, total: int) -> str:
    return f"{hits / total:.0%} of {total}" if total else "-"


def estimates(evenings: Sequence[Evening]) -> dict[str, Estimate]:
    """The values by the ids of the catalogue of measures."""
    found: dict[str, Estimate] = {}
    for game in dict.fromkeys(one.game for one in evenings):
        played = [one for one in evenings if one.game == game]
        values = _values(played)
        if game != "nasty_7":  # in the others nobody is accused of anything
            values.pop("accusations")
        found |= {f"evenings/{MARKS[game]}-{name}": value for name, value in values.items()}
    delays = [1000 * delay for one in evenings for delay in one.delays]
    if delays:
        found["evenings/page-ms"] = median(delays)
        found["evenings/page-95-ms"] = percentile(delays, 95)
    looks = sum(one.looks for one in evenings)
    if looks:
        found["evenings/wrong-scores"] = share(sum(one.wrong_scores for one in evenings), looks)
    return found


def _values(played: Sequence[Evening]) -> dict[str, Estimate]:
    events = sum(one.events for one in played)
    found = {
        "equal": share(sum(one.equal for one in played), len(played)),
        "alone": share(sum(one.alone for one in played), len(played)),
        "taps": median([float(one.taps) for one in played]),
        "questions": mean([float(one.questions) for one in played]),
        "accusations": mean([float(one.wrong_accusations) for one in played]),
    }
    if events:
        found["found"] = share(sum(one.found for one in played), events)
    return found


def details(evenings: Sequence[Evening]) -> Mapping[str, Mapping[str, float]]:
    """The commonest causes of each game, with their counts, beside the share without help."""
    found: dict[str, Mapping[str, float]] = {}
    for game in dict.fromkeys(one.game for one in evenings):
        played = [one for one in evenings if one.game == game]
        causes = {name: float(count) for name, count, _ in commonest(played)}
        found[f"evenings/{MARKS[game]}-alone"] = causes
    return found

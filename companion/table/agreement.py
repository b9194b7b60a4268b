"""How things stand, as the table agrees: a position, and the outcome of an event that the rules refused.

Both are the event `position`. Where it counts a refused event, its field `agreed` names the entry, the code
of the refusal and the rule that is set aside; the rules ignore that field. A preview changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.api.commands import PositionChange, PositionPreview, Refusal, SetPosition
from companion.core.events import Event, StateView, agreement_of
from companion.games.contract.outcome import differences, plain
from companion.table.record import Record
from companion.table.timeline import Entry


def position_of(record: Record[Any], request: SetPosition) -> Event | Refusal:
    """The event that a request asks for, or why there is none."""
    last = len(record.entries)
    if request.latest is not None and request.latest != last:
        return Refusal("meanwhile", params={"n": last})
    if request.n is None:
        return {"event": "position", "state": dict(request.state or {})}
    refused = _refused(record, request.n)
    if refused is None:
        return Refusal("nothing_to_agree", params={"n": request.n})
    if record.state.phase == "over":
        return Refusal("game_over", params={})
    state = request.state if request.state is not None else _outcome(record, refused)
    if state is None:
        return Refusal("no_outcome", params={"n": refused.n})
    about = {"n": refused.n, "code": refused.code, "rule": refused.rule}
    return {"event": "position", "state": dict(state), "agreed": about}


def preview(record: Record[Any], event: Event) -> PositionPreview | Refusal:
    """What a position would bring about; nothing changes."""
    found = record.preview(event)
    if found.code is not None:
        return Refusal(found.code, params=event)
    before, after = plain(record.book.view(record.state)), plain(found.view)
    changed = differences(before, after)
    players = record.setup.players
    return PositionPreview(
        changed,
        tuple(change for key in changed for change in _changes(key, before.get(key), after[key], players)),
        found.scores,
        record.scores(),
        found.winner,
        len(record.entries),
    )


def agreements(record: Record[Any]) -> Mapping[int, int]:
    """Number of a refused entry -> number of the position, one that still counts, by which it counts."""
    gone = record.undone()
    found = {}
    for entry in record.entries:
        about = agreement_of(entry.event) if entry.event.get("event") == "position" else None
        if about is not None and entry.code is None and entry.n not in gone:
            found[about.n] = entry.n
    return found


def _refused(record: Record[Any], n: int) -> Entry | None:
    """The entry of this number, if the rules refused it and the table has not agreed to it."""
    if not 1 <= n <= len(record.entries) or n in agreements(record):
        return None
    entry: Entry = record.entries[n - 1]
    return None if entry.code is None else entry


def _outcome(record: Record[Any], refused: Entry) -> StateView | None:
    after = record.book.outcome(record.state, refused.event)
    if after is None:
        return None
    return differences(plain(record.book.view(record.state)), plain(record.book.view(after)))


def _changes(key: str, before: Any, after: Any, players: tuple[str, ...]) -> Iterator[PositionChange]:
    """The change of one key; one for each player where the value is an object by players."""
    if not (isinstance(after, dict) and after and after.keys() <= set(players)):
        yield PositionChange(key, None, before, after)
        return
    known = before if isinstance(before, dict) else {}
    for player in players:
        if known.get(player) != after.get(player):
            yield PositionChange(key, player, known.get(player), after.get(player))

"""What phones may ask of the table, by name. Answers: {"ok": true, ...} or {"ok": false, "code", "text"}."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.errors import BadHeader
from companion.observations import Command
from companion.table import amend
from companion.table.game import Judged, RunningGame

if TYPE_CHECKING:
    from companion.table.table import Table

Json = dict[str, Any]

READINGS = frozenset({"display_scanned", "tiles_scored"})
"""Events that a guest may enter: what the own phone has read."""


def obey(table: Table, command: Command) -> Json:
    """Carries out one command on the table's thread.

    Raises:
        JournalFailed: it could not be written and therefore did not happen.
    """
    handler = COMMANDS.get(command.name)
    if handler is None:
        return refused(table, "unknown_command")
    if command.role != "referee" and not guests_may(command):
        return refused(table, "not_allowed")
    return handler(table, command)


def guests_may(command: Command) -> bool:
    """Whether somebody without the PIN may ask for this. Whose reading it is, the pages know."""
    if command.name == "answer":
        return True
    event = command.data.get("event") if command.name == "amend" else command.data
    return command.name in ("event", "amend") and isinstance(event, dict) and event.get("event") in READINGS


def refused(table: Table, code: str, params: Mapping[str, Any] | None = None) -> Json:
    """The answer to what is not done."""
    return {"ok": False, "code": code, "text": table.phrases.text(code, params or {})}


def _new_game(table: Table, command: Command) -> Json:
    data = command.data
    try:
        table.begin(data.get("game", ""), data.get("players", []), data.get("settings") or {})
    except BadHeader as error:
        why = str(error).partition(": ")[2] or str(error)
        return refused(table, error.code, {"why": why})
    assert table.game is not None
    return {"ok": True, "game": table.game.row.id}


def _next_game(table: Table, command: Command) -> Json:
    """The same game with the same players, unless something else is named."""
    games = table.journal.games()
    if not games:
        return refused(table, "no_game")
    latest = games[-1]
    same: Json = {"game": latest.name, "players": latest.players, "settings": latest.settings}
    return _new_game(table, Command(command.t, "new_game", {**same, **command.data}, command.role))


def _end_game(table: Table, command: Command) -> Json:
    if table.game is None:
        return refused(table, "no_game")
    table.put_away()
    return {"ok": True}


def _event(table: Table, command: Command) -> Json:
    if table.game is None:
        return refused(table, "no_game")
    table.game.clock.go_on(command.t, "resumed")
    return _answer_of(table, table.judge(timed(table, command), "phone"))


def timed(table: Table, command: Command) -> Json:
    """The event with the time at which the phone sent it, where its kind has a time and it brings none."""
    assert table.game is not None
    event = dict(command.data)
    kind = table.game.book.events.get(str(event.get("event")))
    names = {field.name for field in kind.fields} if kind is not None else set()
    for name in names & {"t", "start", "end"}:
        event.setdefault(name, table.game.clock.time(command.t))
    return event


def _undo(table: Table, command: Command) -> Json:
    if table.game is None:
        return refused(table, "no_game")
    return _answer_of(table, table.judge({"event": "undone"}, "phone"))


def _amend(table: Table, command: Command) -> Json:
    """Another event in an earlier one's place, or none; with `preview` only what it would bring about."""
    if table.game is None:
        return refused(table, "no_game")
    data = command.data
    event = {"event": "amended", "n": data.get("n"), "replacement": data.get("event")}
    if data.get("preview"):
        return _preview(table, table.game, event)
    return _answer_of(table, table.judge(event, "phone"))


def _preview(table: Table, game: RunningGame, event: Json) -> Json:
    found = amend.preview(game.record, event)
    if found.code is not None:
        return refused(table, found.code, event)
    return {
        "ok": True,
        "scores": found.scores,
        "before": game.record.scores(),
        "winner": list(found.winner),
        "dropped": [_dropped(table, game, one) for one in found.dropped],
    }


def _dropped(table: Table, game: RunningGame, one: Json) -> Json:
    """A later move that would no longer fit, in words."""
    event = game.record.entries[one["n"] - 1].event
    why = table.phrases.text(one["code"], event)
    return {**one, "text": table.phrases.event(event), "why": why}


def _overrule(table: Table, command: Command) -> Json:
    if table.game is None:
        return refused(table, "no_game")
    event = {"event": "overruled", **command.data}
    return _answer_of(table, table.judge(event, "phone"))


def _answer(table: Table, command: Command) -> Json:
    if table.game is None:
        return refused(table, "no_game")
    doubt = table.doubts.get(str(command.data.get("question")))
    if doubt is None:
        return refused(table, "no_question")
    option = doubt.option(str(command.data.get("option")))
    if option is None:
        return refused(table, "no_option")
    table.doubts.close(doubt)
    table.changed()
    judged = [table.judge(event, doubt.question.source) for event in option.events]
    return _answer_of(table, judged[0]) if judged else {"ok": True}


def _go_on(table: Table, command: Command) -> Json:
    """After an interruption: the time runs again without a move."""
    if table.game is None:
        return refused(table, "no_game")
    table.game.clock.go_on(command.t, "resumed")
    table.changed()
    return {"ok": True}


def _answer_of(table: Table, judged: Judged) -> Json:
    entry = judged.entry
    if entry.code is None:
        return {"ok": True, "n": entry.n, "seq": judged.seq}
    event: Mapping[str, Any] = entry.event
    turn = table.game.seen().turn if table.game is not None else None
    return {**refused(table, entry.code, {**event, "turn": turn}), "n": entry.n, "seq": judged.seq}


COMMANDS: Mapping[str, Callable[[Table, Command], Json]] = {
    "new_game": _new_game,
    "next_game": _next_game,
    "end_game": _end_game,
    "event": _event,
    "undo": _undo,
    "amend": _amend,
    "overrule": _overrule,
    "answer": _answer,
    "go_on": _go_on,
}
"""Name -> what is done."""

"""What phones may ask of the table, by name. Answers: {"ok": true, ...} or {"ok": false, "code", "text"}."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.errors import BadHeader
from companion.core.observations import Command
from companion.table import amend, names
from companion.table.game import Judged, RunningGame
from companion.table.gameclock import RESUMED
from companion.table.inbox import EARS

if TYPE_CHECKING:
    from companion.table.referee import Referee

Json = dict[str, Any]

READINGS = frozenset({"display_scanned", "tiles_scored"})
"""Events that a guest may enter: what the own phone has read."""


def execute(referee: Referee, command: Command) -> Json:
    """Carries out one command on the table's thread.

    Raises:
        JournalFailed: it could not be written and therefore did not happen.
    """
    handler = COMMANDS.get(command.name)
    if handler is None:
        return refused(referee, "unknown_command")
    if command.role != "referee" and not guests_may(command):
        return refused(referee, "not_allowed")
    return handler(referee, command)


def guests_may(command: Command) -> bool:
    """Whether somebody without the PIN may ask for this. Whose reading it is, the pages know."""
    if command.name == "answer":
        return True
    event = command.data.get("event") if command.name == "amend" else command.data
    return command.name in ("event", "amend") and isinstance(event, dict) and event.get("event") in READINGS


def refused(referee: Referee, code: str, params: Mapping[str, Any] | None = None) -> Json:
    """The answer to what is not done."""
    params = dict(params or {})
    return {
        "ok": False,
        "code": code,
        "text": referee.phrases.text(code, params),
        "params": msgspec.to_builtins(params),
    }


def _new_game(referee: Referee, command: Command) -> Json:
    """Two phones may start a game at the same moment: the second one is told, and replaces it knowingly."""
    data, on = command.data, referee.game
    if on is not None and data.get("over", on.row.id) != on.row.id:
        params = {"title": on.book.title, "players": on.row.players, "game": on.row.id}
        return refused(referee, "game_is_on", params)
    try:
        players = names.tidied(data.get("players", []))
        game = referee.begin(data.get("game", ""), players, data.get("settings") or {})
    except BadHeader as error:
        return refused(referee, error.code, {"why": error.why})
    return {"ok": True, "game": game.row.id}


def _next_game(referee: Referee, command: Command) -> Json:
    """The same game with the same players, unless something else is named."""
    games = referee.journal.games()
    if not games:
        return refused(referee, "no_game")
    latest = games[-1]
    same: Json = {"game": latest.name, "players": latest.players, "settings": latest.settings}
    return _new_game(referee, Command(command.t, "new_game", {**same, **command.data}, command.role))


def _end_game(referee: Referee, command: Command) -> Json:
    if referee.game is None:
        return refused(referee, "no_game")
    referee.put_away()
    return {"ok": True}


def _event(referee: Referee, command: Command) -> Json:
    if referee.game is None:
        return refused(referee, "no_game")
    referee.game.clock.go_on(command.t, RESUMED)
    return _answer_of(referee, referee.judge(timed(referee, command), "phone"))


def timed(referee: Referee, command: Command) -> Json:
    """The event with the time at which the phone sent it, where its kind has a time and it brings none."""
    assert referee.game is not None
    event = dict(command.data)
    for name in times_of(referee, event):
        event.setdefault(name, referee.game.clock.time(command.t))
    return event


def times_of(referee: Referee, event: Json) -> set[str]:
    """The fields of an event of the running game that say when it happened."""
    kind = referee.game.book.events.get(str(event.get("event"))) if referee.game is not None else None
    names = {field.name for field in kind.fields} if kind is not None else set()
    return names & {"t", "start", "end"}


def _undo(referee: Referee, command: Command) -> Json:
    """Two phones that take back the same slip take back one move: `n` is the move that the phone shows."""
    if referee.game is None:
        return refused(referee, "no_game")
    meant = command.data.get("n")
    if meant is not None and meant != referee.game.latest_move():
        return refused(referee, "meanwhile")
    return _answer_of(referee, referee.undo("phone"))


def _amend(referee: Referee, command: Command) -> Json:
    """Another event in an earlier one's place, or none; with `preview` only what it would bring about."""
    if referee.game is None:
        return refused(referee, "no_game")
    data = command.data
    event = {"event": "amended", "n": data.get("n"), "replacement": data.get("event")}
    if data.get("preview"):
        return _preview(referee, referee.game, event)
    return _answer_of(referee, referee.judge(event, "phone"))


def _preview(referee: Referee, game: RunningGame, event: Json) -> Json:
    found = amend.preview(game.record, event)
    if found.code is not None:
        return refused(referee, found.code, event)
    return {
        "ok": True,
        "scores": found.scores,
        "before": game.record.scores(),
        "winner": list(found.winner),
        "dropped": [_dropped(referee, game, one) for one in found.dropped],
    }


def _dropped(referee: Referee, game: RunningGame, one: Json) -> Json:
    """A later move that would no longer fit, in words."""
    event = game.record.entries[one["n"] - 1].event
    why = referee.phrases.text(one["code"], {**event, "turn": one["turn"]})
    return {**one, "event": event, "text": referee.phrases.event(event), "why": why}


def _overrule(referee: Referee, command: Command) -> Json:
    if referee.game is None:
        return refused(referee, "no_game")
    event = {"event": "overruled", **command.data}
    return _answer_of(referee, referee.judge(event, "phone"))


def _answer(referee: Referee, command: Command) -> Json:
    if referee.game is None:
        return refused(referee, "no_game")
    doubt = referee.doubts.get(str(command.data.get("question")))
    if doubt is None:
        return refused(referee, "no_question")
    option = doubt.option(str(command.data.get("option")))
    if option is None:
        return refused(referee, "no_option")
    referee.doubts.close(doubt)
    referee.changed = True
    judged = [referee.judge(event, doubt.question.source) for event in option.events]
    return _answer_of(referee, judged[0]) if judged else {"ok": True}


def _go_on(referee: Referee, command: Command) -> Json:
    """After an interruption the time runs again without a move, also without a microphone: phones report."""
    if referee.game is None:
        return refused(referee, "no_game")
    for why in (RESUMED, EARS):
        referee.game.clock.go_on(command.t, why)
    referee.changed = True
    return {"ok": True}


def _wait(referee: Referee, command: Command) -> Json:
    """The time stands still until the next move."""
    if referee.game is None:
        return refused(referee, "no_game")
    referee.game.clock.pause(command.t, RESUMED)
    referee.changed = True
    return {"ok": True}


def _answer_of(referee: Referee, judged: Judged) -> Json:
    entry = judged.entry
    if entry.code is None:
        return {"ok": True, "n": entry.n, "seq": judged.seq}
    turn = referee.game.turns.get(entry.n) if referee.game is not None else None
    return {**refused(referee, entry.code, {**entry.event, "turn": turn}), "n": entry.n, "seq": judged.seq}


COMMANDS: Mapping[str, Callable[[Referee, Command], Json]] = {
    "new_game": _new_game,
    "next_game": _next_game,
    "end_game": _end_game,
    "event": _event,
    "undo": _undo,
    "amend": _amend,
    "overrule": _overrule,
    "answer": _answer,
    "go_on": _go_on,
    "wait": _wait,
}
"""Name -> what is done."""

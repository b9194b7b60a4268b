"""Carries out the commands of phones on the table's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from companion.api.commands import (
    Accepted,
    Amend,
    AmendPreview,
    Answer,
    BeginSeated,
    Command,
    DeclineSeated,
    EndGame,
    EnterEvent,
    GoOn,
    NewGame,
    NextGame,
    Overrule,
    Refusal,
    Reply,
    SetPosition,
    StopClock,
    StopTiming,
    TooSlow,
    Undo,
)
from companion.api.snapshot import DroppedEntry
from companion.core.errors import BadHeader
from companion.core.events import Event, Params
from companion.games.contract.corrections import amended
from companion.games.contract.event_times import run_out
from companion.table import agreement, names, seating
from companion.table.game_clock import RESUMED
from companion.table.inbox import EARS
from companion.table.policy import allowed
from companion.table.record import opened
from companion.table.running_game import JudgedEvent, RunningGame

if TYPE_CHECKING:
    from companion.table.referee import Referee

KEPT_BYTES = 1024
"""The longest request of the referee, as JSON, whose event leaves an entry if the rules refuse it."""


def execute(referee: Referee, command: Command) -> Reply:
    """Carries out one command, if its sender has the right to it.

    Raises:
        JournalFailed: it could not be written; nothing has changed.
    """
    request, game = command.request, referee.game
    record = None if game is None else game.record
    if not allowed(command.caller, request, record, referee.questions):
        return refused("referee_only")
    if isinstance(request, NewGame):
        return _new_game(referee, request, command.t)
    if isinstance(request, NextGame):
        return _next_game(referee, request, command.t)
    if isinstance(request, BeginSeated):
        return _begin_seated(referee, request, command.t)
    if isinstance(request, DeclineSeated):
        return Accepted() if seating.decline(referee, request.seating) else refused("no_seating")
    if game is None:
        return refused("no_game")
    if (refusal := _refused_without_entry(game, command)) is not None:
        return refusal
    return HANDLERS[type(request)](referee, game, command.t, request)


def refused(code: str, params: Params | None = None) -> Refusal:
    """The reply to a command that is not carried out."""
    return Refusal(code, params=params or {})


def _refused_without_entry(game: RunningGame, command: Command) -> Refusal | None:
    """Why a guest's event, or a long one of the referee, is refused without an entry: so nobody can fill log,
    journal and other phones. A short one of the referee leaves an entry, so that the table can agree to count
    it (companion.table.agreement)."""
    if command.caller.role == "referee" and len(msgspec.json.encode(command.request)) <= KEPT_BYTES:
        return None
    match command.request:
        case EnterEvent(event):
            entered, judged = event, timed(game, event, command.t)
        case Amend(n, replacement):
            entered = replacement or {}
            judged = amended(n, replacement)
        case _:
            return None
    kind = game.book.events.get(str(entered.get("event")))
    known = set(entered) if kind is None else {"event", *(field.name for field in kind.fields)}
    code = game.record.preview(judged).code if set(entered) <= known else "bad_field"
    return None if code is None else refused(code, {"player": str(entered.get("player"))[:100]})


def _new_game(referee: Referee, request: NewGame, t: float) -> Reply:
    """If two phones start a game at the same moment, the second is refused unless it names the first."""
    on_table = referee.game
    if request.over is not UNSET and on_table is not None and request.over != on_table.row.id:
        params = {"title": on_table.book.title, "players": on_table.row.players, "game": on_table.row.id}
        return refused("game_is_on", params)
    try:
        players = names.tidied(list(request.players))
        if request.position is not None and not can_begin(request, players):
            return refused("bad_position")
        game = referee.begin(request.game, players, request.settings, t)
    except BadHeader as error:
        return refused(error.code, {"why": error.why})
    if request.position is not None:
        referee.judge({"event": "position", "state": request.position}, "phone")
    return Accepted(game=game.row.id)


def can_begin(request: NewGame, players: list[str]) -> bool:
    """Whether a game can be taken up at the position of the request.

    Raises:
        BadHeader: the game cannot be played by these players, or with these settings.
    """
    record = opened({"game": request.game, "players": players, "settings": request.settings})
    return record.preview({"event": "position", "state": request.position}).code is None


def _next_game(referee: Referee, request: NextGame, t: float) -> Reply:
    """The latest game again, with the same players and settings."""
    games = referee.journal.games()
    if not games:
        return refused("no_game")
    latest = games[-1]
    again = NewGame(latest.name, tuple(latest.players), latest.settings, over=request.over)
    return _new_game(referee, again, t)


def _begin_seated(referee: Referee, request: BeginSeated, t: float) -> Reply:
    """The game of a tournament, which ends a decided game but no other."""
    on_table = referee.game
    if on_table is not None and not on_table.over:
        params = {"title": on_table.book.title, "players": on_table.row.players, "game": on_table.row.id}
        return refused("game_is_on", params)
    game = seating.begin(referee, request.seating, t)
    return refused("no_seating") if game is None else Accepted(game=game.row.id)


def _end_game(referee: Referee, game: RunningGame, t: float, request: EndGame) -> Reply:
    referee.close_game()
    return Accepted()


def _enter_event(referee: Referee, game: RunningGame, t: float, request: EnterEvent) -> Reply:
    game.clock.go_on(t, RESUMED)
    judged = referee.judge(timed(game, request.event, t), "phone")
    if game.clock.paused is not None:
        game.clock.skip_to(t, game.record.state.time)
    return _reply_to(game, judged)


def timed(game: RunningGame, event: Event, t: float) -> Event:
    """The event with time `t`, the moment at which the phone sent it, if its kind has a time and it has
    none. A call that is entered began in time: who was too slow is entered as that."""
    complete, now = dict(event), game.clock.time(t)
    deadline = game.book.deadline(game.record.state)
    for name in times_of(game, event):
        complete.setdefault(name, now if name != "start" or deadline is None else min(now, deadline))
    return complete


def times_of(game: RunningGame | None, event: Event) -> set[str]:
    """The fields of an event of the running game that say when it happened."""
    kind = game.book.events.get(str(event.get("event"))) if game is not None else None
    fields = {field.name for field in kind.fields} if kind is not None else set()
    return fields & {"t", "start", "end"}


def _undo(referee: Referee, game: RunningGame, t: float, request: Undo) -> Reply:
    """If two phones undo the same move, one move is undone: `n` is the move that the phone shows."""
    if request.n is not None and request.n != game.latest_move():
        return refused("meanwhile")
    return _reply_to(game, referee.undo("phone"))


def _amend(referee: Referee, game: RunningGame, t: float, request: Amend) -> Reply:
    rest = {} if request.rest is None else {"rest": request.rest}
    event = amended(request.n, request.event, **rest)
    if request.preview:
        return _preview(game, event)
    return _reply_to(game, referee.judge(event, "phone"))


def _preview(game: RunningGame, event: Event) -> Reply:
    found = game.record.preview(event)
    if found.code is not None:
        return refused(found.code, event)
    dropped = tuple(_with_event(game, one) for one in found.dropped)
    return AmendPreview(found.scores, game.record.scores(), found.winner, dropped)


def _with_event(game: RunningGame, dropped: DroppedEntry) -> DroppedEntry:
    """A later entry that would no longer fit, with its event."""
    return msgspec.structs.replace(dropped, event=game.record.entries[dropped.n - 1].event)


def _overrule(referee: Referee, game: RunningGame, t: float, request: Overrule) -> Reply:
    return _reply_to(game, referee.judge({"event": "overruled", "n": request.n}, "phone"))


def _set_position(referee: Referee, game: RunningGame, t: float, request: SetPosition) -> Reply:
    event = agreement.position_of(game.record, request)
    if isinstance(event, Refusal):
        return event
    if request.preview:
        return agreement.preview(game.record, event)
    return _reply_to(game, referee.judge(event, "phone"))


def _answer(referee: Referee, game: RunningGame, t: float, request: Answer) -> Reply:
    asked = referee.questions.get(str(request.question))
    if asked is None:
        return refused("no_question")
    option = asked.option(str(request.option))
    if option is None:
        return refused("no_option")
    judged = referee.answer(asked, option)
    return _reply_to(game, judged[0]) if judged else Accepted()


def _go_on(referee: Referee, game: RunningGame, t: float, request: GoOn) -> Reply:
    """Starts the clock again without a move, also without a microphone: then phones report the calls."""
    for why in (RESUMED, EARS):
        game.clock.go_on(t, why)
    referee.changed = True
    return Accepted()


def _too_slow(referee: Referee, game: RunningGame, t: float, request: TooSlow) -> Reply:
    """Lets the running deadline expire. Only while the clock stands still: otherwise it does so itself."""
    deadline = game.book.deadline(game.record.state)
    if deadline is None or game.clock.paused is None:
        return refused("no_limit")
    event = run_out(deadline)
    judged = referee.judge(event, "phone")
    game.clock.skip_to(t, event["t"])
    return _reply_to(game, judged)


def _stop_timing(referee: Referee, game: RunningGame, t: float, request: StopTiming) -> Reply:
    """Only while no microphone hears: one that does times the calls."""
    if not referee.stop_timing(t):
        return refused("no_limit")
    return Accepted()


def _stop_clock(referee: Referee, game: RunningGame, t: float, request: StopClock) -> Reply:
    game.clock.pause(t, RESUMED)
    referee.changed = True
    return Accepted()


def _reply_to(game: RunningGame, judged: JudgedEvent) -> Reply:
    entry = judged.entry
    if entry.code is None:
        return Accepted(n=entry.n, seq=judged.seq)
    params = {**entry.event, "turn": game.turns.get(entry.n)}
    return Refusal(entry.code, params=params, n=entry.n, seq=judged.seq)


HANDLERS: Mapping[type[Any], Callable[[Referee, RunningGame, float, Any], Reply]] = {
    EndGame: _end_game,
    EnterEvent: _enter_event,
    Undo: _undo,
    Amend: _amend,
    Overrule: _overrule,
    SetPosition: _set_position,
    Answer: _answer,
    GoOn: _go_on,
    TooSlow: _too_slow,
    StopTiming: _stop_timing,
    StopClock: _stop_clock,
}
"""Type of a request -> the function that carries it out on the running game."""

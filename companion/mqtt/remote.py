"""Commands that the table takes from the broker, where its owner allows it: take back a move, stop the
clock, let it run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.api.commands import Caller, GoOn, Refusal, Reply, Request, StopClock, Undo
from companion.core.clock import Clock
from companion.core.errors import CompanionError
from companion.mqtt.messages import CommandReply

COMMANDS: Mapping[str, Request] = {"undo": Undo(), "pause": StopClock(), "go_on": GoOn()}
"""Last level of the topic -> what the table is asked to do. The payload does not matter."""
EVERY_S = 1.0
"""A command that follows another one sooner is ignored: a button was pressed twice, or somebody floods."""


class RemoteCommands:
    """Carries out commands, each as the referee's.

    Args:
        table: name of the table.
        command: asks the table and waits for its reply.
    """

    def __init__(self, table: str, command: Callable[[Request, Caller], Reply], clock: Clock) -> None:
        self._table = table
        self._command = command
        self._clock = clock
        self._latest = float("-inf")

    def run(self, name: str) -> CommandReply | None:
        """Carries out one command; None: it is unknown or came too soon."""
        now = self._clock()
        request = COMMANDS.get(name)
        if request is None or now - self._latest < EVERY_S:
            return None
        self._latest = now
        try:
            reply = self._command(request, Caller("referee"))
        except CompanionError as error:
            return CommandReply(table=self._table, command=name, ok=False, code=error.code)
        code = reply.code if isinstance(reply, Refusal) else ""
        return CommandReply(table=self._table, command=name, ok=reply.ok, code=code)

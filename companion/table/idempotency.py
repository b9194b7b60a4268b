"""Carries out each command once: a phone that got no answer may send it again.

The reply is stored in the same transaction as what the command writes. After a lost answer, a restart or a
power cut, the same command with the same key is answered with that reply and changes nothing.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from companion.api.commands import Accepted, AmendPreview, Command, PositionPreview, Refusal, Reply
from companion.store.rows import Receipt
from companion.table import commands

if TYPE_CHECKING:
    from companion.table.referee import Referee

NOT_KEPT = frozenset({"referee_only"})
"""Refusals that are not stored: anybody may cause any number of them."""


def execute_once(referee: Referee, command: Command) -> Reply:
    """Carries out one command completely, or not at all. One that was carried out before gets its reply.

    Raises:
        JournalFailed: it could not be written; nothing has changed.
    """
    waiting: tuple[list[Any], ...] = (referee.news, referee.ended, referee.findings, referee.seated)
    before = [len(one) for one in waiting]
    try:
        with referee.journal.together():
            reply = _known(referee, command)
            if reply is None:
                reply = commands.execute(referee, command)
                _keep(referee, command, reply)
            return reply
    except BaseException:
        for collected, length in zip(waiting, before, strict=True):
            del collected[length:]
        _restore(referee)
        raise


def _known(referee: Referee, command: Command) -> Reply | None:
    receipt = referee.journal.receipt(command.key) if command.key else None
    if receipt is None:
        return None
    if receipt.digest != digest(command):
        return commands.refused("key_reused")
    if msgspec.json.decode(receipt.reply).get("ok"):
        return msgspec.json.decode(receipt.reply, type=Accepted)
    return msgspec.json.decode(receipt.reply, type=Refusal)


def _keep(referee: Referee, command: Command, reply: Reply) -> None:
    preview = isinstance(reply, AmendPreview | PositionPreview)
    if command.key and not preview and not (isinstance(reply, Refusal) and reply.code in NOT_KEPT):
        written = msgspec.json.encode(reply).decode()
        referee.journal.keep_receipt(Receipt(command.key, digest(command), written))


def digest(command: Command) -> str:
    """Digest of a command and of who sent it, as hexadecimal."""
    kind = type(command.request).__name__
    content = msgspec.json.encode((kind, command.request, command.caller), order="sorted")
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _restore(referee: Referee) -> None:
    """Makes the game on the table the one of the journal again, after a command was rolled back."""
    game, row = referee.game, referee.journal.open_game()
    same = (game is None and row is None) or (game is not None and row is not None and game.row.id == row.id)
    if same and (game is None or len(game.record.entries) == len(referee.journal.lines(game.row.id))):
        return
    referee.reload()
    referee.changed = True

"""Names and PINs of players who register by themselves, without an account.

A phone is known by a secret in its cookie; the database holds only its hash. With a PIN a player reaches the
own page from another phone, too.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Container
from typing import NamedTuple

from sqlalchemy import Connection, text
from werkzeug.security import check_password_hash, generate_password_hash

from companion.core.clock import Clock
from companion.core.errors import BadHeader
from companion.hub.database import HubDatabase
from companion.hub.tournament.model import MOST_PLAYERS
from companion.table.names import tidied

WRONG_PINS = 5
"""After so many wrong PINs for a name, none is tried for LOCKED_S."""
LOCKED_S = 60.0
LONGEST_NAME = 40


class RegistrationRefused(ValueError):
    """`code`: `bad_name`, `name_taken`, `closed`, `full`, `bad_pin`, `wrong_pin`, `too_often`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Registered(NamedTuple):
    """A player's number and the secret for the phone's cookie."""

    number: int
    secret: str


class Registration:
    """Every method may be called from any thread, and raises Unavailable if the database failed.

    Args:
        new_secret: makes the secret of a phone.
    """

    def __init__(
        self,
        database: HubDatabase,
        clock: Clock,
        new_secret: Callable[[], str] = lambda: secrets.token_urlsafe(24),
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_secret = new_secret
        self._wrong: dict[tuple[str, str], list[float]] = {}

    def register(self, tournament: str, name: str, pin: str = "") -> Registered:
        """Registers a player.

        Raises:
            RegistrationRefused: see there.
        """
        shown = clean_name(name)
        if pin and not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 8):
            raise RegistrationRefused("bad_pin")
        secret = self._new_secret()
        with self._database.transaction() as connection:
            number = add_entrant(connection, tournament, shown, hashed_pin(pin), hashed(secret))
        self._database.changed()
        return Registered(number, secret)

    def sign_in(self, tournament: str, name: str, pin: str) -> Registered:
        """Makes this phone the player's, by name and PIN; the phone before is no longer.

        Raises:
            RegistrationRefused: `wrong_pin` (also for an unknown name), `too_often`.
        """
        folded = " ".join(name.split()).casefold()[:LONGEST_NAME]
        key, now = (tournament, folded), self._clock()
        wrong = [moment for moment in self._wrong.get(key, []) if now - moment < LOCKED_S]
        if len(wrong) >= WRONG_PINS:
            raise RegistrationRefused("too_often")
        rows = self._database.rows(
            "SELECT number, pin FROM tournament_entrant WHERE tournament = :id AND folded = :folded",
            id=tournament,
            folded=folded,
        )
        if not rows or not rows[0].pin or not check_password_hash(rows[0].pin, pin):
            self._wrong = {one: times for one, times in self._wrong.items() if now - times[-1] < LOCKED_S}
            self._wrong[key] = [*wrong, now]
            raise RegistrationRefused("wrong_pin")
        secret = self._new_secret()
        with self._database.transaction() as connection:
            connection.execute(
                text(
                    "UPDATE tournament_entrant SET token = :token WHERE tournament = :id AND number = :number"
                ),
                {"token": hashed(secret), "id": tournament, "number": rows[0].number},
            )
        return Registered(int(rows[0].number), secret)


def add_entrant(
    connection: Connection,
    tournament: str,
    name: str,
    pin: str = "",
    token: str = "",
    phases: Container[str] = ("registration",),
) -> int:
    """Adds a player; returns the number.

    Args:
        phases: in which the tournament must be.

    Raises:
        RegistrationRefused: `closed`, `full`, `name_taken`.
    """
    ids = {"id": tournament, "folded": name.casefold()}
    while True:
        row = connection.execute(BEFORE_ENTRANT, ids).first()
        if row is None or row.phase not in phases:
            raise RegistrationRefused("closed")
        if row.last >= MOST_PLAYERS:
            raise RegistrationRefused("full")
        if row.same:
            raise RegistrationRefused("name_taken")
        values = ids | {"number": row.last + 1, "name": name, "pin": pin, "token": token}
        if connection.execute(ADD_ENTRANT, values).rowcount == 1:
            return int(row.last) + 1
        # somebody else took the number or the name at the same moment


def clean_name(name: str) -> str:
    """A name as tables show it.

    Raises:
        RegistrationRefused: `bad_name`: nothing of it can be seen, or it is too long.
    """
    try:
        [found] = tidied([name])
    except BadHeader as error:
        raise RegistrationRefused("bad_name") from error
    return str(found)


def hashed(secret: str) -> str:
    """How a phone's secret is stored; it is random and long, so a plain hash is enough."""
    return hashlib.blake2b(secret.encode(), digest_size=24).hexdigest()


def hashed_pin(pin: str) -> str:
    """How a PIN is stored; empty for none."""
    return generate_password_hash(pin) if pin else ""


BEFORE_ENTRANT = text(
    "SELECT phase,"
    " (SELECT coalesce(max(number), 0) FROM tournament_entrant WHERE tournament = :id) AS last,"
    " (SELECT count(*) FROM tournament_entrant WHERE tournament = :id AND folded = :folded) AS same"
    " FROM tournament WHERE id = :id"
)
ADD_ENTRANT = text(
    "INSERT INTO tournament_entrant (tournament, number, name, folded, pin, token, withdrawn)"
    " VALUES (:id, :number, :name, :folded, :pin, :token, 0) ON CONFLICT DO NOTHING"
)

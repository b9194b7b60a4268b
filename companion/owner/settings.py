"""The configuration behind the page *Settings*: read from its file, checked, written back, taken over."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.api.settings import (
    OwnerSettings,
    Restarting,
    SettingChoice,
    SettingProblem,
    SettingsChange,
    SettingsCheck,
)
from companion.core.config import Config, parse
from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.core.message import message
from companion.core.replace_file import replace_file
from companion.owner.restarter import Restarter
from companion.owner.settings_fields import SECRET, config_keys, fields
from companion.owner.settings_file import difference, with_values

BEFORE = ".before"
"""Ending of the file that holds the settings before the last change."""
PASSWORD = "mqtt-password"
"""The file of the data folder with the password for the MQTT broker."""
OF_CODE = {"config.half_size": "camera.height", "config.raw_channels": "microphone.raw_channels"}
"""Code of an error about several keys -> the key beside which it is shown."""
BROKER = ("mqtt.host", "mqtt.port", "mqtt.tls")
"""Keys that decide who gets the password."""

Found = Callable[[], Mapping[str, Sequence[SettingChoice]]]
"""Key -> what is there on this machine to choose from."""


class SettingsService:
    """Every method may be called from any thread.

    Args:
        file: the configuration file; it need not exist.
        data: the data folder.
        games: the names of all games.
        found: what can be chosen on this machine.
        playing: whether a game is on the table.
        restarter: starts the service again.
    """

    def __init__(
        self,
        file: Path,
        data: Path,
        games: Collection[str],
        found: Found,
        playing: Callable[[], bool],
        restarter: Restarter,
    ) -> None:
        self._file = file
        self._password = data / PASSWORD
        self._games = games
        self._found = found
        self._playing = playing
        self._restarter = restarter
        self._writing = threading.Lock()

    def state(self, written: Callable[[str], str] = str) -> OwnerSettings:
        """The settings in the file; `written` translates the meaning of a key.

        Raises:
            UsageError: the file cannot be read.
        """
        text = self._text()
        return OwnerSettings(
            fields(self._parsed(text), self._found(), written),
            str(self._file),
            _version(text),
            self._restarter.run,
            self._before.is_file(),
            self._playing(),
        )

    def check(self, change: SettingsChange) -> SettingsCheck:
        """What a change would do to the file, and what is wrong with it. Nothing is written.

        Raises:
            UsageError: the file cannot be read, or has changed since the page was loaded.
        """
        text = self._text()
        if _version(text) != change.version:
            raise UsageError("settings.changed_meanwhile")
        problems = tuple(self._problems(change.values, self._parsed(text)))
        if problems:
            return SettingsCheck(problems, ())
        after = with_values(text, self._as_toml(change.values))
        try:
            self._parsed(after)
        except UsageError as error:
            return SettingsCheck((_problem(error),), ())
        return SettingsCheck((), difference(text, after))

    def save(self, change: SettingsChange) -> Restarting:
        """Writes the change and starts the service again. The file is replaced as a whole; the one before is
        kept.

        Raises:
            CompanionError: the change is not possible, or cannot be written; nothing has changed.
        """
        with self._writing:
            checked = self.check(change)
            if checked.problems:
                raise UsageError("settings.not_saved", key=checked.problems[0].key)
            text = self._text()
            after = with_values(text, self._as_toml(change.values))
            if SECRET in change.values:
                self._keep_password(change.values[SECRET])
            self._write(self._before, text)
            self._write(self._file, after)
            return self._restarter.restart()

    def put_back(self) -> Restarting:
        """Puts the settings back that were in force before the last change; putting back can be undone, too.

        Raises:
            CompanionError: there are none, or they cannot be written.
        """
        with self._writing:
            try:
                earlier = self._before.read_text(encoding="utf-8")
            except OSError as error:
                raise Unavailable("settings.none_before") from error
            self._parsed(earlier)
            self._write(self._before, self._text())
            self._write(self._file, earlier)
            return self._restarter.restart()

    # --- the file -----------------------------------------------------------------------------------------

    @property
    def _before(self) -> Path:
        return self._file.with_name(self._file.name + BEFORE)

    def _text(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError("config.unreadable", path=self._file, why=str(error)) from error

    def _parsed(self, text: str) -> Config:
        return parse(text, self._games, self._file.name)

    def _write(self, path: Path, text: str) -> None:
        try:
            mode = self._file.stat().st_mode & 0o777 if self._file.is_file() else 0o600
            replace_file(path, text.encode(), mode)
        except OSError as error:
            raise Unavailable("data.cannot_write", path=path, why=error.strerror) from error

    def _keep_password(self, password: object) -> None:
        if password:
            try:
                replace_file(self._password, str(password).encode(), 0o600)
            except OSError as error:
                raise Unavailable("data.cannot_write", path=self._password, why=error.strerror) from error
        else:
            with contextlib.suppress(OSError):
                self._password.unlink()

    # --- checking -----------------------------------------------------------------------------------------

    def _problems(self, values: Mapping[str, Any], now: Config) -> list[SettingProblem]:
        found: list[SettingProblem] = []
        for key, value in values.items():
            known = config_keys().get(key)
            if known is None:
                found.append(SettingProblem(key, message("config.no_key", key=key)))
            elif value is not None and (why := known.problem(value)):
                found.append(SettingProblem(key, why))
        # Whoever may change the broker's address must not get the password sent to another machine.
        moved = any(key in values for key in BROKER)
        if moved and now.mqtt.password_file and SECRET not in values:
            found.append(SettingProblem(SECRET, message("settings.password_again")))
        return found

    def _as_toml(self, values: Mapping[str, Any]) -> dict[str, Any]:
        known = config_keys()
        found = {key: None if value is None else known[key].converted(value) for key, value in values.items()}
        if SECRET in found:
            found[SECRET] = str(self._password) if found[SECRET] else None
        return found


def _problem(error: CompanionError) -> SettingProblem:
    """The error beside the field that it names: `buttons.seats[1]` is one of `buttons.seats`."""
    named = OF_CODE.get(error.code) or str(error.message.params.get("key", ""))
    key = ".".join(named.partition("[")[0].split(".")[:2])
    return SettingProblem(key, error.message)


def _version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]

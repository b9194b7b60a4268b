"""Changes of a TOML file that keep the owner's comments, order and spelling."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable

from companion.core.errors import UsageError


def with_values(text: str, values: Mapping[str, Any]) -> str:
    """The TOML text with keys (`camera.backend`) set to new values; None removes a key.

    >>> print(with_values('[camera]\\nfps = 15.0  # enough\\n', {"camera.fps": 10.0}), end="")
    [camera]
    fps = 10.0  # enough

    Raises:
        UsageError: the text is no TOML.
    """
    try:
        document = tomlkit.parse(text)
        for key, value in values.items():
            section, _, name = key.partition(".")
            if value is None:
                found = document.get(section)
                if isinstance(found, AbstractTable) and name in found:
                    found.remove(name)
                continue
            if section not in document:
                if document.body and not document.as_string().endswith("\n\n"):
                    document.add(tomlkit.nl())
                document.add(section, tomlkit.table())
            table = document[section]
            assert isinstance(table, AbstractTable)
            table[name] = value
        return tomlkit.dumps(document)
    except (TOMLKitError, AssertionError) as error:
        raise UsageError("config.no_toml", name="config.toml", why=str(error)) from error


def difference(before: str, after: str) -> tuple[str, ...]:
    """The changed lines with two lines around them: `-` what goes, `+` what comes, ` ` what stays."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return tuple(line for line in lines if not line.startswith(("---", "+++")))

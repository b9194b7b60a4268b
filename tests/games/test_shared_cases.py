"""The conformance cases of the shared folder, played through the record."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from rulescripts import SHARED

from companion.core.errors import BadHeader
from companion.games import game_names
from companion.table.record import opened

Json = dict[str, Any]
FOLDER = SHARED / "rules" / "cases"
CASES = sorted(FOLDER.glob("*.json"))


def differences(want: Any, got: Any, path: str = "") -> list[str]:
    """Where an outcome is not what was expected: what is not mentioned in an object is not compared."""
    if isinstance(want, dict) and isinstance(got, dict):
        return [d for key, value in want.items() for d in differences(value, got.get(key), f"{path}.{key}")]
    if isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        return [
            d
            for i, pair in enumerate(zip(want, got, strict=True))
            for d in differences(*pair, f"{path}[{i}]")
        ]
    same = want == got and isinstance(want, bool) == isinstance(got, bool)
    return [] if same else [f"{path}: want {want!r}, got {got!r}"]


def outcome(case: Json) -> Json:
    try:
        record = opened({key: case[key] for key in ("game", "players", "settings")})
    except BadHeader as error:
        return {"error": error.code}
    for event in case["script"]:
        record.push(event)
    result: Json = json.loads(json.dumps(record.result()))
    return result


@pytest.mark.skipif(not CASES, reason=f"needs the cases of the shared folder ({os.fspath(FOLDER)})")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    if not _is_there(case["game"]):
        pytest.skip(f"{case['game']} is not among the rulebooks yet")
    expected = case["expect"]
    if "error" not in expected:
        expected = {"rejected": [], **expected}
    assert differences(expected, outcome(case)) == []


def _is_there(game: str) -> bool:
    import importlib.util

    return game not in game_names() or importlib.util.find_spec(f"companion.games.{game}") is not None

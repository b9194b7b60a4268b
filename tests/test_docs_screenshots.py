"""The games of the README's screenshots can be played to the step that is shown."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from companion.commands.demo_night.programme import programme
from companion.core.config import Config
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder

SCRIPT = Path(__file__).parents[1] / "docs" / "screenshots.py"


@pytest.fixture(scope="module")
def screenshots() -> ModuleType:
    spec = importlib.util.spec_from_file_location("screenshots", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("n", [0, 1])
def test_each_game_is_played_to_its_step(screenshots: ModuleType, n: int, tmp_path: Path) -> None:
    plan = programme()[n]
    app = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    app.start()
    try:
        screenshots.play(app, plan, screenshots.SHOTS[plan.game])
        shown = app.host.snapshot()
    finally:
        app.stop()
    assert shown.game is not None
    assert shown.game.name == plan.game
    assert len(shown.log) >= 8

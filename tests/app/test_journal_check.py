"""Damage that happens while the service runs is found while the table rests, healed, and said."""

import sqlite3
from pathlib import Path

from companion.api.commands import Caller, EnterEvent, NewGame
from companion.core.config import Config
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder

REFEREE = Caller("referee")


def test_damage_is_healed_while_the_service_runs(tmp_path: Path) -> None:
    app = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    app.start()
    try:
        app.host.command(NewGame("nasty_7", ("Ida", "Jo")), REFEREE)
        assert app.host.command(
            EnterEvent({"event": "card_played", "player": "Ida", "card": "gun"}), REFEREE
        ).ok
        assert app._journal_check.check()
        with sqlite3.connect(app.data.journal) as db:
            db.execute("DROP TRIGGER line_is_not_changed")
            db.execute("UPDATE line SET source = 'nobody'")
        db.close()
        assert not app._journal_check.check()
        assert app._journal_check.check()
        shown = app.host.snapshot()
        assert shown.announcement is not None
        assert shown.announcement.code in ("journal_healed", "game_resumed")
        assert [entry.event["card"] for entry in shown.log] == ["gun"]
    finally:
        app.stop()
    assert len(app.host.history.state().damage) == 1

"""A camera that was lost while its picture was examined is not shown as up."""

from pathlib import Path

from companion.core.config import Config
from companion.core.message import message
from companion.core.observations import SourceChanged
from companion.devices.inputs import Inputs
from companion.runtime.app import App
from companion.store.folder import DataFolder


def test_a_lost_camera_stays_lost(tmp_path: Path) -> None:
    app = App(Config(), DataFolder(tmp_path), inputs=Inputs())
    app.start_table()
    try:
        app.source_changed(SourceChanged(app.clock(), "camera", True))
        app._report_quality("too_dark")
        app.source_changed(SourceChanged(app.clock(), "camera", False, message("camera.webcam_silent")))
        app._report_quality("")
        state = app.table.call(lambda referee: referee.snapshot(None, 0).sources["camera"])
        assert (state.up, state.code) == (False, "camera.webcam_silent")
        app.source_changed(SourceChanged(app.clock(), "camera", True))
        app._report_quality("too_dark")
        state = app.table.call(lambda referee: referee.snapshot(None, 0).sources["camera"])
        assert (state.up, state.code) == (True, "too_dark")
    finally:
        app.stop()

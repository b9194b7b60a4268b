"""The switch that records the evening, and the evenings that were recorded."""

from __future__ import annotations

from collections.abc import Callable

from companion.api.recordings import EveningFacts, RecordedEvenings
from companion.core.message import Message
from companion.recording import library
from companion.recording.format import RunningAtStart
from companion.recording.recorder import Recorder
from companion.table.recording_notice import running_game, show_started, show_stopped
from companion.table.referee import Referee
from companion.table.table import Table


class Recordings:
    """The service behind the page of the recordings. Every method may be called from any thread.

    Args:
        recorder: records.
        table: shows and announces it.
        failed: called when a recording ends by itself.
    """

    def __init__(self, recorder: Recorder, table: Table, failed: Callable[[Message], None]) -> None:
        self._recorder = recorder
        self._table = table
        self._failed = failed

    def state(self) -> RecordedEvenings:
        """What is recorded now, and all evenings, the latest first."""
        recorder = self._recorder
        found = (
            EveningFacts(
                one.name,
                one.manifest.began,
                round(one.manifest.totals.seconds, 1),
                one.size,
                one.manifest.totals.frames_lost,
                one.running,
            )
            for one in reversed(library.evenings(recorder.folder))
        )
        return RecordedEvenings(recorder.running, str(recorder.folder), tuple(found))

    def start(self) -> RecordedEvenings:
        """Begins to record; the table announces it. Does nothing while an evening is being recorded.

        Raises:
            CompanionError: it cannot be recorded; the message says what to do.
        """
        if not self._recorder.running:
            self._recorder.check()
            self._table.call(self._begin)
        return self.state()

    def stop(self) -> RecordedEvenings:
        """Ends the recording and keeps it; harmless without one."""
        if self._recorder.running:
            self._recorder.stop()
            self._table.call(show_stopped)
        return self.state()

    def forget(self, name: str) -> RecordedEvenings:
        """Deletes an evening; the one that is being recorded is ended first.

        Raises:
            CompanionError: there is no such evening, or it cannot be deleted.
        """
        evening = self._recorder.evening
        if self._recorder.running and evening is not None and evening.name == name:
            self.stop()
        library.forget(self._recorder.folder, name)
        return self.state()

    def _begin(self, referee: Referee) -> None:
        """On the table's thread, so that nothing is judged between the copy of the journal and the first
        item of the log."""
        running = running_game(referee)
        self._recorder.start(None if running is None else RunningAtStart(*running), self._failed)
        show_started(referee)

"""The composition root: builds the service from its configuration, starts it, stops it, reports its health.

>>> import tempfile
>>> from companion.api.commands import Caller, NewGame
>>> from companion.core.config import Config
>>> from companion.devices.inputs import Inputs
>>> from companion.runtime.app import App
>>> from companion.store.folder import DataFolder
>>> with tempfile.TemporaryDirectory() as folder:
...     app = App(Config(), DataFolder(Path(folder)), inputs=Inputs())
...     app.start()
...     reply = app.host.command(NewGame("nasty_7", ("Ida", "Jo")), Caller("referee"))
...     print(reply.ok, app.healthy())
...     app.stop()
True True
"""

from __future__ import annotations

import logging
import queue
from functools import partial
from pathlib import Path
from typing import Any

from companion.announce.announcer import Announcer
from companion.api.commands import Caller, StopClock
from companion.core.clock import Clock, monotonic
from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.core.fault_reporter import FaultReporter
from companion.core.message import Message, message
from companion.core.observations import Observation, Press, SourceChanged
from companion.devices.button_inputs import ButtonInputs
from companion.devices.inputs import CameraOpener, Inputs, configured_inputs
from companion.devices.listening_lamp import ListeningLamp
from companion.devices.outputs import Outputs, write_output_pins
from companion.evidence.photos import Photos
from companion.evidence.ring import Evidence
from companion.games.generic_spotter import REFEREE_BUTTON
from companion.host.deck_library import DeckLibrary
from companion.host.device_test import DeviceTest
from companion.host.pages_address import PagesAddress
from companion.host.pairing import pairing_of
from companion.host.recordings import Recordings
from companion.host.seat_training import SeatTraining
from companion.host.sound_training import SoundTraining
from companion.host.stored_data import StoredDataService
from companion.host.table_host import TableHost
from companion.host.table_setup import TableSetupService
from companion.host.voice_training import VoiceTraining
from companion.host.zones import Zones
from companion.runtime.attention_gate import AttentionGate
from companion.runtime.equipment import built_recorder
from companion.runtime.identity import RANDOM, Identity
from companion.runtime.journal_check import JournalCheck
from companion.runtime.owner import owner_services
from companion.runtime.process import PLAIN, ServiceProcess
from companion.runtime.thresholds import thresholds_of
from companion.senses import preload
from companion.senses.annotated_pictures import AnnotatedPictures
from companion.senses.attention import Attention
from companion.senses.camera_path import CameraPath
from companion.senses.ears import Ears
from companion.senses.eyes import Eyes
from companion.senses.hearers import HearerFactory
from companion.senses.idle_detector import IdleDetector
from companion.senses.latest_frame import LatestFrame
from companion.senses.microphone_path import MicrophonePath
from companion.senses.mute_detector import MuteDetector
from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.model.grammar import language
from companion.store.folder import DataFolder
from companion.store.healing import open_journal
from companion.table.recording_notice import show_started, show_stopped
from companion.table.story import phrases
from companion.table.table import Table
from companion.table.table_task import Observations
from hardware.streams import Block, Frame
from hardware.supervise import Supervised

logger = logging.getLogger(__name__)

HANGS_S = 4.0
"""Seconds without a heartbeat after which the table's thread counts as hanging."""


class App:
    """The service without its web server: senses, table, outputs, and the host that the pages get.

    Args:
        config: the configuration.
        data: the data folder; it is locked from `start` to `stop`.
        clock: the one clock of senses and table.
        inputs: camera and microphone; None: the configured devices.
        process: the surroundings of this run of the service.
        identity: times of day and random ids of what is written.
        record: folder into which the evening is recorded from the start on; None: only if a phone asks.
        record_all: the camera waits for the recorder; no picture is lost.
    """

    def __init__(
        self,
        config: Config,
        data: DataFolder,
        *,
        clock: Clock = monotonic,
        inputs: Inputs | None = None,
        process: ServiceProcess = PLAIN,
        identity: Identity = RANDOM,
        record: Path | None = None,
        record_all: bool = False,
    ) -> None:
        self.config = config
        self.data = data
        self.clock = clock
        self._process = process
        self._identity = identity
        self._observations: Observations = queue.SimpleQueue()
        self._report_fault = FaultReporter(self._observations.put, clock)
        self.idle_detector = IdleDetector()
        inputs = configured_inputs(config, clock, self.idle_detector) if inputs is None else inputs
        camera = None if inputs.camera is None else CameraOpener(inputs.camera)
        self._record = record is not None
        self._camera_up = False
        self.decks = DeckLibrary(config.decks, data.decks)
        lossless = record_all or inputs.lossless
        self.recorder = built_recorder(config, data, self.decks, clock, identity.wall, record, lossless)
        self._build_senses(inputs)
        self._build_table()
        self._build_outputs()
        self._build_host(camera)
        self._build_paths()
        self._supervised: list[Supervised[Any]] = []
        if camera is not None:
            stall_s = inputs.camera_stall_s
            self._supervised.append(
                Supervised("camera", camera.open, self.frame, self.source_changed, clock, stall_s=stall_s)
            )
        if inputs.microphone is not None:
            self._supervised.append(
                Supervised("microphone", inputs.microphone, self.block, self.source_changed, clock)
            )

    # --- building -----------------------------------------------------------------------------------------

    def _report(self, observation: Observation) -> None:
        self.recorder.reported(observation)
        self._observations.put(observation)

    def _build_senses(self, inputs: Inputs) -> None:
        """Builds eyes, ears and their attention. Starts nothing."""
        config, submit, recorder = self.config, self._report, self.recorder
        self.photos = Photos(new_id=self._identity.photo_id)
        kept = config.evidence
        self.evidence = Evidence(kept.seconds, kept.pictures_per_s, kept.findings)
        self.latest_frame = LatestFrame(self.clock)
        self._listening_lamp = ListeningLamp(config.lamps)
        self.eyes = Eyes(
            submit,
            self.evidence,
            AnnotatedPictures(self.photos).keep,
            self._report_fault,
            lossless=inputs.lossless,
            prepare=preload.nothing if inputs.camera is None else preload.eyes,
            worked=lambda t, done: recorder.worked("eyes", t, done),
        )
        self.ears = Ears(
            submit,
            self.evidence,
            self._report_fault,
            self._listening_lamp.user("ears"),
            preload.nothing if inputs.microphone is None else preload.ears,
            lambda t, done: recorder.worked("ears", t, done),
        )
        self.zones = Zones(config, self.data.path / "zones.json")
        speech, data = config.speech, self.data
        self._array = ArrayRecorder()
        hearers = HearerFactory(speech.model, data.models, data.voices, speech.prior, self._array)
        self.attention = Attention(
            self.eyes, self.ears, self.evidence, self.decks, self.zones.of, hearers, self._report_fault
        )
        self.zones.on_change(self.attention.zones_changed)
        self.zones.on_change(lambda game: recorder.zones_changed(game, self.zones.drawn(game)))

    def _build_table(self) -> None:
        config, data = self.config, self.data
        known = self._identity
        self._opens = partial(open_journal, data.journal, wall=known.wall, new_key=known.game_key)
        self.announcer = Announcer(self.clock)
        self.gate = AttentionGate(self.attention, self.recorder.directed, self.clock)
        self.table = Table(
            self._opens,
            self.clock,
            announcer=self.announcer,
            thresholds=thresholds_of(config),
            hold_s=config.table.hold_s,
            labels=self.attention.labels,
            weigh=self.ears.weigh,
            listener=self.gate,
            observations=self._observations,
            on_command=self.recorder.command,
        )
        self._journal_check = JournalCheck(self.table, data.journal, self._opens)

    def _build_outputs(self) -> None:
        """Builds buttons, outputs and the device test. Opens nothing."""
        config, data, lamp = self.config, self.data, self._listening_lamp
        self._outputs = Outputs(
            config, data.voice, self.clock, self.announcer, self.mute, lamp, self._report_fault, phrases
        )
        self._device_test = DeviceTest(config, data, self.clock, self._outputs, lamp.user("device test"))
        self._buttons = ButtonInputs(config, self.clock, (self.pressed,), self._report_fault)

    def _build_host(self, camera: CameraOpener | None) -> None:
        config, data, wall = self.config, self.data, self._identity.wall
        self.table_setup = TableSetupService(
            data,
            self.decks,
            self.zones,
            self.latest_frame,
            lambda: self.attention.game,
            (lambda: None) if camera is None else camera.relock,
            self.clock,
            self._report_quality,
        )
        self._voice_training = VoiceTraining(
            data.voices,
            language().calls(),
            self.clock,
            self._listening_lamp.user("voice training"),
            lambda: self.ears.listening,
        )
        self._seat_training = SeatTraining(
            data.voices, self._array, self.clock, self._listening_lamp.user("seat training")
        )
        self.host = TableHost(
            self.table,
            config,
            data,
            self.decks,
            self.photos,
            self.evidence,
            self.latest_frame,
            PagesAddress(config.pages.url, config.pages.port),
            camera_notes=tuple if camera is None else camera.notes,
            table_setup=self.table_setup,
            device_test=self._device_test,
            voice_training=self._voice_training,
            seat_training=self._seat_training,
            sound_training=SoundTraining(
                self.ears,
                lambda: self.table.command(StopClock(), Caller("referee")),
                self.recorder.sound_repeats,
            ),
            stored_data=StoredDataService(
                data, self.table, self._voice_training, self._seat_training, self._opens, wall
            ),
            pairing=pairing_of(data, self.table, wall, config.pages.open_to_all),
            recordings=Recordings(self.recorder, self.table, self._recording_failed),
            owner=owner_services(config, data, self.table, self._process, wall),
        )

    def _build_paths(self) -> None:
        """Builds the paths of frames and blocks of sound."""
        self.camera_path = CameraPath(
            self.idle_detector, self.table_setup.straighten, self.latest_frame, self.eyes
        )
        self.microphone_path = MicrophonePath(
            MuteDetector(self.config.microphone.muted_s),
            (self._device_test, self._voice_training),
            self.ears,
            (self._array, self._seat_training),
            self._observations.put,
        )

    # --- what the devices report --------------------------------------------------------------------------

    def frame(self, frame: Frame) -> None:
        """Takes a picture of the camera."""
        self.recorder.frame(frame)
        self.camera_path.take(frame)

    def block(self, block: Block) -> None:
        """Takes a block of the microphone's sound."""
        self.recorder.block(block)
        self.microphone_path.take(block)

    def pressed(self, press: Press) -> None:
        """Takes the press of a button; that of the referee's may be the answer to a phone."""
        if press.button == REFEREE_BUTTON and self.host.pairing.approve():
            return
        self.recorder.pressed(press)
        self._device_test.pressed(press)
        self._observations.put(press)

    def source_changed(self, change: SourceChanged) -> None:
        """Takes the report that a device came up or went down, or works badly."""
        self.recorder.source_changed(change)
        if change.source == "camera":
            self._camera_up = change.up
        if change.source == "microphone":
            self.microphone_path.source_changed(change)
        else:
            self._observations.put(change)

    def mute(self, since: float, until: float) -> None:
        """The companion itself sounds in this interval: the ears ignore it."""
        self.recorder.own_sound(since, until)
        self.ears.mute(since, until)

    def _report_quality(self, code: str) -> None:
        """Takes what keeps the camera from seeing well; "": it sees well again."""
        if self._camera_up:  # it may have gone down meanwhile
            self.source_changed(SourceChanged(self.clock(), "camera", True, message(code)))

    def take_observations(self) -> list[Observation]:
        """Takes out the reports that the table has not taken yet, for a service that one thread steps."""
        items = [self._observations.get_nowait() for _ in range(self._observations.qsize())]
        return [item for item in items if isinstance(item, Observation)]

    # --- starting, stopping, health -----------------------------------------------------------------------

    def start(self) -> None:
        """Starts everything. A missing device is reported and does not stop the rest.

        Raises:
            CompanionError: the data folder or the journal cannot be used, or a configured deck is not there;
                nothing is left running.
        """
        self.start_table()
        self.start_senses()

    def start_table(self) -> None:
        """Starts table, buttons and outputs; returns when an interrupted game has been resumed.

        Raises:
            CompanionError: as `start`.
        """
        self.data.lock()
        try:
            self.decks.check()
            if self._process.runtime is not None:
                write_output_pins(self.config, self._process.runtime)
            if self._record:
                self.recorder.start(ended=self._recording_failed)
            self._buttons.open()
            self._outputs.open()
            self.table.start()
            self._journal_check.start()
            if self._record:
                self.table.call(show_started)
        except BaseException:
            self.stop()
            raise

    def start_senses(self) -> None:
        """Starts eyes and ears with their devices: last, because loading their models keeps the processor of
        a small Pi busy for seconds."""
        self.eyes.start()
        self.ears.start()
        self.table_setup.start()
        self.host.refinement.resume()
        for source in self._supervised:
            source.start()

    def stop(self) -> None:
        """Stops everything in order; a second call is harmless."""
        for source in self._supervised:
            source.stop(timeout=0.5)
        self.table_setup.stop()
        self.host.refinement.stop()
        try:
            self.host.enrolment.save()
        except CompanionError:
            logger.exception("the deck of the enrolment session could not be written")
        self.eyes.stop(timeout=0.5)
        self.ears.stop(timeout=0.5)
        self._journal_check.stop()
        self.table.stop()
        self.recorder.stop()
        self._buttons.close()
        self._outputs.close()
        self.host.close()
        self.data.unlock()

    def _recording_failed(self, why: Message) -> None:
        if self.table.alive:
            self.table.call(lambda referee: show_stopped(referee, why))

    def healthy(self) -> bool:
        """Whether the threads of table and senses run (for the service's watchdog)."""
        return (
            self.table.alive
            and self.clock() - self.table.heartbeat < HANGS_S
            and self.eyes.alive
            and self.ears.alive
            and all(source.alive for source in self._supervised)
            and self._buttons.alive
        )

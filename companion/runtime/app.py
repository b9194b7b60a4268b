"""The composition root: builds the service from its configuration, starts it and stops it in order.

app = App(config, DataFolder(path))
app.start()
...                      # pages: web.create_app(app.host, secret_key=app.data.key())
app.stop()
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.announce.announcer import Announcer
from companion.announce.phrases import LOCALE, Phrases
from companion.core.call_policy import CallPolicy
from companion.core.clock import Clock, monotonic
from companion.core.config import Config
from companion.core.errors import CompanionError, reason
from companion.core.message import message
from companion.core.observations import Landing, LatticeSeen, Observation, SourceChanged
from companion.devices.idle import IdleDetector
from companion.devices.inputs import Inputs, devices
from companion.devices.outputs import Outputs, write_output_pins
from companion.evidence.photos import Photos
from companion.evidence.ring import Evidence
from companion.games import game_named
from companion.games.spotter import Expectation, Spotter, Thresholds
from companion.host.deck_library import DeckLibrary
from companion.host.device_test import DeviceTest
from companion.host.latest_frame import LatestFrame
from companion.host.sound_training import SoundTraining
from companion.host.table_host import TableHost
from companion.host.table_setup import TableSetup
from companion.host.voice_training import VoiceTraining
from companion.host.zones import Zones
from companion.senses import preload, watchers
from companion.senses.ears import Ears, KnownWords
from companion.senses.eyes import Eyes, small_jpeg
from companion.senses.mute_detector import MuteDetector
from companion.speech.model.grammar import language, languages
from companion.store.folder import DataFolder
from companion.store.journal import GameRow, Journal
from companion.table.table import Table
from hardware.streams import Block, Frame, Stream
from hardware.supervise import Supervised

if TYPE_CHECKING:
    from companion.speech.recognition.invented import InventedSounds

logger = logging.getLogger(__name__)

SILENT_S = 4.0
"""A table thread that has not turned for so long hangs."""


def simulate() -> None:
    """Opens no GPIO in this process: pins are simulated (cameras and microphones: see Inputs)."""
    from hardware import gpio

    gpio.simulate()


def _thresholds(config: Config) -> Thresholds:
    table = config.table
    own = () if config.speech.model else languages()
    unproven = frozenset(tongue for tongue in own if not language(tongue).proven)
    return Thresholds(table.seen, CallPolicy(table.heard, table.heard_right, table.made_out, unproven))


class App:
    """The service without its web server: senses, table, outputs, and the host that pages are handed.

    Args:
        config: the configuration.
        data: the data folder; it is locked from `start` to `stop`.
        clock: the one clock of senses and table.
        inputs: where pictures and sound come from; None: the devices that the configuration names.
        runtime: the service's runtime folder; None outside a service.
    """

    def __init__(
        self,
        config: Config,
        data: DataFolder,
        *,
        clock: Clock = monotonic,
        inputs: Inputs | None = None,
        runtime: Path | None = None,
    ) -> None:
        self.config = config
        self._runtime = runtime
        self.data = data
        self.clock = clock
        self.decks = DeckLibrary(config.decks, data.decks)
        self.photos = Photos()
        kept = config.evidence
        self.evidence = Evidence(kept.seconds, kept.pictures_per_s, kept.findings, small_jpeg)
        self.announcer = Announcer(clock)
        self.table = Table(
            lambda: Journal(data.journal),
            clock,
            announcer=self.announcer,
            phrases=Phrases(config.table.language, LOCALE),
            thresholds=_thresholds(config),
            hold_s=config.table.hold_s,
            labels=self._labels,
        )
        self.table.on_game = self._attend
        self.table.on_expectation = self._expect
        self.table.on_finding = self.evidence.keep
        self.latest_frame = LatestFrame(clock)
        self.zones = Zones(config, data.path / "zones.json", self._rezone)
        self.table_setup = TableSetup(
            data,
            self.decks,
            self.zones,
            self.latest_frame,
            self._playing,
            self._relock,
            clock,
            self._tell_fault,
        )
        self.host = TableHost(
            self.table,
            config,
            data,
            self.decks,
            self.photos,
            self.evidence,
            self.latest_frame,
            self.table_setup,
        )
        self._camera: Stream[Frame] | None = None
        self._idle_detector = IdleDetector()
        self._inputs = devices(config, clock, self._idle_detector) if inputs is None else inputs
        self._eyes = Eyes(
            self.table.submit,
            self.evidence,
            self._keep,
            self._trouble,
            lossless=self._inputs.lossless,
            prepare=preload.nothing if self._inputs.camera is None else preload.eyes,
        )
        self._ears = Ears(
            self.table.submit,
            self.evidence,
            self._trouble,
            lambda lit: self.outputs.listening(lit),
            preload.nothing if self._inputs.microphone is None else preload.ears,
        )
        self.outputs = Outputs(config, data, clock, self._plugged, self.announcer, self._ears.mute)
        self.device_test = DeviceTest(config, data, clock, self.outputs, self._measuring)
        self.host.device_test = self.device_test
        self.voice_training = VoiceTraining(
            data.voices, language().calls(), clock, self._measuring, lambda: self._ears.listening
        )
        self.host.voice_training = self.voice_training
        self.host.sound_training = SoundTraining(self._ears, lambda: self.host.command("wait", {}, "referee"))
        self._mute_detector = MuteDetector(config.microphone.muted_s)
        self._supervised: list[Supervised[Any]] = []

    # --- starting and stopping ----------------------------------------------------------------------------

    def start(self) -> None:
        """Starts everything; what is missing of the devices is reported and does not stop the rest.

        Raises:
            CompanionError: the data folder or the journal cannot be used, or a configured deck is not there;
                nothing is left running.
        """
        self.begin()
        self.sense()

    def begin(self) -> None:
        """Starts table, buttons and outputs; an interrupted game is on the table again when it returns.

        Raises:
            CompanionError: as `start`.
        """
        self.data.lock()
        try:
            self.decks.check()
            if self._runtime is not None:
                write_output_pins(self.config, self._runtime)
            self.outputs.open()
            self.table.start()
        except BaseException:
            self.stop()
            raise

    def sense(self) -> None:
        """Starts eyes and ears with their devices: the last thing, because they load their models then, and
        on a small Pi that takes the processor from whatever else is starting."""
        self._eyes.start()
        self._ears.start()
        self.table_setup.start()
        self._start_sources()

    def stop(self) -> None:
        """Stops everything in order; a second time is harmless."""
        for source in self._supervised:
            source.stop(timeout=0.5)
        self.table_setup.stop()
        try:
            self.host.enrolment.save()
        except CompanionError:
            logger.exception("the deck that was being learned could not be written")
        self._eyes.stop(timeout=0.5)
        self._ears.stop(timeout=0.5)
        self.table.stop()
        self.outputs.close()
        self._supervised = []
        self.data.unlock()

    def healthy(self) -> bool:
        """Whether table and senses are alive (the service's watchdog asks)."""
        return (
            self.table.alive
            and self.clock() - self.table.heartbeat < SILENT_S
            and self._eyes.alive
            and self._ears.alive
            and all(source.alive for source in self._supervised)
            and self.outputs.alive
        )

    def _start_sources(self) -> None:
        inputs = self._inputs
        if inputs.camera is not None:
            camera: Supervised[Frame] = Supervised(
                "camera",
                self._open_camera,
                self._see,
                self.table.submit,
                self.clock,
                stall_s=inputs.camera_stall_s,
            )
            self._supervised.append(camera)
        if inputs.microphone is not None:
            microphone: Supervised[Block] = Supervised(
                "microphone", inputs.microphone, self._hear, self._heard_of, self.clock
            )
            self._supervised.append(microphone)
        for source in self._supervised:
            source.start()

    # --- senses -------------------------------------------------------------------------------------------

    def _see(self, frame: Frame) -> None:
        self._idle_detector.see(frame.image, frame.t)
        image = self.table_setup.straighten(frame.image)
        self.latest_frame.see(image, frame.t)
        self._eyes.see(image, frame.t)

    def _open_camera(self) -> Stream[Frame]:
        assert self._inputs.camera is not None
        self._camera = self._inputs.camera()
        return self._camera

    def _relock(self) -> None:
        """A camera that can lock its settings settles anew; others have nothing to lock."""
        lock = getattr(self._camera, "relock", None)
        if lock is not None:
            lock()

    def _tell_fault(self, code: str) -> None:
        """What keeps the camera from seeing well: it works, but the table should know."""
        self.table.submit(SourceChanged(self.clock(), "camera", True, message(code)))

    def _playing(self) -> tuple[str, list[str]] | None:
        game = self.table.snapshot()["game"]
        return None if game is None else (game["name"], [seat["name"] for seat in game["players"]])

    def _rezone(self, game: str) -> None:
        """The zones of a game have been drawn anew: if it is being played, they hold at once."""
        playing = self._playing()
        if playing is not None and playing[0] == game:
            self._eyes.set_zones(self.zones.of(*playing))

    def _plugged(self, observation: Observation) -> None:
        self.device_test.notice(observation)
        self.table.submit(observation)

    def _measuring(self, measuring: bool) -> None:
        self.outputs.listening(measuring or self._ears.listening or self.voice_training.listening)

    def _hear(self, block: Block) -> None:
        if self._mute_detector.update(block.samples, block.t):
            self._told_of(
                SourceChanged(block.t, "microphone", not self._mute_detector.off, self._mute_detector.why)
            )
        self.device_test.hear(block.samples, block.rate)
        self.voice_training.hear(block.samples, block.rate)
        if block.gap:
            self._ears.cut()
        self._ears.hear(block.samples, block.t, block.rate)

    def _heard_of(self, change: SourceChanged) -> None:
        self._mute_detector.begin_anew()
        self._told_of(change)

    def _told_of(self, change: SourceChanged) -> None:
        if not change.up:
            self._ears.cut()
        self.table.submit(change)

    def _trouble(self, source: str, error: Exception | None) -> None:
        """A sense or an output fails, or works again."""
        why = None if error is None else reason(error)
        self.table.submit(SourceChanged(self.clock(), source, error is None, why))

    def _attend(self, row: GameRow | None, spotter: Spotter | None) -> None:
        """Tells eyes and ears what to attend to (on the table's thread: nothing is loaded here)."""
        self.evidence.clear()
        if row is None or spotter is None:
            self._eyes.set_watcher(None)
            self._ears.set_hearer(None)
            return
        kind = game_named(row.name)
        watches = kind.followed and bool(self._labels(row.name))
        self._eyes.set_watcher((lambda: self._watcher(row)) if watches else None)
        if not kind.hears(row.settings):
            self._ears.set_hearer(None)
            return
        sounds: list[InventedSounds] = []
        self._ears.set_hearer(lambda rate: self._hearer(row, rate, sounds))

    def _keep(self, image: Any, seen: Landing | LatticeSeen) -> str:
        """Keeps a picture for the pages, a whole table with what was recognised drawn on it."""
        if isinstance(seen, LatticeSeen):
            from companion.vision.lattice.draw import draw_lattice

            image = draw_lattice(image, seen.cards, seen.unsure)
        return self.photos.keep(small_jpeg(image))

    def _labels(self, game: str) -> tuple[str, ...]:
        """The cards of a game's deck; without a deck that can be read, the game is played without eyes."""
        try:
            return self.decks.labels(game)
        except CompanionError as error:
            self._trouble("camera", error)
            return ()

    def _watcher(self, row: GameRow) -> Any:
        kind = game_named(row.name)
        return watchers.watcher(kind.watcher, self.decks.deck(row.name), self.zones.of(row.name, row.players))

    def _hearer(self, row: GameRow, rate: int, sounds: list[InventedSounds]) -> Any:
        """What hears a game's calls; `sounds` keeps what it learns for the hearer that follows it, when the
        microphone has been away."""
        from companion.speech.model import models
        from companion.speech.recognition.invented import InventedSounds
        from companion.speech.recognition.recogniser import Listener
        from companion.speech.voices.profiles import VoiceProfiles

        tongue = str(row.settings.get("language", "en"))
        speech = self.config.speech
        folder = models.find_model(tongue, models.named(speech.model, self.data.models))
        known = models.vocabulary(folder)
        words = [word for word in language(tongue).calls() if word in known]
        voices = VoiceProfiles(self.data.voices).all_of(row.players)
        if not sounds:
            sounds.append(InventedSounds(speech.prior))
        hearer = Listener(folder, words, rate, tongue, prior=speech.prior, voices=voices, invented=sounds[0])
        return KnownWords(hearer, known)

    def _expect(self, expectation: Expectation) -> None:
        self._ears.expect(expectation.words or (), expectation.right, expectation.learn, expectation.speaker)
        self._eyes.expect(expectation.cards)

"""Eyes and ears: what camera and microphone give, through vision and speech, into the table's inbox.

Each sense has one thread of its own behind a queue. Pictures that nobody had time for are dropped, oldest
first; sound is never dropped. Neither knows a game: they are told what to watch and which words to expect.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import msgspec

from companion.beforehand import nothing
from companion.errors import CompanionError, Unreadable
from companion.evidence.ring import Evidence
from companion.observations import Landing, LatticeSeen, Listened, Observation, Utterance, Watched

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

Image: TypeAlias = "NDArray[np.uint8]"
BEHIND = 5
"""Niceness of the senses' threads."""
SMALL = 960
"""Kept pictures are at most so many pixels wide."""

Submit = Callable[[Observation], None]
Trouble = Callable[[str, Exception | None], None]
"""Told of the first error of a sense, and with None when it works again."""
Expected = tuple[tuple[str, ...], tuple[tuple[str, ...], ...], str, str]
"""The words to listen for, the calls that would be right, the name of a sound to be learnt, and who calls."""
NOTHING_EXPECTED: Expected = ((), (), "", "")


class Watcher(Protocol):
    """What looks at pictures: companion.vision.landing.LandingWatcher, grid_watch, lattice_watch."""

    def feed(self, image: Image, t: float) -> Sequence[Landing | LatticeSeen | Watched]:
        """Takes one picture; tells what has landed, or what lies there now, and up to when everything has
        been told."""

    def expect(self, labels: frozenset[str] | None) -> None:
        """The cards that may come next; None: any."""

    def rezone(self, zones: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        """Other zones from now on."""


class Hearer(Protocol):
    """What listens to sound: companion.speech.recogniser.Listener."""

    def feed(self, block: NDArray[np.int16], t: float) -> list[Utterance | Listened]:
        """Takes one block; tells what was said and up to when everything has been told."""

    def expect(
        self,
        words: Iterable[str],
        right: Iterable[Sequence[str]] = (),
        learn: str = "",
        speaker: str = "",
    ) -> None:
        """Listens for these words from now on; what is heard is weighed against the calls in `right`, and a
        sound that is no word is learnt under the name `learn`. `speaker` is to call."""

    def flush(self) -> list[Utterance | Listened]:
        """Ends what is being said."""


class KnownWords:
    """A hearer that is asked for no word its model does not know: invented sounds are judged by the table."""

    def __init__(self, hearer: Hearer, known: frozenset[str]) -> None:
        self._hearer = hearer
        self._known = known

    def feed(self, block: NDArray[np.int16], t: float) -> list[Utterance | Listened]:
        """See Hearer."""
        return self._hearer.feed(block, t)

    def expect(
        self,
        words: Iterable[str],
        right: Iterable[Sequence[str]] = (),
        learn: str = "",
        speaker: str = "",
    ) -> None:
        """See Hearer; if it knows none of the words, it goes on listening for those it had."""
        known = [word for word in words if word in self._known]
        if known:
            self._hearer.expect(known, right, learn, speaker)

    def flush(self) -> list[Utterance | Listened]:
        """See Hearer."""
        return self._hearer.flush()


class _State:
    """Whether a sense works; tells when that changes."""

    def __init__(self, name: str, trouble: Trouble) -> None:
        self._name = name
        self._trouble = trouble
        self._ill = False

    def ill(self, error: Exception) -> None:
        if not self._ill:
            if not isinstance(error, CompanionError):
                logger.exception("%s: the program failed", self._name)
            self._ill = True
            self._trouble(self._name, error)

    def well(self) -> None:
        if self._ill:
            self._ill = False
            self._trouble(self._name, None)


def begin(prepare: Callable[[], None]) -> None:
    """What a sense does first on its thread: it steps behind the table and loads what it will need. What is
    missing is told when a game needs it."""
    after_the_table()
    try:
        prepare()
    except (CompanionError, ImportError, OSError) as error:
        logger.info("%s cannot be loaded beforehand: %s", threading.current_thread().name, error)


def after_the_table() -> None:
    """Lets this thread wait for the others where the processor is busy: a press and a tick of the countdown
    come before the next picture. Linux counts niceness by thread; other systems by process, so not there."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BEHIND)


class Eyes:
    """The thread that looks at the camera's pictures.

    Args:
        submit: takes what was seen.
        evidence: keeps the latest pictures.
        keep: stores a picture with what was seen in it, returns where that evidence lies.
        trouble: told of an error in the vision; the next picture is looked at all the same.
        lossless: pictures wait for each other instead of being dropped (a simulated camera can wait).
        prepare: loads what watchers need.
    """

    WAITING = 2

    def __init__(
        self,
        submit: Submit,
        evidence: Evidence,
        keep: Callable[[Image, Landing | LatticeSeen], str],
        trouble: Trouble,
        *,
        lossless: bool = False,
        prepare: Callable[[], None] = nothing,
    ) -> None:
        self._prepare = prepare
        self._submit = submit
        self._evidence = evidence
        self._keep = keep
        self._state = _State("camera", trouble)
        self._lossless = lossless
        self._pictures: queue.Queue[tuple[Image, float] | None] = queue.Queue(self.WAITING)
        self._next: Callable[[], Watcher] | None = None
        self._attends = threading.Event()
        self._turned = threading.Lock()
        self._watcher: Watcher | None = None
        self._zones: Mapping[str, Sequence[tuple[float, float]]] | None = None
        self._cards: frozenset[str] | None = None
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> None:
        """Ends the thread after the picture it is looking at."""
        self._attends.clear()
        while True:
            try:
                self._pictures.put_nowait(None)
                break
            except queue.Full:
                _drop(self._pictures)
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def attend(self, watcher: Callable[[], Watcher] | None) -> None:
        """From now on pictures go to this watcher, which is made on the eyes' thread; None: to nobody."""
        with self._turned:
            self._next = watcher
            self._watcher = None
            self._zones = None
        if watcher is None:
            self._attends.clear()
        else:
            self._attends.set()

    def expect(self, cards: frozenset[str] | None) -> None:
        """The cards that may come next; None: any."""
        self._cards = cards

    def rezone(self, zones: Mapping[str, Sequence[tuple[float, float]]]) -> None:
        """The zones have been drawn anew: they hold from the next picture on."""
        with self._turned:
            self._zones = zones

    def see(self, image: Image, t: float) -> None:
        """Takes one picture (on the camera's thread)."""
        if not self._attends.is_set():
            return
        if self._lossless:
            self._pictures.put((image, t))
            return
        while True:
            try:
                self._pictures.put_nowait((image, t))
                return
            except queue.Full:
                _drop(self._pictures)

    def _run(self) -> None:
        begin(self._prepare)
        while (item := self._pictures.get()) is not None:
            image, t = item
            try:
                self._look(image, t)
                self._state.well()
            except Exception as error:  # one picture must not end the sight of the evening
                self._state.ill(error)

    def _look(self, image: Image, t: float) -> None:
        watcher = self._ready()
        if watcher is None:
            return
        self._evidence.see(image, t)
        watcher.expect(self._cards)
        with self._turned:
            zones, self._zones = self._zones, None
        if zones is not None:
            watcher.rezone(zones)
        for seen in watcher.feed(image, t):
            if isinstance(seen, Landing | LatticeSeen) and not seen.evidence:
                seen = msgspec.structs.replace(seen, evidence=self._keep(image, seen))
            self._submit(seen)

    def _ready(self) -> Watcher | None:
        with self._turned:
            make = self._next
            if self._watcher is not None or make is None:
                return self._watcher
        watcher = make()
        with self._turned:
            if self._next is make:
                self._watcher = watcher
            return self._watcher


class Ears:
    """The thread that listens to the microphone's sound; without a game that listens nothing is analysed.

    Args:
        submit: takes what was heard.
        evidence: keeps the latest sound.
        trouble: told of an error in the hearing; the next block is heard all the same.
        lit: told when sound begins to be analysed, and when it is not any more.
        prepare: loads what hearers need.
    """

    def __init__(
        self,
        submit: Submit,
        evidence: Evidence,
        trouble: Trouble,
        lit: Callable[[bool], None] = lambda listening: None,
        prepare: Callable[[], None] = nothing,
    ) -> None:
        self._prepare = prepare
        self._submit = submit
        self._lit = lit
        self._evidence = evidence
        self._state = _State("microphone", trouble)
        self._blocks: queue.SimpleQueue[tuple[NDArray[np.int16], float, int] | str] = queue.SimpleQueue()
        self._next: Callable[[int], Hearer] | None = None
        self._words: Expected = NOTHING_EXPECTED
        self._changed = threading.Lock()
        self._deaf: tuple[float, float] = (0.0, 0.0)
        self._analysing = False
        self._hearer: Hearer | None = None
        self._expected: Expected = NOTHING_EXPECTED
        self._thread = threading.Thread(target=self._run, name="ears", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> None:
        """Ends the thread after the sound it has been given."""
        self._blocks.put("stop")
        if self._thread.is_alive():
            self._thread.join(timeout)

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    @property
    def listening(self) -> bool:
        """Whether sound is being analysed now."""
        return self._next is not None

    def attend(self, hearer: Callable[[int], Hearer] | None) -> None:
        """From now on sound goes to this hearer, made on the ears' thread for a rate; None: to nobody."""
        with self._changed:
            self._next = hearer
            self._hearer = None
            self._expected = NOTHING_EXPECTED
        if hearer is None:
            self._analyse(False)

    def hush(self, since: float, until: float) -> None:
        """The companion itself sounds from one moment to the other: what the microphone hears then is not
        listened to (half-duplex, so that no buzzer or voice is taken for a player)."""
        with self._changed:
            begun, end = self._deaf
            self._deaf = (min(begun, since), until) if since <= end else (since, until)

    def expect(
        self,
        words: tuple[str, ...],
        right: tuple[tuple[str, ...], ...] = (),
        learn: str = "",
        speaker: str = "",
    ) -> None:
        """The words that may come next, the calls that would be right, what to call an invented sound, and
        whose call it is."""
        with self._changed:
            self._words = (words, right, learn, speaker)

    def hear(self, samples: NDArray[np.int16], t: float, rate: int) -> None:
        """Takes one block of sound (on the microphone's thread)."""
        if self._next is not None:
            self._analyse(True)
            self._blocks.put((samples, t, rate))

    def cut(self) -> None:
        """The microphone went down: what was being said is ended."""
        self._analyse(False)
        self._blocks.put("cut")

    def _analyse(self, analysing: bool) -> None:
        if analysing is not self._analysing:
            self._analysing = analysing
            self._lit(analysing)

    def _run(self) -> None:
        begin(self._prepare)
        while (item := self._blocks.get()) != "stop":
            try:
                if item == "cut":
                    self._tell(self._hearer.flush() if self._hearer is not None else [])
                    self._hearer = None
                elif not isinstance(item, str):
                    self._listen(*item)
                    self._state.well()
            except Exception as error:  # one block must not end the hearing of the evening
                self._state.ill(error)

    def _listen(self, samples: NDArray[np.int16], t: float, rate: int) -> None:
        with self._changed:
            make, expected, deaf = self._next, self._words, self._deaf
        if make is None:
            return
        if self._hearer is None:
            self._hearer = make(rate)
            self._expected = NOTHING_EXPECTED
        if expected[0] and expected != self._expected:
            self._hearer.expect(*expected)
            self._expected = expected
        self._evidence.hear(samples, t, rate)
        self._tell(self._hearer.feed(_hushed(samples, t, rate, deaf), t))

    def _tell(self, heard: Iterable[Utterance | Listened]) -> None:
        for one in heard:
            self._submit(one)


def _hushed(samples: NDArray[np.int16], t: float, rate: int, deaf: tuple[float, float]) -> NDArray[np.int16]:
    """The samples with silence where the companion itself sounds."""
    first, last = (min(max(0, int((moment - t) * rate)), len(samples)) for moment in deaf)
    if first >= last:
        return samples
    quiet = samples.copy()
    quiet[first:last] = 0
    return quiet


def small_jpeg(image: Any) -> bytes:
    """A picture as the phones and the evidence need it: at most SMALL pixels wide."""
    import cv2

    width = image.shape[1]
    if width > SMALL:
        # Averaging over areas costs four times as much and shows no difference before half the size.
        how = cv2.INTER_AREA if width >= 2 * SMALL else cv2.INTER_LINEAR
        image = cv2.resize(image, None, fx=SMALL / width, fy=SMALL / width, interpolation=how)
    good, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    if not good:
        raise Unreadable("the picture could not be stored: it is empty")
    return bytes(jpeg.tobytes())


def _drop(pictures: queue.Queue[Any]) -> None:
    try:
        pictures.get_nowait()
    except queue.Empty:
        return

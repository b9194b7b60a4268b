"""Eyes and ears: what they pass on, what they drop, and that an error in them ends nothing."""

import itertools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from companion.core.errors import Unavailable, Unreadable
from companion.core.observations import Landing, Listened, Removal, SoundWeighed, Utterance, Watched
from companion.core.weighing import CallDue, WeighedCall
from companion.evidence.ring import Evidence
from companion.senses.ears import Ears
from companion.senses.eyes import Eyes
from companion.senses.hearers import KnownWords

PICTURE = np.zeros((4, 4, 3), np.uint8)
SOUND = np.zeros(320, np.int16)


class Seen:
    """What reaches the table."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.faults: list[str | None] = []
        self.changed = threading.Condition()

    def submit(self, item: Any) -> None:
        with self.changed:
            self.items.append(item)
            self.changed.notify_all()

    def fault(self, source: str, error: Exception | None) -> None:
        with self.changed:
            self.faults.append(None if error is None else f"{source}: {error}")
            self.changed.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(condition, timeout=60)


class Watcher:
    """Sees a card without a name in every picture; raises on pictures listed in `broken`."""

    def __init__(self, broken: Iterable[float] = (), gate: threading.Event | None = None) -> None:
        self.broken = set(broken)
        self.gate = gate
        self.pictures: list[float] = []
        self.expected: list[frozenset[str] | None] = []

    def expect(self, labels: frozenset[str] | None) -> None:
        self.expected.append(labels)

    def feed(self, image: Any, t: float) -> list[Landing | Removal | Watched]:
        if self.gate is not None:
            self.gate.wait(10)
        self.pictures.append(t)
        if t in self.broken:
            raise Unreadable("picture.empty", name="frame")
        return [Landing(t, "pile", None), Watched(t)]


class Hearer:
    """Hears a word at the end of every block."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self.words: list[tuple[str, ...]] = []
        self.flushed = 0
        self.repeats_left = 0
        self.broken = False

    def repeat_sound(self, times: int) -> None:
        self.repeats_left = times

    def feed(self, block: Any, t: float) -> list[Utterance | Listened]:
        return [Listened(t)]

    def expect(self, words: Iterable[str]) -> None:
        self.words.append(tuple(words))

    def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall:
        if self.broken:
            raise ValueError("no sound")
        return WeighedCall((), 0.7)

    def flush(self) -> list[Utterance | Listened]:
        self.flushed += 1
        return [Utterance((), 1.0, 2.0, 0.5)]


def evidence() -> Evidence:
    return Evidence(15.0, 4.0, 4, lambda image: b"jpeg")


def eyes(seen: Seen, lossless: bool = False) -> Eyes:
    return Eyes(seen.submit, evidence(), lambda image, what: "picture-1", seen.fault, lossless=lossless)


def test_what_lands_reaches_the_table_with_its_picture() -> None:
    seen = Seen()
    sight = eyes(seen)
    sight.start()
    sight.see(PICTURE, 1.0)
    sight.set_watcher(Watcher)
    sight.see(PICTURE, 2.0)
    seen.until(lambda: len(seen.items) == 2)
    assert seen.items == [Landing(2.0, "pile", None, "picture-1"), Watched(2.0)]
    sight.set_watcher(None)
    sight.see(PICTURE, 3.0)
    sight.stop()
    assert len(seen.items) == 2


class ClearingWatcher(Watcher):
    """Sees three cards being taken away at once, and another one that came."""

    def feed(self, image: Any, t: float) -> list[Landing | Removal | Watched]:
        removed = [Removal(t, "pile", None) for _ in range(3)]
        return [*removed, Landing(t, "pile", None), Watched(t)]


def test_cards_that_are_taken_away_together_share_a_picture() -> None:
    seen, kept = Seen(), itertools.count(1)
    sight = Eyes(seen.submit, evidence(), lambda image, what: f"picture-{next(kept)}", seen.fault)
    sight.set_watcher(ClearingWatcher)
    sight.start()
    sight.see(PICTURE, 2.0)
    seen.until(lambda: len(seen.items) == 5)
    sight.stop()
    assert [one.evidence for one in seen.items[:4]] == ["picture-1"] * 3 + ["picture-2"]


def test_pictures_that_nobody_has_time_for_are_dropped_oldest_first() -> None:
    seen, gate = Seen(), threading.Event()
    watcher = Watcher(gate=gate)
    sight = eyes(seen)
    sight.set_watcher(lambda: watcher)
    sight.start()
    for i in range(50):
        sight.see(PICTURE, float(i))
    gate.set()
    seen.until(lambda: Watched(49.0) in seen.items)
    sight.stop()
    assert len(watcher.pictures) <= 4
    assert watcher.pictures[-2:] == [48.0, 49.0]


def test_a_simulated_camera_waits_instead() -> None:
    seen = Seen()
    sight = eyes(seen, lossless=True)
    sight.set_watcher(Watcher)
    sight.start()
    for i in range(50):
        sight.see(PICTURE, float(i))
    seen.until(lambda: Watched(49.0) in seen.items)
    sight.stop()
    assert [item.t for item in seen.items if isinstance(item, Watched)] == [float(i) for i in range(50)]


def test_the_eyes_know_which_cards_may_come_next() -> None:
    seen, watcher = Seen(), Watcher()
    sight = eyes(seen, lossless=True)
    sight.set_watcher(lambda: watcher)
    sight.start()
    sight.see(PICTURE, 1.0)
    seen.until(lambda: Watched(1.0) in seen.items)
    sight.expect(frozenset({"gun"}))
    sight.see(PICTURE, 2.0)
    seen.until(lambda: Watched(2.0) in seen.items)
    sight.stop()
    assert watcher.expected == [None, frozenset({"gun"})]


def test_an_error_is_reported_once_until_it_works_again() -> None:
    seen = Seen()
    sight = eyes(seen, lossless=True)
    sight.set_watcher(lambda: Watcher(broken=(1.0, 2.0)))
    sight.start()
    for t in (0.0, 1.0, 2.0, 3.0):
        sight.see(PICTURE, t)
    seen.until(lambda: Watched(3.0) in seen.items and len(seen.faults) == 2)
    sight.stop()
    assert seen.faults == ["camera: frame: the file is empty; take the picture again", None]


def test_words_reach_the_hearer_before_the_sound_that_follows() -> None:
    seen, made = Seen(), []

    def make(rate: int) -> Hearer:
        made.append(Hearer(rate))
        return made[-1]

    ears = Ears(seen.submit, evidence(), seen.fault)
    ears.start()
    ears.hear(SOUND, 0.0, 16_000)
    ears.set_hearer(make)
    ears.expect(("one", "two"))
    assert ears.listening
    for i in range(3):
        ears.hear(SOUND, float(i), 16_000)
    ears.expect(("six",))
    ears.hear(SOUND, 3.0, 16_000)
    seen.until(lambda: Listened(3.0) in seen.items)
    assert seen.items[0] == Listened(0.0)
    assert made[0].rate == 16_000
    assert made[0].words[-1] == ("six",)
    ears.cut()
    seen.until(lambda: any(isinstance(item, Utterance) for item in seen.items))
    ears.hear(SOUND, 9.0, 16_000)
    seen.until(lambda: Listened(9.0) in seen.items)
    assert len(made) == 2
    assert made[1].words == [("six",)]
    ears.stop()


def test_a_sound_is_weighed_on_a_thread_of_its_own() -> None:
    seen, gate = Seen(), threading.Event()

    class Slow(Hearer):
        def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall:
            assert gate.wait(60)
            return super().weigh(utterance, due)

    ears = Ears(seen.submit, evidence(), seen.fault)
    ears.set_hearer(Slow)
    ears.start()
    ears.hear(SOUND, 0.0, 16_000)
    seen.until(lambda: Listened(0.0) in seen.items)
    said, due = Utterance((), 1.0, 2.0, 0.0, sound=1), CallDue((("one",),))
    assert ears.weigh(said, due) is None
    assert ears.weigh(said, due) is None, "asked again meanwhile"
    gate.set()
    seen.until(lambda: any(isinstance(one, SoundWeighed) for one in seen.items))
    later = replace(said, landing=3.0)
    assert ears.weigh(later, due) == WeighedCall((), 0.7), "a card that is reported meanwhile changes nothing"
    assert ears.weigh(said, CallDue((("two",),))) is None
    ears.stop()
    assert sum(isinstance(one, SoundWeighed) for one in seen.items) == 2
    assert not ears.alive


def test_words_that_the_model_does_not_know_are_not_asked_for() -> None:
    hearer = Hearer(16_000)
    ears = KnownWords(hearer, frozenset({"one", "two", "hmmrrr"}))
    ears.expect(("one", "pfft", "hmmrrr"))
    ears.expect(("moo",))
    assert hearer.words == [("one", "hmmrrr")]
    assert ears.feed(SOUND, 3.0) == [Listened(3.0)]
    assert len(ears.flush()) == 1


def test_without_a_game_that_listens_nothing_is_analysed_or_kept() -> None:
    seen = Seen()
    kept = evidence()
    ears = Ears(seen.submit, kept, seen.fault)
    ears.start()
    ears.hear(SOUND, 0.0, 16_000)
    ears.stop()
    assert not ears.listening
    assert seen.items == []
    assert kept.slice(None, 0.0).sounds == ()


def test_a_sound_is_to_be_made_again() -> None:
    seen, made = Seen(), [Hearer(16_000)]
    ears = Ears(seen.submit, evidence(), seen.fault)
    assert ears.repeats_left == 0
    ears.set_hearer(lambda rate: KnownWords(made[0], frozenset()))
    ears.repeat_sound(2)
    assert ears.repeats_left == 2, "as asked, until the ears' thread has taken it up"
    ears.start()
    ears.hear(SOUND, 0.0, 16_000)
    seen.until(lambda: Listened(0.0) in seen.items)
    assert made[0].repeats_left == 2
    made[0].repeats_left = 1
    assert ears.repeats_left == 1
    ears.stop()


@pytest.mark.parametrize("missing", [None, ImportError("no vosk"), Unavailable("speech.no_model")])
def test_what_the_ears_need_is_loaded_before_the_first_sound(missing: Exception | None) -> None:
    """Whether it is there or not: a game that needs it says so."""
    seen = Seen()
    steps: list[str] = []

    def prepare() -> None:
        steps.append("loaded")
        if missing is not None:
            raise missing

    def make(rate: int) -> Hearer:
        steps.append("made")
        return Hearer(rate)

    ears = Ears(seen.submit, evidence(), seen.fault, prepare=prepare)
    ears.set_hearer(make)
    ears.hear(SOUND, 0.0, 16_000)
    ears.start()
    seen.until(lambda: Listened(0.0) in seen.items)
    ears.stop()
    assert steps == ["loaded", "made"]
    assert seen.faults == []

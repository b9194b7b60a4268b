"""A table whose sounds are weighed in the background: what came later waits, and the order is kept."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.observations import LATEST_SOUND, SoundWeighed, Utterance
from companion.core.weighing import CallDue, WeighedCall, by_confidence

Bench = Any


class Background:
    """Weighs a sound once it is asked to finish. `lost` is the probability of the right call in all that was
    heard, without any utterance."""

    def __init__(self, bench: Bench, lost: float = 0.0) -> None:
        self._bench, self._lost = bench, lost
        self.wanted: list[tuple[Utterance, CallDue]] = []
        self._done: dict[tuple[Utterance, CallDue], WeighedCall] = {}

    def __call__(self, utterance: Utterance, due: CallDue) -> WeighedCall | None:
        asked = (replace(utterance, landing=None), due)
        if asked not in self._done and asked not in self.wanted:
            self.wanted.append(asked)
        return self._done.get(asked)

    def finish(self) -> None:
        assert self.wanted
        for utterance, due in self.wanted:
            whole = utterance.sound == LATEST_SOUND
            found = WeighedCall((), self._lost) if whole else by_confidence(utterance, due)
            self._done[utterance, due] = found
        self.wanted.clear()
        self._bench.put(SoundWeighed(self._bench.now))


@pytest.fixture
def background(bench: Bench) -> Background:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.up("camera", "microphone")
    bench.weigh = Background(bench)
    return bench.weigh


def test_a_card_after_the_call_waits_and_a_phone_does_not(bench: Bench, background: Background) -> None:
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(6.5).lands("gun", "pile")
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played"]
    assert bench.do("undo")["ok"], "a command without a time is not held up"
    background.finish()
    bench.passed()
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played", "undone", "card_played"]
    assert (bench.verdicts, bench.questions) == ([], []), "the call was about a card that is taken back"


def test_what_was_said_and_laid_is_judged_in_its_order(bench: Bench, background: Background) -> None:
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(5.5).says("one")
    bench.at(6.5).lands("racketeer", "pile")
    bench.at(7.0).says("three")
    assert bench.verdicts == []
    background.finish()
    assert bench.verdicts == ["correct"]
    background.finish()
    assert bench.verdicts == ["correct", "wrong_number"]
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played", "heard"] * 2
    assert bench.rejected == []


def test_a_call_heard_before_its_card_is_reported_is_weighed_then(
    bench: Bench, background: Background
) -> None:
    from companion.core.observations import Landing, Sighting

    corners = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
    landing = Landing(bench.now + 5.0, "pile", Sighting("racketeer", 0.9, corners))
    bench.at(5.3).says("one")
    assert background.wanted == [], "it is not known what lies there"
    bench.put(landing)
    bench.passed()
    assert bench.verdicts == []
    background.finish()
    assert bench.verdicts == ["correct"]


def test_nobody_is_too_late_before_all_that_was_heard_is_weighed(
    bench: Bench, background: Background
) -> None:
    bench.weigh = background = Background(bench, lost=0.4)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(9.0).passed()
    assert (bench.verdicts, bench.questions) == ([], [])
    background.finish()
    (question,) = bench.questions
    assert question["text"] == "I could not make out what Ida said. Was it right?"
    assert bench.verdicts == []


def test_who_said_nothing_is_too_late(bench: Bench, background: Background) -> None:
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(9.0).passed()
    background.finish()
    bench.passed()
    assert bench.verdicts == ["too_late"]


def test_the_next_card_waits_until_all_that_was_heard_is_weighed(bench: Bench) -> None:
    bench.begin("nasty_7", "Ida", "Jo", "Kai", deck_size=30)
    bench.up("camera", "microphone")
    bench.weigh = background = Background(bench, lost=0.4)
    bench.at(5.0).lands("racketeer", "pile")
    bench.at(6.5).lands("racketeer", "pile")
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played"]
    background.finish()
    assert bench.verdicts == ["correct"]
    assert [entry["event"]["event"] for entry in bench.log] == ["card_played", "heard", "card_played"]

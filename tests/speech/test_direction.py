"""Directions of sounds at an array, the seats learned from them, and what they say about who spoke."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from array_sounds import RADIUS_M, RATE, as_samples, at_array, voice_like

from companion.core.errors import UsageError
from companion.core.observations import HeardWord, Utterance
from companion.core.weighing import CallDue, Span, WeighedCall
from companion.speech.audio.wav import read_wav
from companion.speech.direction.array_recorder import LATEST_S, ArrayRecorder
from companion.speech.direction.arrival import ArrivalFinder
from companion.speech.direction.seats import MIN_SPREAD_DEG, SeatDirection, SeatModel, Seats, between, seat_of
from companion.speech.direction.witness import SeatWitness
from companion.speech.model.models import find_model
from companion.speech.recognition.by_speaker import MOST_WINDOWS, by_speaker, windows
from companion.speech.recognition.kept_sounds import KeptSound
from companion.speech.recognition.recogniser import Listener

FINDER = ArrivalFinder(4, RADIUS_M, RATE)
BLOCK = 960


@pytest.mark.parametrize("degrees", [0, 17, 90, 133, 201, 275, 358])
def test_the_direction_of_a_voice_is_found(degrees: float) -> None:
    rng = np.random.default_rng(degrees)
    sound = at_array(voice_like(rng, 0.5), degrees)
    found = FINDER.find(as_samples(sound + rng.normal(0, 20, sound.shape)))
    assert found is not None
    assert abs(between(found.degrees, degrees)) < 4.0


def test_the_louder_of_two_voices_is_found() -> None:
    rng = np.random.default_rng(5)
    call = at_array(voice_like(rng, 0.5), 40.0)
    television = at_array(voice_like(rng, 0.5, 3000.0 * 10 ** (-5 / 20)), 220.0)
    found = FINDER.find(as_samples(call + television))
    assert found is not None
    assert abs(between(found.degrees, 40.0)) < 10.0


def test_six_microphones_on_a_larger_circle() -> None:
    rng = np.random.default_rng(6)
    finder = ArrivalFinder(6, RADIUS_M, RATE)
    found = finder.find(as_samples(at_array(voice_like(rng, 0.5), 77.0, microphones=6)))
    assert found is not None
    assert abs(between(found.degrees, 77.0)) < 4.0


def test_silence_and_a_click_have_no_direction() -> None:
    assert FINDER.find(np.zeros((4000, 4), np.int16)) is None
    assert FINDER.find(np.ones((100, 4), np.int16)) is None


def recorded(recorder: ArrayRecorder, sound: np.ndarray, start: float) -> None:
    for at in range(0, len(sound) - BLOCK + 1, BLOCK):
        recorder.hear(sound[at : at + BLOCK], RADIUS_M, start + at / RATE, RATE)


def test_the_direction_is_that_of_the_stretch_that_is_asked_about() -> None:
    rng = np.random.default_rng(8)
    parts = [at_array(voice_like(rng, 0.6), degrees) for degrees in (30.0, 120.0, 250.0)]
    recorder = ArrayRecorder()
    assert recorder.arrival(0.0, 1.0) is None
    recorded(recorder, as_samples(np.concatenate(parts)), 100.0)
    found = [recorder.arrival(100.05 + 0.6 * k, 100.55 + 0.6 * k) for k in range(3)]
    assert [one is not None and abs(between(one.degrees, wanted)) < 5.0
            for one, wanted in zip(found, (30.0, 120.0, 250.0), strict=True)] == [True] * 3  # fmt: skip
    assert recorder.arrival(90.0, 99.0) is None


def test_old_sound_and_that_of_an_unplugged_array_is_dropped() -> None:
    recorder = ArrayRecorder()
    recorded(recorder, np.ones((RATE * 20, 4), np.int16), 0.0)
    assert recorder.arrival(1.0, 20.0 - LATEST_S - 1.0) is None
    recorder.went_down()
    assert not recorder.has_array


def test_a_seat_is_the_mean_of_directions_on_the_circle() -> None:
    found = seat_of([355.0, 5.0, 357.0, 3.0])
    assert found is not None
    assert abs(between(found.degrees, 0.0)) < 0.2
    assert found.spread == MIN_SPREAD_DEG
    assert seat_of([0.0, 90.0, 180.0]) is None
    assert seat_of([]) is None


SEATS = {"Ida": SeatDirection(0.0, 10.0), "Jo": SeatDirection(90.0, 10.0), "Kai": SeatDirection(180.0, 10.0)}


def test_a_call_from_the_callers_seat_is_likelier_and_one_from_elsewhere_less_likely() -> None:
    model = SeatModel()
    own, elsewhere = model.log_ratio(4.0, "Ida", SEATS), model.log_ratio(270.0, "Ida", SEATS)
    neighbour = model.log_ratio(90.0, "Ida", SEATS)
    assert own > 0.5
    assert elsewhere < -2.0
    assert neighbour < elsewhere


def test_nothing_known_about_the_seat_says_nothing(tmp_path: Path) -> None:
    assert SeatModel().log_ratio(12.0, "Lea", SEATS) == 0.0
    rng = np.random.default_rng(9)
    recorder, seats = ArrayRecorder(), Seats(tmp_path)
    witness = SeatWitness(recorder, seats, ("Ida", "Jo"))
    seats.keep("Ida", SeatDirection(30.0, 10.0))
    assert witness.log_ratios("Ida", [(0.0, 0.5)]) == [0.0]  # no array
    recorded(recorder, as_samples(at_array(voice_like(rng, 0.6), 30.0)), 0.0)
    assert witness.log_ratios("Jo", [(0.0, 0.5)]) == [0.0]  # no seat
    assert witness.log_ratios("Ida", [(0.0, 0.5)])[0] > 0.5
    seats.keep("Ida", SeatDirection(200.0, 10.0))
    assert witness.log_ratios("Ida", [(0.0, 0.5)])[0] < -2.0
    assert witness.log_ratios("Ida", []) == []


def test_seats_are_kept_and_forgotten(tmp_path: Path) -> None:
    seats = Seats(tmp_path / "voices")
    seats.keep("Ida", SeatDirection(30.0, 10.0))
    seats.keep("Jo", SeatDirection(90.0, 10.0))
    assert Seats(tmp_path / "voices").all_of(["Jo", "Kai"]) == {"Jo": SeatDirection(90.0, 10.0)}
    seats.forget("Jo")
    assert list(seats.known()) == ["Ida"]
    with pytest.raises(UsageError, match="the seat of Jo is not known"):
        seats.forget("Jo")


def test_a_damaged_file_means_no_seats(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "seats.json").write_text("{", encoding="utf-8")
    assert Seats(tmp_path).known() == {}
    assert "the seats are not used" in caplog.text


def test_what_is_known_about_the_speaker_is_one_likelihood_in_the_probabilities() -> None:
    word = (HeardWord("two", 0.0, 0.3, 1.0),)
    weighed = WeighedCall(word, 0.6, 0.2)
    assert weighed.with_speaker(0.0, 0.0) == weighed
    other = weighed.with_speaker(math.log(0.1), math.log(0.1))
    assert other.right == pytest.approx(0.06 / (0.06 + 0.02 + 0.2))
    assert other.wrong / other.right == pytest.approx(1.0 / 3.0)
    assert weighed.with_speaker(math.log(4.0), 0.0).right == pytest.approx(2.4 / (2.4 + 0.2 + 0.2))


def test_a_call_that_did_not_come_from_the_caller_is_no_call() -> None:
    samples = read_wav("models/demo/calls/ada/seven.wav")
    asked: list[tuple[str, list[Span]]] = []

    def weighed(log_ratio: float, right: str) -> WeighedCall:
        def witness(player: str, spans: Sequence[Span]) -> list[float]:
            asked.append((player, list(spans)))
            return [log_ratio] * len(spans)

        listener = Listener(find_model("en"), ["five", "six", "seven"], witness=witness)
        heard = listener.feed(samples, 100.0) + listener.flush()
        utterance = next(one for one in heard if isinstance(one, Utterance))
        return listener.weigh(utterance, CallDue(((right,),), speaker="Ida"))

    unknown, elsewhere = weighed(0.0, "seven"), weighed(-6.0, "seven")
    assert unknown.said == elsewhere.said == ("seven",)
    odds = [(one.right + one.wrong) / (1.0 - one.right - one.wrong) for one in (unknown, elsewhere)]
    assert odds[1] / odds[0] == pytest.approx(math.exp(-6.0))
    assert [(player, len(spans)) for player, spans in asked] == [("Ida", 1), ("Ida", 1)]
    assert all(0.1 < spans[0][1] - spans[0][0] < 1.0 for _, spans in asked)
    accused, ignored = weighed(0.0, "six"), weighed(-6.0, "six")
    assert accused.said == ("seven",)
    assert accused.wrong > 0.9
    assert ignored.right + ignored.wrong < 0.5, "it raises no question"
    assert len(asked[-1][1]) > 1


def test_a_right_call_beside_other_words_is_looked_for_in_the_whole_sound() -> None:
    sound = KeptSound(1, np.zeros(RATE * 2, np.int16), RATE, 50.0, -60.0)
    spans = windows(sound)
    assert spans[0] == (50.0, 50.5)
    assert spans[-1] == (51.5, 52.0)
    assert len(windows(KeptSound(1, np.zeros(RATE * 9, np.int16), RATE, 50.0, -60.0))) == MOST_WINDOWS
    assert windows(KeptSound(1, np.zeros(RATE // 5, np.int16), RATE, 50.0, -60.0)) == [(50.0, 50.2)]
    found = WeighedCall((HeardWord("two", 50.1, 50.4, 1.0),), 0.4, 0.5)

    def call_at_the_end(player: str, spans: Sequence[Span]) -> list[float]:
        return [1.5 if begin >= 51.4 else -4.0 for begin, _ in spans]

    heard = by_speaker(found, sound, CallDue((("six",),), speaker="Ida"), call_at_the_end)
    assert heard.wrong < 0.05
    assert heard.right > 0.35
    assert heard.said == ("six",)
    assert 51.4 <= heard.words[0].start < heard.words[0].end <= 52.0
    elsewhere = by_speaker(found, sound, CallDue((("six",),), speaker="Ida"), lambda _, of: [-4.0] * len(of))
    assert elsewhere.said == ("two",)
    assert elsewhere.right == pytest.approx(0.4 * 0.31 / (0.4 * 0.31 + 0.1 + 0.5 * math.exp(-4.0)), abs=0.02)
    assert elsewhere.wrong < 0.1
    assert by_speaker(found, sound, CallDue((("six",),)), call_at_the_end) == found


def test_the_direction_makes_no_wrong_call_more_probable() -> None:
    sound = KeptSound(1, np.zeros(RATE, np.int16), RATE, 50.0, -60.0)
    found = WeighedCall((HeardWord("two", 50.1, 50.4, 1.0),), 0.05, 0.8)
    heard = by_speaker(found, sound, CallDue((("six",),), speaker="Ida"), lambda _, of: [1.8] * len(of))
    assert (heard.said, heard.wrong) == (("two",), 0.8)


def test_words_of_others_are_no_part_of_the_call() -> None:
    sound = KeptSound(1, np.zeros(RATE * 2, np.int16), RATE, 50.0, -60.0)
    said = [("seven", 50.0), ("two", 50.4), ("six", 50.8), ("seven", 51.2)]
    found = WeighedCall(tuple(HeardWord(word, at, at + 0.3, 1.0) for word, at in said), 0.9, 0.05)
    due = CallDue((("six", "seven"),), speaker="Ida")

    def two_last(player: str, spans: Sequence[Span]) -> list[float]:
        return [1.5 if begin >= 50.7 else -3.0 for begin, _ in spans]

    heard = by_speaker(found, sound, due, two_last)
    assert heard.said == ("six", "seven")
    assert heard.right > 0.85


def test_a_television_beside_the_callers_seat_is_learned_from_the_sound_before_the_call(
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(12)
    recorder, seats = ArrayRecorder(), Seats(tmp_path)
    seats.keep("Ida", SeatDirection(60.0, 8.0))
    television = at_array(voice_like(rng, 8.0), 28.0)
    call = at_array(voice_like(rng, 0.6), 60.0)
    recorded(recorder, as_samples(np.concatenate([television, call, television[: RATE // 2]])), 0.0)
    alone = SeatModel().log_ratio(28.0, "Ida", seats.known())
    ratios = SeatWitness(recorder, seats, ("Ida",)).log_ratios("Ida", [(8.0, 8.6), (8.65, 9.05)])
    assert ratios[0] > 1.0
    assert ratios[1] < alone - 1.0

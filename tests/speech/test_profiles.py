"""A player's own voice: learnt, proven or refused, kept as features, and heard by the judge."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from voice_takes import take, track

from companion.core.errors import Unreadable, UsageError
from companion.core.observations import Utterance
from companion.core.weighing import CallDue
from companion.speech.audio.levels import is_clear
from companion.speech.model import grammar, models
from companion.speech.recognition import verdict
from companion.speech.recognition.recogniser import Listener
from companion.speech.voices import profiles

WORDS = ("one", "five", "seven")


def said(word: str, pace: float = 1.0, voice: str = "ada", seed: int = 0) -> NDArray[np.int16]:
    """A word at another pace and in a little noise: no take is like the other."""
    samples = take(voice, word).astype(np.float64)
    at = np.arange(0, samples.size - 1, pace)
    noise = np.random.default_rng(seed).normal(size=at.size) * 30
    spoken = np.interp(at, np.arange(samples.size), samples) + noise
    result: NDArray[np.int16] = np.clip(spoken, -32768, 32767).astype(np.int16)
    return result


@pytest.fixture(scope="module")
def ada() -> profiles.VoiceProfile:
    takes = [(word, said(word, pace, seed=i)) for word in WORDS for i, pace in enumerate((0.94, 1.0, 1.06))]
    return profiles.learn("Ada", takes)


def test_examples_that_know_each_other_again_help(ada: profiles.VoiceProfile) -> None:
    proof = ada.check()
    assert (proof.right, proof.of, proof.helps) == (9, 9, True)
    assert str(proof.message) == "9 of 9 are known again: it helps"


def test_words_that_are_mixed_up_are_refused(tmp_path: Path) -> None:
    muddled = profiles.learn(
        "Ada", [(word, said("five", pace)) for word in ("one", "five") for pace in (0.95, 1.0)]
    )
    proof = muddled.check()
    assert not proof.helps
    assert proof.right < proof.of
    assert "too few to help" in str(proof.message)
    voices = profiles.VoiceProfiles(tmp_path / "voices")
    with pytest.raises(UsageError, match="too few to help"):
        voices.keep(muddled)
    assert voices.players() == []


def test_one_example_of_a_word_proves_nothing() -> None:
    thin = profiles.learn("Ada", [("one", said("one")), ("five", said("five")), ("five", said("five", 1.05))])
    assert not thin.check().helps
    assert str(thin.check().message) == "one was heard less than twice: say it again"
    assert profiles.learn("Ada", [("one", np.zeros(16000, np.int16))]).examples == {}
    with pytest.raises(UsageError, match="name the player"):
        profiles.learn(" ", [])


def test_what_the_examples_say(ada: profiles.VoiceProfile) -> None:
    five = said("five", 0.97, seed=9)
    assert ada.shift("five", five) > 1.0
    assert ada.shift("one", five) < -1.0
    assert abs(ada.shift("one", five)) <= profiles.MAX_SHIFT
    assert ada.shift("two", five) == 0.0  # was not taught
    assert ada.shift("five", np.zeros(8000, np.int16)) == 0.0
    assert ada.second_opinion()(("five", "one"), (five, five)) == ada.shift("one", five)


def test_a_voice_is_kept_without_its_sound_and_can_be_forgotten(
    ada: profiles.VoiceProfile, tmp_path: Path
) -> None:
    voices = profiles.VoiceProfiles(tmp_path / "voices")
    assert voices.of("Ada") is None
    voices.keep(ada)
    kept = voices.of("Ada")
    assert kept is not None
    assert voices.players() == ["Ada"]
    five = said("five", 0.97, seed=9)
    assert kept.shift("one", five) == pytest.approx(ada.shift("one", five))
    files = list((tmp_path / "voices").iterdir())
    assert len(files) == 1
    assert files[0].stat().st_size < 30_000
    voices.forget("Ada")
    assert voices.players() == []
    with pytest.raises(UsageError, match="no voice of 'Ada'"):
        voices.forget("Ada")


def test_a_broken_file_is_told(ada: profiles.VoiceProfile, tmp_path: Path) -> None:
    voices = profiles.VoiceProfiles(tmp_path)
    voices.keep(ada)
    file = next(tmp_path.iterdir())
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(Unreadable, match="delete it and teach it again"):
        voices.of("Ada")
    assert voices.players() == []


def test_the_judge_takes_the_voice_into_account(
    ada: profiles.VoiceProfile, english: Path, opened: Any
) -> None:
    known = models.vocabulary(english)
    tongue = grammar.language("en")
    words, competing = (
        grammar.with_competing_words(tongue.calls(), known, tongue),
        grammar.competing_words(tongue.calls(), known),
    )

    def right(call: str, second: profiles.SecondOpinion | None) -> float:
        sound = track(1.5, [(0.5, said("five", 0.97, seed=9))])
        return verdict.score_call(
            sound, opened, words, competing, [(call,)], prior=0.5, opinion=second
        ).probability

    assert right("five", ada.second_opinion()) > right("five", None)
    assert right("one", ada.second_opinion()) < right("one", None)


def test_only_the_one_who_is_to_call_is_judged_by_their_voice(
    ada: profiles.VoiceProfile, english: Path, opened: Any, tmp_path: Path
) -> None:
    voices = profiles.VoiceProfiles(tmp_path)
    voices.keep(ada)
    (tmp_path / "other.npz").write_bytes(b"nothing")
    kept = voices.all_of(["Ada", "Ben"])
    assert list(kept) == ["Ada"]
    sound = track(2.5, [(0.8, said("five", 0.97, seed=9))])

    def confidence(speaker: str) -> float:
        ear = Listener(english, grammar.language("en").calls(), opened=opened, prior=0.5, voices=kept)
        heard = [*ear.feed(sound, 0.0), *ear.flush()]
        said = next(one for one in heard if isinstance(one, Utterance))
        return ear.weigh(said, CallDue((("five",),), speaker=speaker)).right

    alone = confidence("")
    assert confidence("Ben") == alone
    assert confidence("Ada") > alone


def test_in_noise_nobody_is_judged_by_their_voice() -> None:
    levels = np.full(100, -70.0, np.float32)
    levels[40:60] = -20.0
    word = [(0.4, 0.6)]
    assert is_clear(levels, word)
    assert not is_clear(np.maximum(levels, -30.0), word)
    assert not is_clear(levels[38:62], [(0.02, 0.22)])  # nothing of the room
    assert not is_clear(levels, [])

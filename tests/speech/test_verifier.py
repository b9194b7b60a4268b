"""The network that looks at words as a whole: on the project's own voices, and on made-up probabilities."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from voice_takes import take

from companion.core.errors import Unavailable
from companion.core.observations import HeardWord
from companion.speech.audio.levels import frame_levels, frames_above_background
from companion.speech.model import models, verifier
from companion.speech.model.verifier import Verifier, WordPosteriors
from companion.speech.recognition import verdict
from companion.speech.recognition.confirm import confirmed
from companion.speech.recognition.decoder import Decoding

NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")


@pytest.fixture(scope="module")
def english_verifier() -> Verifier:
    found = verifier.find_verifier(models.find_model("en"))
    assert found is not None
    return found


def looks(*columns: tuple[str, float, float], step: float = 0.04, seconds: float = 2.0) -> WordPosteriors:
    """Made up: (word, time, chance) rows; nothing is said elsewhere."""
    times = np.arange(0.0, seconds, step)
    probabilities = np.zeros((times.size, len(NUMBERS) + 1), np.float32)
    for word, time, chance in columns:
        probabilities[np.abs(times - time).argmin(), NUMBERS.index(word) + 1] = chance
    probabilities[:, 0] = 1.0 - probabilities[:, 1:].sum(axis=1)
    return WordPosteriors(NUMBERS, times, probabilities)


def test_spectra_of_a_tone_lie_in_its_band() -> None:
    hertz = (verifier.filters() * np.arange(257)[:, None] * 31.25).sum(axis=0) / verifier.filters().sum(
        axis=0
    )
    for band in (3, 14, 27):
        tone = 3000 * np.sin(2 * np.pi * hertz[band] * np.arange(8000) / 16000)
        found = verifier.spectra(np.rint(tone).astype(np.int16))
        assert found.shape == (1 + (8000 - 512) // 160, 32)
        assert (found.argmax(axis=1) == band).all()
        assert found.min() >= -8.0


def test_twice_as_loud_is_six_decibels() -> None:
    noise = np.random.default_rng(3).normal(0, 1000, 4000)
    soft, loud = (verifier.spectra(np.rint(k * noise).astype(np.int16)) for k in (1, 2))
    assert np.abs(loud - soft - np.log10(4)).max() < 0.01


@pytest.mark.parametrize("voice", ["ada", "ben", "cleo"])
@pytest.mark.parametrize("word", ["one", "two", "three", "four", "five", "six", "seven"])
def test_every_number_of_our_voices_is_seen(english_verifier: Verifier, voice: str, word: str) -> None:
    sound = take(voice, word)
    seen = english_verifier.posteriors(sound)
    (span,) = seen.places((word,))
    others = [seen.log_odds((other,), seen.places((other,))) for other in NUMBERS if other != word]
    assert seen.log_odds((word,), [span]) > max(others)
    loud = np.flatnonzero(frame_levels(sound) > frame_levels(sound).max() - 25) * 0.01
    assert loud.min() - 0.1 < sum(span) / 2 < loud.max() + 0.1


def test_a_long_piece_is_seen_as_its_parts_are(english_verifier: Verifier) -> None:
    """Passes over a long piece overlap so that their seams cannot be seen."""
    gap = np.zeros(16000 * 3, np.int16)
    alone = english_verifier.posteriors(np.concatenate([gap, take("ada", "five"), gap]))
    shifted = english_verifier.posteriors(np.concatenate([gap, gap[:5120], take("ada", "five"), gap]))
    for seen, more in ((alone, 0.0), (shifted, 0.32)):
        ((start, end),) = seen.places(("five",))
        assert (start + end) / 2 == pytest.approx(3.0 + more + take("ada", "five").size / 32000, abs=0.3)
    best = [seen.probabilities[:, seen.words.index("five") + 1].max() for seen in (alone, shifted)]
    assert best[0] == pytest.approx(best[1], abs=0.05)


def test_room_alone_is_not_looked_at(english_verifier: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, word = np.random.default_rng(4), take("ada", "five")
    sound = np.rint(rng.normal(0, 30, 16000 * 6)).astype(np.int16)
    sound[48000 : 48000 + word.size] += word
    passes: list[int] = []
    whole = english_verifier._pass
    monkeypatch.setattr(english_verifier, "_pass", lambda bands: (passes.append(1), whole(bands))[1])
    seen = english_verifier.posteriors(sound)
    assert 1 <= len(passes) <= 2
    ((start, end),) = seen.places(("five",))
    assert 3.0 < (start + end) / 2 < 3.0 + word.size / 16000
    assert (seen.probabilities[(seen.times < 2.0) | (seen.times > 5.0), 0] == 1.0).all()


@pytest.mark.parametrize("seed", range(5))
def test_passes_give_every_wanted_output_whole(seed: int) -> None:
    wanted = np.random.default_rng(seed).random(200) < 0.08
    given = np.zeros(200 + verifier.OUTPUTS_PER_PASS, bool)
    for first in verifier._passes(wanted):
        given[
            first + (verifier.EDGE_OUTPUTS if first else 0) : first
            + verifier.OUTPUTS_PER_PASS
            - verifier.EDGE_OUTPUTS
        ] = True
    assert given[:200][wanted].all()


def test_moments_that_stand_out_of_the_room() -> None:
    standing = frames_above_background(loud_at((1.0, 1.2), (3.0, 3.4), seconds=5.0))
    at = np.flatnonzero(standing) * 0.01
    assert standing.size == 500
    assert standing[102:118].all()
    assert standing[302:338].all()
    assert (((at > 0.95) & (at < 1.25)) | ((at > 2.95) & (at < 3.45))).all()
    assert frames_above_background(loud_at(seconds=0.5)).all()  # too short to know the room


def test_another_sample_rate_sees_the_same(english_verifier: Verifier) -> None:
    sound = take("ada", "six")
    tripled = np.interp(np.arange(sound.size * 3) / 3, np.arange(sound.size), sound).astype(np.int16)
    seen = english_verifier.posteriors(tripled, 48000)
    assert seen.probability("six", *seen.places(("six",))[0]) > 0.5


def test_silence_and_almost_nothing(english_verifier: Verifier) -> None:
    for size in (0, 1, 4000):
        seen = english_verifier.posteriors(np.zeros(size, np.int16))
        assert seen.probabilities.shape == (seen.times.size, len(seen.words) + 1)
        assert np.allclose(seen.probabilities.sum(axis=1), 1.0, atol=1e-4)
        assert list(seen.peaks(NUMBERS, 0.5)) == []


def test_a_folder_without_one_and_a_broken_one(tmp_path: Path) -> None:
    assert verifier.find_verifier(tmp_path) is None
    shutil.copy(models.find_model("en") / verifier.WORDS_FILE, tmp_path)
    (tmp_path / verifier.NETWORK_FILE).write_bytes(b"no network")
    with pytest.raises(Unavailable, match="install the speech model again"):
        Verifier(tmp_path)


def test_a_list_of_words_that_is_not_the_networks(tmp_path: Path) -> None:
    for name in (verifier.NETWORK_FILE, verifier.WORDS_FILE):
        shutil.copy(models.find_model("en") / name, tmp_path)
    (tmp_path / verifier.WORDS_FILE).write_text("one two three", encoding="utf-8")
    with pytest.raises(Unavailable, match="no network for the words"):
        Verifier(tmp_path)


def test_two_words_are_placed_one_after_the_other() -> None:
    seen = looks(("two", 0.4, 0.9), ("three", 0.8, 0.9), ("three", 0.2, 0.8))
    (first, second) = seen.places(("two", "three"))
    assert (sum(first) / 2, sum(second) / 2) == (pytest.approx(0.4), pytest.approx(0.8))
    back = seen.places(("three", "two"))
    assert [sum(span) / 2 for span in back] == [pytest.approx(0.2), pytest.approx(0.4)]
    assert seen.places(("two", "pfft")) == []
    assert looks(seconds=0.1).places(("two", "three")) == []


def test_the_word_that_speaks_most_against_a_call_decides() -> None:
    seen = looks(("two", 0.4, 0.9), ("three", 0.8, 0.2), ("four", 0.8, 0.7))
    assert seen.log_odds(("two",), [(0.3, 0.5)]) > 1.0
    assert seen.log_odds(("two", "three"), [(0.3, 0.5), (0.7, 0.9)]) < -1.0
    assert seen.log_odds(("two", "four"), [(0.3, 0.5), (0.7, 0.9)]) > 1.0
    assert seen.log_odds(("pfft",), [(0.3, 0.5)]) == 0.0


def loud_at(*spans: tuple[float, float], seconds: float = 2.0) -> NDArray[np.float32]:
    """Levels of a calm room with something loud in it."""
    rng = np.random.default_rng(5)
    sound = rng.normal(0, 20, int(seconds * 16000))
    for start, end in spans:
        sound[int(start * 16000) : int(end * 16000)] = rng.normal(
            0, 4000, int(end * 16000) - int(start * 16000)
        )
    return frame_levels(np.rint(sound).astype(np.int16))


def test_words_are_refused_renamed_and_added() -> None:
    levels = loud_at((0.3, 0.5), (0.7, 0.9), (1.3, 1.5))
    heard = [HeardWord("two", 0.3, 0.5, 0.9), HeardWord("six", 0.7, 0.9, 0.9)]
    kept = confirmed(heard, looks(("two", 0.4, 0.4), ("six", 0.8, 0.3)), NUMBERS, levels)
    assert kept == tuple(heard)
    kept = confirmed(heard, looks(("two", 0.4, 0.4)), NUMBERS, levels)
    assert [word.word for word in kept] == ["two"]
    kept = confirmed(heard, looks(("two", 0.4, 0.4), ("seven", 0.8, 0.7)), NUMBERS, levels)
    assert [(word.word, word.start) for word in kept] == [("two", 0.3), ("seven", 0.7)]
    assert kept[1].confidence == pytest.approx(0.7)
    kept = confirmed(heard, looks(("two", 0.4, 0.4), ("six", 0.8, 0.3), ("one", 1.4, 0.9)), NUMBERS, levels)
    assert [word.word for word in kept] == ["two", "six", "one"]
    assert kept[2].start == pytest.approx(1.3, abs=0.06)


def test_a_word_is_renamed_where_another_one_is_twice_as_likely() -> None:
    levels = loud_at((0.3, 0.5))
    heard = [HeardWord("two", 0.3, 0.5, 0.9)]

    def told(two: float, six: float) -> list[str]:
        seen = looks(("two", 0.4, two), ("six", 0.4, six))
        return [word.word for word in confirmed(heard, seen, NUMBERS, levels)]

    assert told(two=0.2, six=0.45) == ["six"]
    assert told(two=0.3, six=0.45) == ["two"]
    assert told(two=0.1, six=0.35) == ["two"]


def test_two_words_that_run_together_are_told_though_vosk_took_them_for_one() -> None:
    levels = loud_at((0.3, 1.0))
    heard = [HeardWord("seven", 0.3, 1.0, 0.9)]

    def told(*columns: tuple[str, float, float]) -> list[str]:
        return [word.word for word in confirmed(heard, looks(*columns), NUMBERS, levels)]

    assert told(("seven", 0.5, 0.9), ("three", 0.8, 0.8)) == ["seven", "three"]
    assert told(("seven", 0.6, 0.9), ("three", 0.8, 0.8)) == ["seven"], "nearer than two centres can lie"
    assert told(("seven", 0.5, 0.3), ("three", 0.8, 0.7)) == ["three"]
    assert told(("seven", 0.5, 0.45), ("three", 0.8, 0.6)) == ["seven"], "which of the two is open"


def test_a_centre_is_sought_within_its_word() -> None:
    seen = looks(("two", 0.4, 0.3), ("two", 0.8, 0.6), ("two", 1.6, 0.9))
    assert seen.centre("two", 0.3, 0.9) == (pytest.approx(0.8), pytest.approx(0.6))
    assert seen.centre("moo", 0.3, 0.9) == (pytest.approx(0.6), 0.0)


def test_nothing_is_added_that_is_not_asked_for_or_no_louder_than_the_room() -> None:
    seen = looks(("one", 1.4, 0.9))
    assert confirmed([], seen, ("two",), loud_at((1.3, 1.5))) == ()
    assert confirmed([], seen, NUMBERS, loud_at()) == ()
    assert [word.word for word in confirmed([], seen, NUMBERS, loud_at((1.3, 1.5)))] == ["one"]


FIVE = HeardWord("five", 0.1, 0.4, 1.0)


def test_the_verifier_moves_the_judge_both_ways() -> None:
    mine, other = Decoding(100.0, (FIVE,)), Decoding(99.0, (HeardWord("nine", 0.1, 0.4, 1.0),))
    without = verdict.combined_score(mine, True, other, 0.5)
    for margin in (-3.0, 3.0):
        found = verdict.combined_score(mine, True, other, 0.5, 0.0, verdict.VerifierEvidence(margin, (FIVE,)))
        assert (found.probability > without.probability) is (margin > 0)
        assert found.fits is (margin > 0)
        assert (found.found, found.verifier_log_odds) == (True, margin)


def test_what_vosk_misses_may_be_seen() -> None:
    nothing = Decoding(100.0, ())
    seen = verdict.combined_score(nothing, False, nothing, 0.9, 0.0, verdict.VerifierEvidence(2.0, (FIVE,)))
    assert seen.fits
    assert [word.word for word in seen.words] == ["five"]
    assert seen.probability > 0.9
    unseen = verdict.combined_score(
        nothing, False, nothing, 0.9, 0.0, verdict.VerifierEvidence(-2.0, (FIVE,))
    )
    assert not unseen.fits
    assert unseen.words == ()

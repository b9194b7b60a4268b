"""Makes the hearer of a game's calls: the speech model of its language with the players' trained voices."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.active_game import ActiveGame
from companion.core.observations import Listened, Utterance
from companion.core.weighing import CallDue, WeighedCall
from companion.senses.ears import Hearer
from companion.speech.direction.array_recorder import ArrayRecorder
from companion.speech.model.grammar import language

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.speech.recognition.invented import InventedSounds


class KnownWords:
    """A hearer that is never given a word that its model does not know: players judge invented sounds."""

    def __init__(self, hearer: Hearer, known: frozenset[str]) -> None:
        self._hearer = hearer
        self._known = known

    def feed(self, block: NDArray[np.int16], t: float) -> list[Utterance | Listened]:
        """See Hearer."""
        return self._hearer.feed(block, t)

    def expect(self, words: Iterable[str]) -> None:
        """See Hearer; if the model knows none of the words, the expectation does not change."""
        known = [word for word in words if word in self._known]
        if known:
            self._hearer.expect(known)

    def weigh(self, utterance: Utterance, due: CallDue) -> WeighedCall:
        """See Hearer."""
        return self._hearer.weigh(utterance, due)

    def repeat_sound(self, times: int) -> None:
        """See Hearer."""
        self._hearer.repeat_sound(times)

    @property
    def repeats_left(self) -> int:
        """See Hearer."""
        return self._hearer.repeats_left

    def flush(self) -> list[Utterance | Listened]:
        """See Hearer."""
        return self._hearer.flush()


class HearerFactory:
    """Makes hearers on the ears' thread.

    Args:
        model: name or folder of a configured speech model; "": the companion's own.
        models: folder of added models.
        voices: folder of trained voices.
        prior: see companion.speech.recognition.verdict.
        array: the latest sound of the single microphones of an array.
    """

    def __init__(self, model: str, models: Path, voices: Path, prior: float, array: ArrayRecorder) -> None:
        self._model = model
        self._models = models
        self._voices = voices
        self._prior = prior
        self._array = array

    def sounds(self) -> InventedSounds:
        """The invented sounds of a new game: none yet."""
        from companion.speech.recognition.invented import InventedSounds

        return InventedSounds(self._prior)

    def make(self, game: ActiveGame, rate: int, sounds: InventedSounds) -> Hearer:
        """A hearer for a game's calls.

        Args:
            rate: samples a second of its sound.
            sounds: holds the sounds that the players invented, also for the next hearer of the same game:
                there is a new one after the microphone was unplugged.

        Raises:
            Unavailable: there is no speech model for the language.
        """
        from companion.speech.direction.seats import Seats
        from companion.speech.direction.witness import SeatWitness
        from companion.speech.model import models
        from companion.speech.recognition.recogniser import Listener
        from companion.speech.voices.profiles import VoiceProfiles

        folder = models.find_model(game.language, models.named(self._model, self._models))
        known = models.vocabulary(folder)
        tongue = language(game.language)
        called = tongue.countdown() if game.counts_down else tongue.calls()
        words = [word for word in called if word in known]
        voices = VoiceProfiles(self._voices).all_of(list(game.players))
        witness = SeatWitness(self._array, Seats(self._voices), game.players)
        hearer = Listener(
            folder,
            words,
            rate,
            game.language,
            prior=self._prior,
            voices=voices,
            invented=sounds,
            witness=witness.log_ratios,
            speaker_filter=witness.sound_of,
        )
        return KnownWords(hearer, known)

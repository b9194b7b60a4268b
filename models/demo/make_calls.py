"""Makes the recorded calls of the demo evening: `python -m models.demo.make_calls`.

Synthetic voices (flite, espeak-ng) say the calls of The Nasty 7, with the reverberation of a small room; the
throat sounds are synthesised by models.speech.train.sounds. A take is kept only if the speech model
recognises it, as a whole recording and in a stream of blocks. Writes calls/<voice>/<call>.wav (16 kHz, 16
bit, mono) and calls/index.json.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np

from companion.core.observations import Utterance
from companion.speech.audio.wav import RATE, to_int16, write_wav
from companion.speech.model import grammar, models
from companion.speech.recognition import offline, recogniser
from models.speech.train import sounds, voices, warp
from models.speech.train.words import THROAT

CAST = {
    "Ada": voices.SynthVoice("flite", "slt", 1.0, 1.0),
    "Ben": voices.SynthVoice("flite", "rms", 1.0, 1.0),
    "Cleo": voices.SynthVoice("espeak", "en-gb-x-rp+f2", 55.0, 150.0),
}
"""The synthetic speaker of each player."""
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven")
CALLS = (
    *((number,) for number in NUMBERS),
    *pairwise(NUMBERS),
    *((b, a) for a, b in pairwise(NUMBERS)),
    (THROAT,),
    (THROAT, THROAT),
)
TRIES = 40
"""Takes that are tried for each call."""


def spoken(voice: voices.SynthVoice, words: tuple[str, ...], rng: np.random.Generator) -> np.ndarray:
    """The call by a voice, without silence at the ends."""
    if words[0] == THROAT:
        parts = [sounds.throat(rng) for _ in words]
    else:
        parts = [s / np.abs(s).max() * 0.7 for s in voices.speak_all([(voice, word) for word in words], rng)]
    pause = np.zeros(int(RATE * (0.3 if words[0] == THROAT else rng.uniform(0.05, 0.2))), np.float32)
    joined = parts[0]
    for part in parts[1:]:
        joined = np.concatenate([joined, pause, part])
    return joined.astype(np.float32)


def in_room(sound: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Adds the reverberation of a small room, soft noise, and 0.15 s before and behind the call."""
    edge = np.zeros(int(RATE * 0.15), np.float32)
    dry = np.concatenate([edge, sound, edge])
    echo = warp.echo(rng)[: RATE // 4]
    echo[1:] *= 0.3
    size = warp.good_size(dry.size + echo.size)
    wet = np.fft.irfft(np.fft.rfft(dry, size) * np.fft.rfft(echo, size), size)[: dry.size]
    wet = wet / np.abs(wet).max() * 0.4 + rng.normal(size=wet.size) * 0.0008
    return wet.astype(np.float32)


def extent(sound: np.ndarray) -> dict[str, float]:
    """Start and end of the call in the file, in seconds: where it exceeds 6 % of its peak."""
    loud = np.flatnonzero(np.abs(sound) > 0.06 * np.abs(sound).max())
    return {"start": round(float(loud[0]) / RATE, 3), "end": round(float(loud[-1]) / RATE, 3)}


class CallCheck:
    """Recognises takes as the table does."""

    def __init__(self) -> None:
        self.path = models.find_model("en")
        self.model = models.open_model(self.path)
        self.words = grammar.language("en").calls()

    def recognises(self, sound: np.ndarray, words: tuple[str, ...]) -> bool:
        """Whether the call is recognised in the recording, and twice in a stream of blocks."""
        lang = grammar.language("en")
        known = models.vocabulary(self.path)
        listening = grammar.with_competing_words(self.words, known, lang)
        competing = grammar.competing_words(self.words, known)
        samples = to_int16(sound)
        found = offline.recognise(samples, self.model, listening, competing)
        if tuple(word.word for word in found) != words or min(word.confidence for word in found) < 0.9:
            return False
        listener = recogniser.Listener(self.path, self.words, opened=self.model)
        quiet = to_int16(np.random.default_rng(0).normal(size=RATE).astype(np.float32) * 0.0008)
        heard: list[str] = []
        stream = np.concatenate([quiet, samples, quiet, samples, quiet])
        for at in range(0, stream.size, 320):
            for said in listener.feed(stream[at : at + 320], at / RATE):
                if isinstance(said, Utterance):
                    heard += [word.word for word in said.words if word.confidence >= 0.8]
        return tuple(heard) == words * 2


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the recorded calls of the demo evening.")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "calls")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    check, index = CallCheck(), []
    for name, voice in CAST.items():
        for number, words in enumerate(CALLS):
            for attempt in range(TRIES):
                rng = np.random.default_rng([options.seed, number, attempt, len(name)])
                sound = in_room(spoken(voice, words, rng), rng)
                if check.recognises(sound, words):
                    break
            else:
                raise SystemExit(f"{name}: {' '.join(words)} is not recognised in {TRIES} takes")
            file = f"{name.lower()}/{'-'.join(words)}.wav"
            (options.out / file).parent.mkdir(parents=True, exist_ok=True)
            write_wav(options.out / file, to_int16(sound))
            entry = {
                "file": file,
                "voice": name,
                "words": list(words),
                "seconds": round(sound.size / RATE, 3),
            }
            index.append({**entry, **extent(sound)})
            print(name, *words, f"(take {attempt + 1})", flush=True)
    text = ",\n ".join(json.dumps(entry) for entry in index)
    (options.out / "index.json").write_text(f"[\n {text}\n]\n")


if __name__ == "__main__":
    main()

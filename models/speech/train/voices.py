"""Synthetic voices: speech synthesis by Debian's espeak-ng, flite and festival.

A speaker is an engine, a voice, a pitch and a pace. All choices are drawn from a given random generator, so
the same seed gives the same speech. The engines run as programs; their output is 16 kHz mono float32.
"""

from __future__ import annotations

import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.speech.audio.wav import read_wav

RATE = 16000
ACCENTS = ("en", "en-us", "en-us", "en-gb-scotland", "en-gb-x-gbclan", "en-gb-x-rp", "en-gb-x-gbcwmd",
           "en-029", "en-us-nyc")  # fmt: skip
VARIANTS = """Alex Alicia Andrea Andy Annie Denis Diogo Gene Gene2 Henrique Hugo Jacky Lee Marco Mario Michael
    Mike Mr Nguyen RicishayMax RicishayMax2 RicishayMax3 adam anika announcer antonio aunty belinda
    benjamin boris caleb croak david ed edward edward2 f1 f2 f3 f4 f5 grandma grandpa gustave iven iven2
    iven3 iven4 john kaukovalta klatt klatt2 klatt3 klatt4 klatt5 klatt6 linda m1 m2 m3 m4 m5 m6 m7 m8
    marcelo max michel miguel norbert pablo paul pedro quincy rob robert sandro shelby steph steph2
    steph3 travis victor whisperf zac""".split()  # noqa: SIM905
TEST_VARIANTS = ("Annie", "Mike", "f3", "m4", "linda", "max", "steph2", "victor")
"""espeak-ng variants that are reserved for measuring."""
FLITE_VOICES = ("slt", "rms", "awb", "kal16", "slt", "rms", "awb")
FESTIVAL_VOICES = ("cmu_us_slt_arctic_hts", "ked_diphone", "kal_diphone")


@dataclass(frozen=True)
class SynthVoice:
    """One synthetic speaker.

    Attributes:
        pitch: 0 to 99 for espeak, else a factor of the voice's own pitch.
        pace: words a minute for espeak, else a factor of the durations (below 1: faster).
    """

    engine: str
    name: str
    pitch: float
    pace: float

    @property
    def speaker(self) -> str:
        """The name of the speaker in the corpus."""
        return f"{self.engine}:{self.name}:{self.pitch:.2f}:{self.pace:.2f}"


def espeak_voices(
    rng: np.random.Generator, count: int, variants: list[str], accents: tuple[str, ...] = ACCENTS
) -> list[SynthVoice]:
    """`count` voices of espeak-ng, accents and variants drawn at random."""
    return [
        SynthVoice(
            "espeak",
            f"{rng.choice(accents)}+{variants[i % len(variants)]}",
            float(rng.integers(20, 90)),
            float(rng.integers(115, 215)),
        )
        for i in range(count)
    ]


def foreign_voices(rng: np.random.Generator, languages: list[str], each: int) -> list[SynthVoice]:
    """`each` voices of espeak-ng for each language."""
    names = [f"{language}+{rng.choice(_heard_in_training())}" for language in languages for _ in range(each)]
    return [
        SynthVoice("espeak", name, float(rng.integers(20, 90)), float(rng.integers(115, 200)))
        for name in names
    ]


def _heard_in_training() -> list[str]:
    return [variant for variant in VARIANTS if variant not in TEST_VARIANTS]


def flite_voices(rng: np.random.Generator, count: int) -> list[SynthVoice]:
    """`count` voices of flite."""
    return [
        SynthVoice(
            "flite", FLITE_VOICES[i % len(FLITE_VOICES)], rng.uniform(0.8, 1.35), rng.uniform(0.7, 1.4)
        )
        for i in range(count)
    ]


def festival_voices(rng: np.random.Generator, count: int) -> list[SynthVoice]:
    """`count` voices of festival; they differ in pace."""
    return [
        SynthVoice("festival", FESTIVAL_VOICES[i % len(FESTIVAL_VOICES)], 1.0, rng.uniform(0.7, 1.4))
        for i in range(count)
    ]


def say(voice: SynthVoice, text: str, rng: np.random.Generator) -> tuple[list[str], str]:
    """The command line that synthesises `text`, or the lines of a festival script; one of the two is empty.

    `{out}` stands for the file to write. Pace and pitch vary a little at random.
    """
    wobble = rng.normal(1.0, 0.06)
    if voice.engine == "espeak":
        pace, pitch = int(voice.pace * wobble), int(np.clip(voice.pitch + rng.normal(0, 6), 0, 99))
        command = ["espeak-ng", "-v", voice.name, "-s", str(pace), "-p", str(pitch), "-w", "{out}", text]
        return command, ""
    if voice.engine == "flite":
        base = {"slt": 170.0, "rms": 95.0, "awb": 120.0}.get(voice.name, 100.0)
        mean = base * voice.pitch * rng.normal(1.0, 0.04)
        return [
            "flite", "-voice", voice.name, "--setf", f"duration_stretch={voice.pace * wobble:.2f}",
            "--setf", f"int_f0_target_mean={mean:.0f}", "-t", text, "-o", "{out}",
        ], ""  # fmt: skip
    script = (
        f"(voice_{voice.name})(Parameter.set 'Duration_Stretch {voice.pace * wobble:.2f})"
        f'(utt.save.wave (utt.synth (Utterance Text "{text}")) "{{out}}" \'riff)\n'
    )
    return [], script


def speak_all(jobs: list[tuple[SynthVoice, str]], rng: np.random.Generator) -> list[np.ndarray]:
    """Synthesises every (voice, text): float32 at 16 kHz, without silence at the ends.

    Empty where an engine produces nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{i}.wav" for i in range(len(jobs))]
        commands: list[list[str]] = []
        script = ""
        for (voice, text), file in zip(jobs, files, strict=True):
            command, lines = say(voice, text, rng)
            script += lines.replace("{out}", str(file))
            if command:
                commands.append([part.replace("{out}", str(file)) for part in command])
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda c: subprocess.run(c, check=True, capture_output=True), commands))
        if script:
            subprocess.run(["festival", "--pipe"], input=script, text=True, check=True, capture_output=True)
        return [trimmed(_read(file)) for file in files]


def _read(file: Path) -> np.ndarray:
    if not file.exists() or file.stat().st_size < 100:
        return np.zeros(0, np.float32)
    return read_wav(file, RATE).astype(np.float32) / 32768.0


def trimmed(sound: np.ndarray, floor: float = 0.012, margin: int = 400) -> np.ndarray:
    """Cuts off both ends as long as they are below `floor` of the peak, except `margin` samples."""
    if sound.size == 0 or np.abs(sound).max() < 1e-4:
        return np.zeros(0, np.float32)
    loud = np.flatnonzero(np.abs(sound) > floor * np.abs(sound).max())
    return sound[max(0, loud[0] - margin) : loud[-1] + margin]

"""The service's own microphone and ears on the loopback sound card: a call is played, then heard.
One after the other, so that an emulated processor has all the time it needs. What was heard is compared with
what was played, sample by sample. Prints one object in JSON.

python ears.py
"""

from __future__ import annotations

import json
import sys
import threading
import time
import wave

import numpy as np
from numpy.typing import NDArray
from table import play

from companion.core.observations import Utterance
from companion.speech.model.grammar import language
from companion.speech.model.models import find_model
from companion.speech.recognition.recogniser import Listener
from hardware.microphone import RATE, Microphone
from hardware.streams import Block

BEFORE_S, AFTER_S = 1.0, 0.5
"""Seconds that are recorded before and after the playing."""
CALL = "one.wav"


def recorded() -> list[Block]:
    """What the microphone gives while a recording is played to it."""
    microphone = Microphone("Loopback", 10.0, time.monotonic)
    blocks: list[Block] = []
    ends = threading.Event()

    def take() -> None:
        for block in microphone:
            blocks.append(block)
            if ends.is_set():
                return

    taker = threading.Thread(target=take)
    taker.start()
    time.sleep(BEFORE_S)
    play(CALL)
    time.sleep(AFTER_S)
    ends.set()
    taker.join()
    microphone.close()
    return blocks


def foreign(heard: NDArray[np.int16]) -> int:
    """How many samples differ from what was played and from the silence round it."""
    with wave.open(f"/hil/sound/{CALL}") as source:
        played = np.frombuffer(source.readframes(source.getnframes()), "<i2")
    size = 2 ** int(np.ceil(np.log2(len(heard) + len(played))))
    match = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(played, size)), size)
    start = int(np.argmax(match[: len(heard)]))
    wanted = np.zeros(max(len(heard), start + len(played)), np.int16)
    wanted[start : start + len(played)] = played
    return int(np.count_nonzero(heard != wanted[: len(heard)]))


def main() -> int:
    """Records, then listens."""
    blocks = recorded()
    calls = language().calls()
    listener = Listener(find_model("en"), calls, RATE)
    listener.expect(calls)
    begun = time.process_time()
    seen = [one for block in blocks for one in listener.feed(block.samples, block.t)]
    seen += listener.flush()
    told = {
        "words": [word.word for one in seen if isinstance(one, Utterance) for word in one.words],
        "sound_s": round(sum(len(block.samples) for block in blocks) / RATE, 1),
        "gaps": sum(block.gap for block in blocks),
        "lost_or_foreign_samples": foreign(np.concatenate([block.samples for block in blocks])),
        "cpu_s": round(time.process_time() - begun, 1),
    }
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())

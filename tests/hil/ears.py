"""The service's own microphone and ears on the loopback sound card: a call is played, then heard.
One after the other, so that an emulated processor has all the time it needs. Prints one object in JSON.

python ears.py
"""

from __future__ import annotations

import json
import sys
import threading
import time

import numpy as np
from table import play

from companion.observations import Utterance
from companion.speech.models import find_model
from companion.speech.recogniser import Listener
from hardware.microphone import RATE, Microphone
from hardware.streams import Block

BEFORE_S, AFTER_S = 1.0, 1.5
"""Seconds of silence round the call."""


def recorded(name: str) -> list[Block]:
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
    play(name)
    time.sleep(AFTER_S)
    ends.set()
    taker.join()
    microphone.close()
    return blocks


def main() -> int:
    """Records, then listens."""
    blocks = recorded("one.wav")
    loudest = max(int(np.abs(block.samples.astype(np.int32)).max()) for block in blocks)
    listener = Listener(find_model("en"), ["one", "two", "three", "four", "five"], RATE)
    begun = time.process_time()
    seen = [one for block in blocks for one in listener.feed(block.samples, block.t)]
    seen += listener.flush()
    told = {
        "words": [word.word for one in seen if isinstance(one, Utterance) for word in one.words],
        "sound_s": round(sum(len(block.samples) for block in blocks) / RATE, 1),
        "gaps": sum(block.gap for block in blocks),
        "loudest": loudest,
        "cpu_s": round(time.process_time() - begun, 1),
    }
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())

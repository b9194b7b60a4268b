"""The features, exactly those that Vosk computes at run time from conf/mfcc.conf: 40 MFCC every 10 ms.

The band ends at 3.8 kHz because the real digits are 8 kHz recordings: a wider band would tell the model which
voices are real.
"""

from __future__ import annotations

import numpy as np

LOW, HIGH, BINS = 60.0, 3800.0, 40
SHIFT, WINDOW = 160, 400
CONF = f"""--sample-frequency=16000
--frame-length=25
--frame-shift=10
--use-energy=false
--num-mel-bins={BINS}
--num-ceps={BINS}
--low-freq={LOW:.0f}
--high-freq={HIGH:.0f}
--dither=0
"""


def mfcc(sound: np.ndarray, ceps: int = BINS) -> np.ndarray:
    """[frames, ceps] of float32 sound in -1..1 at 16 kHz."""
    import kaldi_native_fbank as knf  # here, so that a graph can be written without it

    options = knf.MfccOptions()
    options.frame_opts.samp_freq = 16000
    options.frame_opts.dither = 0.0
    options.frame_opts.snip_edges = True
    options.mel_opts.num_bins = BINS
    options.mel_opts.low_freq = LOW
    options.mel_opts.high_freq = HIGH
    options.num_ceps = ceps
    options.use_energy = False
    machine = knf.OnlineMfcc(options)
    machine.accept_waveform(16000, (sound * 32768.0).astype(np.float32))
    machine.input_finished()
    count = machine.num_frames_ready
    return (
        np.stack([machine.get_frame(i) for i in range(count)]) if count else np.zeros((0, ceps), np.float32)
    )

"""Compressed pictures and sound, through PyAV (FFmpeg). It is imported when a recording begins or is read.

Pictures: H.264 in Matroska, no picture refers to a later one, so that a file that was cut off can be read up
to there. Sound: FLAC, without loss.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import Unavailable, Unreadable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Samples = NDArray[np.int16]

VIDEO = {
    "preset": "ultrafast",
    "tune": "zerolatency",
    "crf": "26",
    "maxrate": "1000k",
    "bufsize": "6000k",
}
"""x264's settings; docs/evenings.md says what they cost. `maxrate` keeps an hour below 450 MB."""
KEYFRAME_EVERY = 300
MILLISECONDS = Fraction(1, 1000)
CLUSTER_MS = 500
"""Milliseconds of pictures that are lost at most if the process is killed."""


def library() -> Any:
    """PyAV.

    Raises:
        Unavailable: it is not installed; the message names the remedy.
    """
    try:
        av = importlib.import_module("av")
    except (ImportError, OSError) as error:
        raise Unavailable("recording.no_av", why=str(error)) from error
    av.logging.set_level(av.logging.PANIC)  # what FFmpeg prints is raised as an error as well
    return av


class _StreamWriter:
    """Compresses the frames of one stream into a file."""

    _file: Any
    _stream: Any

    def _encode(self, frame: Any) -> None:
        self._file.mux(self._stream.encode(frame))

    def close(self) -> None:
        """Writes what is left."""
        try:
            self._encode(None)
        finally:
            self._file.close()


class VideoWriter(_StreamWriter):
    """Compresses pictures of one size into a file.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path, width: int, height: int, fps: float) -> None:
        av = library()
        self.size = (width, height)
        self._av = av
        options = {"cluster_time_limit": str(CLUSTER_MS), "flush_packets": "1"}
        self._file = av.open(str(path), "w", format="matroska", options=options)
        stream = self._file.add_stream("libx264", rate=max(1, round(fps)))
        stream.width, stream.height = width + width % 2, height + height % 2
        stream.pix_fmt = "yuv420p"
        stream.options = VIDEO
        stream.time_base = MILLISECONDS
        stream.codec_context.time_base = MILLISECONDS
        stream.codec_context.thread_count = 1
        stream.codec_context.gop_size = KEYFRAME_EVERY
        self._stream = stream
        self._shown = -1

    def write(self, image: Picture, seconds: float) -> None:
        """Adds a picture, `seconds` after the start of the recording."""
        import cv2

        if image.shape[0] % 2 or image.shape[1] % 2:
            odd = (image.shape[0] % 2, image.shape[1] % 2)
            image = cv2.copyMakeBorder(image, 0, odd[0], 0, odd[1], cv2.BORDER_REPLICATE)  # type: ignore[assignment]
        planes = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
        frame = self._av.VideoFrame.from_ndarray(planes, format="yuv420p")
        self._shown = max(self._shown + 1, round(seconds * 1000))
        frame.pts, frame.time_base = self._shown, MILLISECONDS
        self._encode(frame)


def pictures(path: Path, width: int, height: int) -> Iterator[Picture]:
    """The pictures of a file that VideoWriter has written, BGR, up to where it is damaged or cut off.

    Raises:
        Unreadable: it is no video.
    """
    import cv2
    import numpy as np

    av = library()
    try:
        file = av.open(str(path))
        stream = file.streams.video[0]
    except (OSError, IndexError, av.FFmpegError) as error:
        raise Unreadable("recording.no_video", path=path) from error
    stream.thread_type = "SLICE"
    with file:
        try:
            for frame in file.decode(stream):
                if frame.is_corrupt:
                    return
                planes = frame.to_ndarray(format="yuv420p")
                image: Any = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)
                yield np.ascontiguousarray(image[:height, :width])
        except av.FFmpegError:
            return


LAYOUTS = ("mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1")
"""FFmpeg's names for one to eight channels in a FLAC file."""


class SoundWriter(_StreamWriter):
    """Compresses sound of one to eight channels into a file.

    Raises:
        OSError: it cannot be written.
    """

    def __init__(self, path: Path, rate: int, channels: int = 1) -> None:
        av = library()
        self._av = av
        self.rate, self.channels = rate, channels
        self._layout = LAYOUTS[channels - 1]
        self._file = av.open(str(path), "w", format="flac", options={"flush_packets": "1"})
        self._stream = self._file.add_stream("flac", rate=rate, layout=self._layout, format="s16")
        self._count = 0

    def write(self, samples: Samples) -> None:
        """Adds samples, samples x channels if there are several."""
        packed = samples.reshape(1, -1)
        frame = self._av.AudioFrame.from_ndarray(packed, format="s16", layout=self._layout)
        frame.sample_rate, frame.pts = self.rate, self._count
        frame.time_base = Fraction(1, self.rate)
        self._count += packed.size // self.channels
        self._encode(frame)


def sounds(path: Path) -> Iterator[Samples]:
    """What SoundWriter has written, in pieces of samples x channels, up to where it is damaged or cut off.

    Raises:
        Unreadable: it is no sound.
    """
    av = library()
    try:
        file = av.open(str(path))
        stream = file.streams.audio[0]
    except (OSError, IndexError, av.FFmpegError) as error:
        raise Unreadable("recording.no_wav", path=path, why=str(error)) from error
    with file:
        try:
            for frame in file.decode(stream):
                yield frame.to_ndarray().reshape(-1, frame.layout.nb_channels)
        except av.FFmpegError:
            return

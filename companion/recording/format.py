"""The files of one recorded evening.

manifest.json  `Manifest`: configuration, decks, model, start on both clocks; written at the start, completed
               at the end
setup/         copies of what the service had at the start: start.sqlite (journal), zones.json, lens.json,
               view.npz, voices/, and decks/ that do not come with the companion
log.jsonl      one `Item` a line, in the order in which it happened
camera.mkv     the pictures: picture i belongs to the i-th `FrameArrived` of the log
sound.flac     the samples of all `BlockArrived` one after the other, without loss
array.flac     with an array of microphones: the same of each microphone
journal.jsonl  one `JournalItem` a line: what the service has judged

Every moment is in seconds of the one clock of the service that recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.api.commands import PHONE_COMMANDS, Caller, EnterEvent, Request, StopClock
from companion.core.config import Config
from companion.core.errors import Unreadable
from companion.core.observations import Landing, LatticeSeen, Point, Press, Removal, SourceChanged, Utterance
from companion.store.rows import GameRow, Line

VERSION = 1
"""Version of these files."""
MANIFEST, LOG, CAMERA, SOUND, JOURNAL = (
    "manifest.json",
    "log.jsonl",
    "camera.mkv",
    "sound.flac",
    "journal.jsonl",
)
ARRAY = "array.flac"
SETUP = "setup"
START_JOURNAL = "start.sqlite"

# --- the manifest -----------------------------------------------------------------------------------------


class DeckUsed(msgspec.Struct, frozen=True):
    """The deck of a game at the start."""

    hash: str
    """SHA-256 of its file."""
    copied: bool
    """Whether it is in setup/decks; False: it comes with the companion."""


class PictureSize(msgspec.Struct, frozen=True):
    """Width and height of the camera's pictures, in pixels."""

    width: int
    height: int


class RunningAtStart(msgspec.Struct, frozen=True):
    """The game that was being played when the recording began."""

    game: int
    """Its number in the journal."""
    time: float
    """The game's own time, in seconds."""
    paused: bool
    """Whether its time stood still."""


class Totals(msgspec.Struct, frozen=True):
    """What was recorded."""

    frames: int = 0
    frames_lost: int = 0
    """Pictures that came faster than they could be compressed."""
    blocks: int = 0
    seconds: float = 0.0


class Manifest(msgspec.Struct, frozen=True):
    """What a recorded evening is."""

    version: int
    program: str
    """Version of the companion."""
    libraries: Mapping[str, str]
    """Version of each library that eyes and ears use."""
    began: str
    """Time of day of the start, UTC, ISO 8601."""
    start: float
    """The same moment on the one clock."""
    config: Config
    decks: Mapping[str, DeckUsed]
    """By game."""
    models: Mapping[str, str]
    """Speech models: language -> SHA-256 of the model's files."""
    running: RunningAtStart | None = None
    picture: PictureSize | None = None
    ended: str | None = None
    """Time of day of the end; None: the service was killed, or still records."""
    stopped_why: str | None = None
    """Why the recording stopped by itself (a code); None: somebody stopped it, or the service ended."""
    totals: Totals = Totals()


# --- the log ----------------------------------------------------------------------------------------------


class _LogItem(msgspec.Struct, frozen=True, array_like=True):
    at: float
    """The moment at which it reached the service."""


class FrameArrived(_LogItem, frozen=True, array_like=True, tag="frame"):
    """A picture, exposed at `t`."""

    t: float


class FrameLost(_LogItem, frozen=True, array_like=True, tag="lost"):
    """A picture that the service saw and the recording does not hold."""

    t: float


class BlockArrived(_LogItem, frozen=True, array_like=True, tag="block"):
    """A block of sound whose first sample sounded at `t`; `gap`: samples were lost before it."""

    t: float
    samples: int
    rate: int
    gap: bool
    radius_m: float = 0.0
    """Radius of the array whose microphones are in `array.flac`; 0: nothing of this block is."""


class Worked(_LogItem, frozen=True, array_like=True, tag="work"):
    """A sense began to analyse the picture or block of the moment `t`, or (`done`) has analysed it and has
    reported what it found."""

    sense: Literal["eyes", "ears"]
    t: float
    done: bool


class Directed(_LogItem, frozen=True, array_like=True, tag="directed"):
    """The table has told eyes and ears which game is played, or what may come next."""


class PressArrived(_LogItem, frozen=True, array_like=True, tag="press"):
    """A button was pressed."""

    press: Press


class SourceReported(_LogItem, frozen=True, array_like=True, tag="source"):
    """A device came up or went down, or the camera's picture became worse or better."""

    change: SourceChanged


class OwnSound(_LogItem, frozen=True, array_like=True, tag="own_sound"):
    """The companion itself sounds in this interval."""

    since: float
    until: float


class CommandArrived(_LogItem, frozen=True, array_like=True, tag="command"):
    """A phone's command, as `POST /api/command/<name>` takes it."""

    number: int
    name: str
    body: msgspec.Raw
    caller: Caller
    key: str = ""


class CommandReplied(_LogItem, frozen=True, array_like=True, tag="reply"):
    """What the command of this number was answered with."""

    number: int
    reply: msgspec.Raw


class ZonesChanged(_LogItem, frozen=True, array_like=True, tag="zones"):
    """The zones of a game were drawn, reset or moved."""

    game: str
    zones: Mapping[str, list[Point]]


class SoundRepeats(_LogItem, frozen=True, array_like=True, tag="repeats"):
    """The sounds from now on are repetitions of the invented one; 0: no more."""

    times: int


REPORTS = (Landing, Removal, LatticeSeen, Utterance)
"""What senses report, besides watermarks."""


class Reported(_LogItem, frozen=True, array_like=True, tag="reported"):
    """What a sense reported then. It is not given again: the senses look and listen anew."""

    observation: Landing | Removal | LatticeSeen | Utterance


Item = (
    FrameArrived
    | FrameLost
    | BlockArrived
    | Worked
    | Directed
    | PressArrived
    | SourceReported
    | OwnSound
    | CommandArrived
    | CommandReplied
    | ZonesChanged
    | SoundRepeats
    | Reported
)
"""One line of the log."""


# --- the journal ------------------------------------------------------------------------------------------


class GameWritten(msgspec.Struct, frozen=True, tag="game"):
    """A game that began or ended."""

    game: GameRow


class LineWritten(msgspec.Struct, frozen=True, tag="line"):
    """A judged event of a game."""

    game: int
    line: Line


JournalItem = GameWritten | LineWritten

# --- reading and writing single values --------------------------------------------------------------------

_NAMES: Mapping[type[Any], str] = {
    **{shape: name for name, shape in PHONE_COMMANDS.items()},
    StopClock: "stop_clock",
}
_SHAPES: Mapping[str, type[Any]] = {name: shape for shape, name in _NAMES.items()}


def request_written(request: Request) -> tuple[str, msgspec.Raw]:
    """The name of a command and its body as JSON."""
    body = request.event if isinstance(request, EnterEvent) else request
    return _NAMES[type(request)], msgspec.Raw(msgspec.json.encode(body))


def request_read(name: str, body: msgspec.Raw) -> Request:
    """The command that `request_written` wrote.

    Raises:
        msgspec.DecodeError: it is none.
    """
    shape = _SHAPES.get(name)
    if shape is None:
        raise msgspec.ValidationError(f"there is no command {name}")
    if shape is EnterEvent:
        return EnterEvent(msgspec.json.decode(body, type=dict[str, Any]))
    read: Request = msgspec.json.decode(body, type=shape)
    return read


def read_manifest(folder: Path) -> Manifest:
    """The manifest of an evening.

    Raises:
        Unreadable: there is no evening in this folder, or one that this version cannot read.
    """
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
        version = msgspec.json.decode(data, type=dict[str, Any]).get("version")
        if isinstance(version, int) and version > VERSION:
            raise Unreadable("evening.newer", folder=folder)
        return msgspec.json.decode(data, type=Manifest)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Unreadable("evening.none", folder=folder) from error
    except OSError as error:
        raise Unreadable("evening.unreadable", file=path, why=error.strerror) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable("evening.unreadable", file=path, why=str(error)) from error


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest as a whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    part = folder / (MANIFEST + ".part")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    part.replace(folder / MANIFEST)

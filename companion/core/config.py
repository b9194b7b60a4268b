"""The configuration: one TOML file, every key optional and documented where it stands here.

`python -m companion.core.config` prints the reference that is kept in docs/configuration.md.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.core.call_policy import DEFAULT
from companion.core.errors import UsageError
from companion.core.field_docs import section_lines
from companion.core.languages import ENGLISH, TableLanguage
from companion.core.message import Message, message

Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Seconds = Annotated[float, Meta(gt=0.0)]
Cost = Annotated[float, Meta(gt=0.0)]
Pin = Annotated[int, Meta(ge=2, le=27)]
"""A GPIO of the Pi's header by its BCM number; 0 and 1 belong to the HAT's memory."""
Polygon = list[tuple[Share, Share]]
"""Corners [x, y] as shares of the picture's width and height; at least three."""


FEWEST_MICROPHONES = 3
"""An array has at least so many microphones."""


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all sections share: a misspelt key is an error."""


class Pages(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The pages that phones show."""

    host: str = "0.0.0.0"
    """Address to listen on; `127.0.0.1` keeps the pages on this machine."""
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    """Port to listen on; 0 takes any free one."""
    threads: Annotated[int, Meta(ge=48, le=512)] = 72
    """Eight more than phones may watch at once; further ones ask for the state every few seconds."""
    url: str = ""
    """Address in the QR code, e.g. `http://companion.local:8080/`; empty: this machine's own address."""
    open_to_all: bool = False
    """true: everybody at the table decides and no code is asked for."""


class TableSection(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the table judges what it is told."""

    language: TableLanguage = ENGLISH
    """Language of what the table says."""
    hold_s: Seconds = 2.5
    """How long a report waits for a slower sense, so that things are judged in their order."""
    seen: Share = 0.6
    """A card is believed from this confidence on; below it the table is asked."""
    accusation_cost: Cost = DEFAULT.accusation
    """An accusation of what was right is as bad as so many questions; the higher, the more is asked."""
    mistake_cost: Cost = DEFAULT.mistake
    """A mistake that passes unnoticed is as bad as so many questions."""
    delay_cost: Cost = DEFAULT.delay
    """A question about a call only when its time has run out is as bad as so many questions at once."""
    on_time: Share = DEFAULT.on_time
    """How many of the calls that are due are made in time."""


class Camera(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The camera above the table."""

    backend: Literal["auto", "picamera2", "webcam", "recording", "drawn", "none"] = "auto"
    """`auto` takes the camera on the Pi's ribbon if there is one, otherwise the first USB camera (`webcam`);
    `recording` plays `file`; `drawn` shows a drawn table, to try everything out."""
    file: str = ""
    """A video, or a folder of pictures, that plays the camera's part; for `drawn` the game whose cards lie
    there, e.g. `nasty_7`."""
    device: Annotated[int, Meta(ge=0)] = 0
    """Number of the camera where there are several."""
    width: Annotated[int, Meta(ge=0, le=4608)] = 0
    """Pixels across; 0: so many that a card gets `card_px`."""
    height: Annotated[int, Meta(ge=0, le=2592)] = 0
    """Pixels down; 0: as `width`."""
    card_px: Annotated[int, Meta(ge=60, le=300)] = 130
    """Width in pixels that a card of 63 mm should have in the picture."""
    above_cm: Annotated[float, Meta(ge=20, le=250)] = 70.0
    """Height of the camera above the table."""
    view_degrees: Annotated[float, Meta(ge=20, le=130)] = 66.0
    """The camera's horizontal angle of view."""
    mains_hz: Literal[0, 50, 60] = 50
    """Frequency of the mains in Hz: the camera exposes so that lamps do not flicker. 0: its own setting."""
    fps: Annotated[float, Meta(gt=0, le=60)] = 15.0
    """Pictures a second."""
    stall_s: Seconds = 2.0
    """A camera that gives no picture for so long is closed and opened again."""


class MicrophoneConfig(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The microphone on the table."""

    backend: Literal["auto", "sounddevice", "recording", "none"] = "auto"
    """`auto` takes the system's default microphone if there is one; `recording` plays `file`."""
    file: str = ""
    """A WAV (one channel, 16 bits, 16 kHz) that plays the microphone's part."""
    device: str = ""
    """Part of the microphone's name; empty: the system's default."""
    channel: Annotated[int, Meta(ge=0, le=31)] = 0
    """The channel in which calls are recognised, 0 for the first."""
    raw_channels: list[Annotated[int, Meta(ge=0, le=31)]] = []
    """Channels of the single microphones of an array, in their order round its circle, 0 for the first. They
    tell from which seat a call came. Empty: known arrays are recognised by their names."""
    radius_mm: Annotated[float, Meta(gt=0, le=500)] = 32.0
    """Radius of the circle on which the microphones of `raw_channels` stand, in mm."""
    stall_s: Seconds = 0.5
    """A microphone that gives no sound for so long is closed and opened again."""
    muted_s: Annotated[float, Meta(ge=0, le=600)] = 10.0
    """One whose sound is nothing at all for so long is switched off: no call is timed. 0: never, for one that
    suppresses noise and gives nothing between words."""


class ButtonsConfig(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Buttons between a GPIO and ground, numbered by the BCM scheme."""

    seats: list[Pin] = []
    """One pin a seat, clockwise from the first player's."""
    referee: Pin | None = None
    """Pin of the referee's button: it takes back the last move."""
    trophies: dict[str, Pin] = {}
    """Bugs & Co: trophy value -> pin."""
    active_high: bool = False
    """true: the buttons connect to 3.3 V instead of ground."""
    debounce_s: Annotated[float, Meta(gt=0, le=0.1)] = 0.02
    """How long a contact must be stable to be a press."""


class BuzzerConfig(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The buzzer."""

    pin: Pin | None = None
    """Its pin; without one there is no buzzer."""
    kind: Literal["active", "passive"] = "active"
    """`active` sounds by itself, `passive` is a bare piezo that needs a tone."""
    tone_hz: Annotated[float, Meta(ge=100, le=8000)] = 880.0
    """Pitch of a passive buzzer."""
    active_high: bool = True
    """false: the buzzer sounds while the pin is low."""


class Lamps(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lamp that shows the rhythms of the buzzer."""

    pin: Pin | None = None
    """Pin of a lamp of one colour."""
    rgb: tuple[Pin, Pin, Pin] | None = None
    """Pins of red, green and blue of a coloured lamp."""
    listening: Pin | None = None
    """Pin of a lamp that is lit exactly while sound is analysed."""
    active_high: bool = True
    """false: the lamp is lit while the pin is low."""


class VoiceConfig(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The voice that says what the table says, through the machine's loudspeaker."""

    backend: Literal["auto", "none"] = "auto"
    """`auto` speaks if espeak-ng and aplay are installed; `none` keeps quiet (phones can speak instead)."""
    device: str = ""
    """ALSA's name of the loudspeaker, as `aplay -L` lists it; empty: the system's default."""
    words_per_minute: Annotated[int, Meta(ge=80, le=300)] = 165
    """How fast it speaks."""


class Speech(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the ears know."""

    model: str = ""
    """Name of an added model (`companion models list`) or a folder; empty: the project's own for the game's
    language."""
    prior: Annotated[float, Meta(ge=0.1, le=0.99)] = 0.9
    """How many of a table's calls are right: what is heard is weighed against this."""


class EvidenceConfig(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is kept in memory to answer "why?". Nothing of it is written unless somebody asks."""

    seconds: Annotated[float, Meta(ge=1, le=60)] = 15.0
    """How much sound and how many pictures are kept, in seconds before now."""
    pictures_per_s: Annotated[float, Meta(gt=0, le=15)] = 4.0
    """Pictures kept a second."""
    findings: Annotated[int, Meta(ge=0, le=50)] = 8
    """For how many of the latest findings their seconds are kept."""


class StoredConfig(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is kept of games that were played."""

    keep_days: Annotated[int, Meta(ge=0)] = 0
    """Games that began so many days before the latest one are deleted with their evidence at the start of the
    service; 0: all are kept. The wall clock is not asked."""


class RecordingConfig(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Recorded evenings. Nothing is recorded unless somebody asks (`--record`, or the switch on the page)."""

    folder: str = ""
    """Folder that holds the evenings; empty: `evenings` in the data folder."""
    limit_gb: Annotated[float, Meta(gt=0)] = 8.0
    """The most that all evenings may take, in GB (10^9 bytes); the oldest one is deleted first."""
    keep_free_mb: Annotated[float, Meta(ge=0)] = 500.0
    """A recording ends when less than this is free on its disk, in MB: the journal needs room."""


class Broker(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An MQTT broker, and how to be admitted by it."""

    host: str = ""
    """Name or address of the broker; empty: MQTT is off."""
    port: Annotated[int, Meta(ge=1, le=65535)] = 8883
    """Its port: usually 8883 with TLS, 1883 without."""
    tls: bool = True
    """The connection is encrypted and the broker's certificate is checked; false only in a network of your
    own."""
    ca_file: str = ""
    """Certificate of the authority that signed the broker's (PEM); empty: those that the system trusts."""
    user: str = ""
    """Name under which the broker knows this machine; empty: none."""
    password_file: str = ""
    """File that holds the password and nothing else; keep it readable by the service only."""


class Mqtt(Broker, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table as a device of an MQTT broker ([mqtt.md](mqtt.md)), for Home Assistant or for a hub of many
    tables. Needs `pip install 'tabletop-companion[mqtt]'`. Names and results of players leave this
    machine."""

    table: Annotated[str, Meta(pattern=r"^([a-z0-9][a-z0-9_-]{0,39})?\Z")] = ""
    """The table's name in topics: small letters, digits, `-` and `_`. No other table of the broker has it.
    Empty: the name of this machine."""
    home_assistant: bool = False
    """true: Home Assistant finds the table by itself."""
    commands: bool = False
    """true: whoever may write to the table's `command` topics may take back a move and stop the clock."""


class Config(Section, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole file."""

    pages: Pages = Pages()
    table: TableSection = TableSection()
    camera: Camera = Camera()
    microphone: MicrophoneConfig = MicrophoneConfig()
    buttons: ButtonsConfig = ButtonsConfig()
    buzzer: BuzzerConfig = BuzzerConfig()
    lamps: Lamps = Lamps()
    voice: VoiceConfig = VoiceConfig()
    speech: Speech = Speech()
    evidence: EvidenceConfig = EvidenceConfig()
    recording: RecordingConfig = RecordingConfig()
    stored: StoredConfig = StoredConfig()
    mqtt: Mqtt = Mqtt()
    decks: dict[str, str] = {}
    """Which enrolled deck a game is played with: game -> a deck's name (see `companion enrol`) or its folder.
    Without one it is the deck enrolled under the game's name, else the project's own, where it has one."""
    zones: dict[str, dict[str, Polygon]] = {}
    """Where things lie in the camera's picture: game -> zone -> corners as shares of width and height, e.g.
    `trick`, `pile`, `display:1` for the first player's display."""


def load(path: Path | None, games: Collection[str]) -> Config:
    """Reads the file; None gives the defaults.

    Args:
        path: the TOML file.
        games: the names of all games: decks and zones are set for these.

    Raises:
        UsageError: there is no such file, it is no TOML, or a key is unknown or impossible; the message names
            the key.
    """
    if path is None:
        return Config()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError("config.missing", path=path) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("config.unreadable", path=path, why=str(error)) from error
    return parse(text, games, str(path))


def parse(text: str, games: Collection[str], name: str = "configuration") -> Config:
    """The configuration in a TOML text; `name` stands for it in error messages, `games` are all there are.

    Raises:
        UsageError: see `load`.
    """
    try:
        config = msgspec.convert(tomllib.loads(text), Config)
    except tomllib.TOMLDecodeError as error:
        raise UsageError("config.no_toml", name=name, why=str(error)) from error
    except msgspec.ValidationError as error:
        raise UsageError("config.bad_key", name=name, complaint=_key_first(str(error))) from error
    _check_pins(config, name)
    if (config.camera.width == 0) != (config.camera.height == 0):
        raise UsageError("config.half_size", name=name)
    _check_raw_channels(config, name)
    _check_games(config, games, name)
    return config


def pins(config: Config) -> list[tuple[str, int]]:
    """Every pin in use with the key that names it."""
    used = [(f"buttons.seats[{i}]", pin) for i, pin in enumerate(config.buttons.seats)]
    used += [(f"buttons.trophies.{value}", pin) for value, pin in config.buttons.trophies.items()]
    rgb = config.lamps.rgb or ()
    used += [(f"lamps.rgb[{i}]", pin) for i, pin in enumerate(rgb)]
    single = {
        "buttons.referee": config.buttons.referee,
        "buzzer.pin": config.buzzer.pin,
        "lamps.pin": config.lamps.pin,
        "lamps.listening": config.lamps.listening,
    }
    return used + [(key, pin) for key, pin in single.items() if pin is not None]


def _check_pins(config: Config, name: str) -> None:
    seen: dict[int, str] = {}
    for key, pin in pins(config):
        if pin in seen:
            raise UsageError("config.pin_twice", name=name, key=key, other=seen[pin], pin=pin)
        seen[pin] = key


def _check_raw_channels(config: Config, name: str) -> None:
    """Two microphones cannot tell directions all round the table apart."""
    raw = config.microphone.raw_channels
    if raw and (len(raw) < FEWEST_MICROPHONES or len(set(raw)) < len(raw)):
        raise UsageError("config.raw_channels", name=name, fewest=FEWEST_MICROPHONES)


def _check_games(config: Config, games: Collection[str], name: str) -> None:
    for section, table in (("decks", config.decks), ("zones", config.zones)):
        for game in table:
            if game not in games:
                raise UsageError("config.no_game", name=name, section=section, game=game, games=tuple(games))
    for game, zones in config.zones.items():
        for zone, corners in zones.items():
            if len(corners) < 3:
                raise UsageError("config.zone_corners", name=name, game=game, zone=zone)


def _key_first(complaint: str) -> Message:
    """msgspec says what is wrong and then where; people look for the key first."""
    what, _, where = complaint.partition(" - at `$")
    key = where.rstrip("`").lstrip(".")
    if "unknown field" in what:
        unknown = what.partition("`")[2].rstrip("`")
        return message("config.no_key", key=f"{key}.{unknown}" if key else unknown)
    return message("config.key", key=key, what=what) if key else message("library.words", words=what)


# --- the reference ----------------------------------------------------------------------------------------


def reference() -> str:
    """docs/configuration.md: every section and key with its type, default and meaning."""
    lines = [
        "# Configuration",
        "",
        "One TOML file: `companion serve --config FILE`, or `config.toml` in the data folder. Every key is "
        "optional. This page is generated:",
        "`python -m companion.core.config > docs/configuration.md`.",
        "",
        "The data folder is what `--data` names, else `COMPANION_DATA`, else `~/.local/share/companion`; the",
        "service on a Pi has `/var/lib/companion`. In it lie the configuration, the journal, decks, voices,",
        "added models, evidence that was kept, and the phones that are the referee's (`phones.json`).",
        "",
    ]
    return "\n".join([*lines, *section_lines(Config, {"zones": "zones.<game>"})])


if __name__ == "__main__":
    print(reference(), end="")

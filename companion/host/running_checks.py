"""What the running service knows of its devices: the findings of `companion doctor` about them, without
opening a device that is in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.announce.codes import MEANINGS
from companion.announce.phrases import Phrases
from companion.api.snapshot import SourceState
from companion.core.config import Config
from companion.core.finding import Finding
from companion.core.message import Message, message

NAMES: Mapping[str, Message] = {
    "camera": message("doctor.name_camera"),
    "microphone": message("doctor.name_microphone"),
    "buttons": message("doctor.name_buttons"),
    "buzzer": message("doctor.name_buzzer"),
    "lamps": message("doctor.name_lamps"),
    "listening lamp": message("doctor.name_lamps"),
    "voice": message("doctor.name_voice"),
    "storage": message("doctor.name_data_folder"),
}
"""Source -> the name of its finding."""


def running_findings(
    config: Config,
    sources: Mapping[str, SourceState],
    picture: tuple[int, int] | None,
    notes: Sequence[Message] = (),
) -> list[Finding]:
    """A finding for each source that has reported, in the order of NAMES.

    Args:
        sources: the states in the snapshot.
        picture: height and width of the camera's latest picture; None: there is none.
        notes: what the camera does not do as it should, with what helps.
    """
    known = [(name, sources[name]) for name in NAMES if name in sources]
    found = [_finding(config, name, state, picture) for name, state in known]
    return [
        *found,
        *(Finding(NAMES["camera"], True, message("doctor.works_in_part"), note) for note in notes),
    ]


def _finding(config: Config, name: str, state: SourceState, picture: tuple[int, int] | None) -> Finding:
    why = _why(state)
    if name == "camera" and state.up and picture is not None:
        return _camera(config, why, picture)
    if state.up:
        return Finding(NAMES[name], True, why or message("doctor.works"))
    return Finding(NAMES[name], False, why or message("doctor.does_not_work"))


def _why(state: SourceState) -> Message | None:
    """The reason that a source has reported; what the table announces is written in English, as the command
    line is."""
    if state.code is None:
        return None
    if state.code in MEANINGS:
        return message("library.words", words=Phrases().text(state.code, state.params))
    return Message(state.code, dict(state.params))


def _camera(config: Config, why: Message | None, picture: tuple[int, int]) -> Finding:
    """The camera works: the size of its pictures, and what keeps it from seeing well."""
    from hardware.picture_formats import TOO_FEW_PX, card_px

    height, width = picture
    px = round(card_px(config.camera, width))
    size = message("doctor.camera_size", width=width, height=height, px=px, cm=config.camera.above_cm)
    if why is not None:
        return Finding(NAMES["camera"], False, size, why)
    return Finding(NAMES["camera"], True, size, message("doctor.card_px") if px < TOO_FEW_PX else None)

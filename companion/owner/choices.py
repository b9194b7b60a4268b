"""What the settings can be chosen from on this machine: its devices and the speech models that were added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from companion.api.settings import SettingChoice
from hardware.connected import loudspeaker_names, microphone_names, usb_cameras


def choices(models: Path) -> Mapping[str, Sequence[SettingChoice]]:
    """Key of the configuration -> what is there. The first choice is what the companion takes by itself.

    Args:
        models: the folder of added speech models.
    """
    found: dict[str, list[SettingChoice]] = {
        "microphone.device": [SettingChoice("", "")],
        "voice.device": [SettingChoice("", "")],
        "speech.model": [SettingChoice("", "")],
    }
    cameras = [SettingChoice(number, name) for number, name in usb_cameras()]
    if cameras:
        found["camera.device"] = cameras
    found["microphone.device"] += [SettingChoice(name, name) for name in microphone_names()]
    found["voice.device"] += [SettingChoice(alsa, name) for alsa, name in loudspeaker_names()]
    added = sorted(one.name for one in models.iterdir() if one.is_dir()) if models.is_dir() else []
    found["speech.model"] += [SettingChoice(name, name) for name in added]
    return found

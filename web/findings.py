"""Findings of the doctor as pages show them."""

from __future__ import annotations

from msgspec.structs import replace

from companion.api.devices import DeviceFinding
from web.words import written


def described(finding: DeviceFinding) -> DeviceFinding:
    """The finding with its name and its text in the phone's language."""
    name, what, remedy = written(finding.name), written(finding.what), written(finding.remedy)
    text = f"{what}: {remedy}" if remedy else what
    return replace(finding, name=name, what=what, remedy=remedy, text=text)

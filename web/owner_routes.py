"""The addresses of the owner's pages; `web.routes` puts them into its table."""

from __future__ import annotations

from companion.api import requests
from companion.api.machine import (
    BackupContents,
    MachineState,
    UpdateRequest,
    UploadPiece,
    UploadProgress,
)
from companion.api.replies import Done, RoleReply
from companion.api.settings import OwnerSettings, Restarting, SettingsChange, SettingsCheck
from companion.api.wireless import FirstSettings, WirelessJoin, WirelessState
from web.route import Route, get, post


def _machine() -> tuple[Route, ...]:
    return (
        get("/api/machine", "The state of the machine.", "referee", MachineState),
        post("/api/upload", "Sends a piece of a file: a backup that is to be restored, or a signed version.",
             "referee", UploadPiece, UploadProgress),
        post("/api/restore/examine", "Checks the backup that was sent, and tells what it holds.", "referee",
             requests.NoFields, BackupContents),
        post("/api/restore", "Restores the backup that was sent; the service starts again. The present data "
             "are kept beside it.", "referee", requests.NoFields, Restarting),
        post("/api/update", "Installs the newest version, the one that was sent, or the one before; only for "
             "a phone that a code or a press has made the referee's.", "referee", UpdateRequest, Done),
        get("/report.zip", "Versions, findings, settings and log for somebody who helps; nothing private.",
            "referee", media="application/zip"),
    )  # fmt: skip


def _wireless() -> tuple[Route, ...]:
    return (
        get("/api/wireless", "The appliance's wireless network, with its password.", "screen", WirelessState),
        get("/wifi.svg", "The appliance's wireless network as a QR code: a phone that reads it joins.",
            "screen", media="image/svg+xml"),
        post("/api/wireless/join", "Joins a wireless network.", "referee", WirelessJoin, Done),
        post("/api/welcome/claim", "Makes this phone the referee's on a new appliance, in its own wireless "
             "network only.", "everybody", requests.NoFields, RoleReply),
        post("/api/welcome", "Ends the first start with language and network.", "referee", FirstSettings,
             Restarting),
    )  # fmt: skip


def _settings() -> tuple[Route, ...]:
    return (
        get("/api/settings", "The configuration, key by key.", "referee", OwnerSettings),
        post("/api/settings/check", "What a change of the configuration would do. Writes nothing.",
              "referee", SettingsChange, SettingsCheck),
        post("/api/settings/save", "Writes a change of the configuration; the service starts again.",
              "referee", SettingsChange, Restarting),
        post("/api/settings/back", "Puts the configuration of before the last change back; the service "
              "starts again.", "referee", requests.NoFields, Restarting),
    )  # fmt: skip


OWNER_ROUTES: tuple[Route, ...] = (*_settings(), *_machine(), *_wireless())
"""All of them."""

"""The addresses of the owner's pages; `web.routes` puts them into its table."""

from __future__ import annotations

from companion.api import requests
from companion.api.machine import BackupContents, MachineState, UploadPiece, UploadProgress
from companion.api.settings import OwnerSettings, Restarting, SettingsChange, SettingsCheck
from web.route import Route, get, post


def _machine() -> tuple[Route, ...]:
    return (
        get("/api/machine", "The state of the machine.", "referee", MachineState),
        post("/api/upload", "Sends a piece of a file: a backup that is to be restored.", "referee",
             UploadPiece, UploadProgress),
        post("/api/restore/examine", "Checks the backup that was sent, and tells what it holds.", "referee",
             requests.NoFields, BackupContents),
        post("/api/restore", "Restores the backup that was sent; the service starts again. The present data "
             "are kept beside it.", "referee", requests.NoFields, Restarting),
        get("/report.zip", "Versions, findings, settings and log for somebody who helps; nothing private.",
            "referee", media="application/zip"),
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


OWNER_ROUTES: tuple[Route, ...] = (*_settings(), *_machine())
"""All of them."""

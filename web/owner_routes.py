"""The addresses of the owner's pages; `web.routes` puts them into its table."""

from __future__ import annotations

from companion.api import requests
from companion.api.settings import OwnerSettings, Restarting, SettingsChange, SettingsCheck
from web.route import Route, get, post


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


OWNER_ROUTES: tuple[Route, ...] = (*_settings(),)
"""All of them."""

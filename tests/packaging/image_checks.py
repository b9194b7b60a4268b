#!/usr/bin/python3
"""The checks on the booted image of arm64 (image.sh): those of boot_checks.py that need no source of apt."""

from __future__ import annotations

import sys
from collections.abc import Callable

from boot_checks import (
    a_game_is_played,
    a_phone_becomes_the_referees,
    doctor_asks_the_service,
    figures,
    name_is_published,
    nothing_has_failed,
    restore_as_root_leaves_a_service_that_starts,
    service_becomes_ready,
    table,
    the_hotspots_service_reports_that_there_is_no_radio,
    the_qr_code_has_the_address_of_the_home,
)
from guest_tools import carried_out, run, show, until


def processor_is_arm64() -> None:
    assert run("uname", "-m").strip() == "aarch64"
    assert run("dpkg-query", "-W", "-f=${Architecture}", "tabletop-companion") == "arm64"


def killed_service_takes_the_game_up() -> None:
    before, pid = table()["state"], show("MainPID")
    run("systemctl", "kill", "--kill-whom=main", "--signal=SIGKILL", "companion.service")
    until(lambda: show("MainPID") not in (pid, "0"), 120, "systemd starts it again")
    figures["kill_to_ready_s"] = until(lambda: show("ActiveState") == "active", 600, "it is ready again")
    assert table()["state"] == before


CHECKS: tuple[Callable[[], None], ...] = (
    processor_is_arm64,
    service_becomes_ready,
    name_is_published,
    the_qr_code_has_the_address_of_the_home,
    the_hotspots_service_reports_that_there_is_no_radio,
    doctor_asks_the_service,
    a_phone_becomes_the_referees,
    a_game_is_played,
    restore_as_root_leaves_a_service_that_starts,
    killed_service_takes_the_game_up,
    nothing_has_failed,
)


if __name__ == "__main__":
    sys.exit(carried_out(CHECKS, figures))

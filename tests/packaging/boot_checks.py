#!/usr/bin/python3
"""The checks on a booted appliance (boot.sh), as root and with Python's own library only.

What they find is written to /out (guest_tools.py).
"""

from __future__ import annotations

import base64
import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from guest_tools import OUT, carried_out, resolved, run, show, until

DATA = Path("/var/lib/companion")
STATUS = Path("/run/companion-update/status.json")
KEYS = Path("/etc/tabletop-companion/update-keys")
OLD, NEW, BROKEN = "0.1.0", "9.9.0", "9.9.9"
figures: dict[str, Any] = {}
cookie: dict[str, str] = {}


def ask(path: str, body: object = None, port: int = 80) -> tuple[int, dict[str, str], bytes]:
    """The answer to a request of a phone: status, headers, body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        sent = {
            "Host": "companion.local",
            "Origin": "http://companion.local",
            "Sec-Fetch-Site": "same-origin",
            **cookie,
        }
        if body is None:
            connection.request("GET", path, headers=sent)
        else:
            connection.request("POST", path, json.dumps(body), {**sent, "Content-Type": "application/json"})
        answer = connection.getresponse()
        if given := answer.getheader("Set-Cookie"):
            cookie["Cookie"] = given.partition(";")[0]
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def answers(port: int = 80) -> bool:
    """Whether the service answers on a port."""
    try:
        return ask("/state.json", port=port)[0] == 200
    except OSError:
        return False


def table() -> Any:
    """The table as a phone reads it."""
    shown = json.loads(ask("/state.json")[2])
    return shown.get("snapshot", shown)


def version() -> str:
    """The installed version."""
    return run("dpkg-query", "-W", "-f=${Version}", "tabletop-companion")


# --- the checks -------------------------------------------------------------------------------------------


def service_becomes_ready() -> None:
    until(lambda: show("ActiveState") == "active", 900, "systemd calls the service active")
    figures["start_s"] = round(
        (int(show("ActiveEnterTimestampMonotonic")) - int(show("InactiveExitTimestampMonotonic"))) / 1e6, 1
    )
    assert answers(80), "port 80"
    assert answers(8080), "port 8080"
    for unit in ("companion-http.socket", "companion-update.path", "companion-hotspot.service"):
        assert show("ActiveState", unit) == "active", unit
    assert show("NRestarts") == "0", show("NRestarts")


def name_is_published() -> None:
    """In a home with a router: NetworkManager gets an address there, and avahi answers."""
    assert socket.gethostname() == "companion", socket.gethostname()
    run("bash", "/out/home_network.sh")
    until(lambda: "192.168.77." in addresses(), 60, "an address from the router")
    found = re.search(r"inet (192\.168\.77\.\d+)/", addresses())
    assert found
    figures["address"] = found[1]
    figures["resolved_after_s"] = until(
        lambda: resolved("router", "192.168.77.1") == found[1], 60, "companion.local is resolved"
    )
    begin = "import urllib.request as u; print(u.urlopen('http://{}/state.json', timeout=60).status)"
    asked = run("ip", "netns", "exec", "router", sys.executable, "-c", begin.format(found[1]))
    assert asked.strip() == "200", asked


def addresses() -> str:
    """The addresses of the cable."""
    return run("ip", "-4", "address", "show", "home0")


def the_qr_code_has_the_address_of_the_home() -> None:
    status, headers, _ = ask("/generate_204")
    assert status == 302, status
    assert headers["Location"].startswith(f"http://{figures['address']}/"), headers["Location"]


def the_hotspots_service_reports_that_there_is_no_radio() -> None:
    """hotspot.sh has radios; here the service asks the real NetworkManager and reports to the pages."""
    file = Path("/run/companion-hotspot/status.json")
    until(file.exists, 60, "the report")
    assert json.loads(file.read_text()) == {"hotspot": None, "wifi": False, "networks": []}, file.read_text()
    assert (file.group(), file.stat().st_mode & 0o777) == ("companion", 0o640), file.stat()


def doctor_asks_the_service() -> None:
    """As root and as the user pi, who may read nothing of the service's data."""
    for user in ("root", "pi"):
        found = run("runuser", "-u", user, "--", "companion", "doctor", good=False)
        (OUT / f"doctor-{user}.log").write_text(found)
        assert re.search(r"^found +service +runs and answers on port 8080", found, re.MULTILINE), found
        assert re.search(r"^missing +camera", found, re.MULTILINE), found
        assert "Traceback" not in found, found
        assert not re.search(r"^missing +(journal|data folder|speech model)", found, re.MULTILINE), found


def a_phone_becomes_the_referees() -> None:
    code = run("companion", "pair").split()[0]
    status, _, said = ask("/api/role", {"code": code})
    assert status == 200, said


def packages_come_from_a_web_server() -> None:
    """As from a source of apt in the internet: what apt fetches is kept, packages of a folder are not."""
    server = (sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", "/srv", "8001")
    subprocess.Popen(server, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    source = "deb [trusted=yes] http://127.0.0.1:8001/repository ./\n"
    Path("/etc/apt/sources.list.d/companion.list").write_text(source)
    until(lambda: run("apt-get", "update", good=False).count("Err:") == 0, 60, "apt reads the source")


def a_game_is_played() -> None:
    for name, body in (
        ("new_game", {"game": "nasty_7", "players": ["Ida", "Jo"], "settings": {}}),
        ("event", {"event": "card_played", "player": "Ida", "card": "gun"}),
    ):
        status, _, said = ask(f"/api/command/{name}", body)
        assert status == 200, said


def asked_of_the_machine(action: str, available: str, state: str, installed: str) -> None:
    """Asks on the page, with `available` in apt's repository; waits for this state and this version."""
    repository = Path("/srv/repository")
    repository.unlink()
    repository.symlink_to(f"versions/{available}")
    before = table()["state"]
    status, _, said = ask("/api/update", {"action": action})
    assert status == 200, said
    assert b'"running"' in ask("/api/machine")[2]

    def ended() -> Any:
        try:
            return bool(
                json.loads(STATUS.read_text())["state"] != "running"
                and not (DATA / "update-request.json").exists()
            )
        except (OSError, ValueError):
            return False

    took = until(ended, 1200, f"{action} ends", 1.0)
    found = json.loads(STATUS.read_text())
    assert (found["state"], version()) == (state, installed), (found, version())
    until(answers, 60, "the service answers")
    assert table()["state"] == before, "the game"
    page = json.loads(ask("/api/machine")[2])["updates"]
    assert (page["result"], page["why"]) == (found["state"], found["why"]), page
    figures[f"{action}_{available}_s"] = took
    figures["kept_versions"] = page["versions"]


def without_a_newer_version_nothing_happens() -> None:
    asked_of_the_machine("update", "old", "current", OLD)


def update_installs_the_new_version() -> None:
    asked_of_the_machine("update", "new", "done", NEW)


def back_installs_the_one_before() -> None:
    asked_of_the_machine("back", "new", "done", OLD)


def back_again_installs_the_new_one() -> None:
    asked_of_the_machine("back", "new", "done", NEW)


def a_broken_version_is_replaced_by_the_one_before() -> None:
    asked_of_the_machine("update", "broken", "went_back", NEW)


def sent_by_a_phone(file: Path) -> Any:
    """Sends a signed file as the page does and has it installed; what became of it."""
    pieces, offset = 768 * 1024, 0
    with file.open("rb") as content:
        while piece := content.read(pieces):
            body = {"kind": "update", "offset": offset, "data": base64.b64encode(piece).decode()}
            status, _, said = ask("/api/upload", body)
            assert status == 200, said
            offset += len(piece)
    status, _, said = ask("/api/update", {"action": "install"})
    assert status == 200, said
    until(lambda: not (DATA / "update-request.json").exists(), 120, "the request is taken")
    until(lambda: json.loads(STATUS.read_text())["state"] != "running", 1200, "it ends", 1.0)
    return json.loads(STATUS.read_text())


def a_version_from_a_phone_needs_a_key() -> None:
    """The machine knows no key; then it knows another one than that of the file."""
    status, _, said = ask("/api/update", {"action": "install"})
    assert status != 200, said
    assert b"knows no key" in said, said
    KEYS.mkdir()
    shutil.copy(OUT / "other.pem", KEYS)
    found = sent_by_a_phone(next(OUT.glob("*.update")))
    assert found["state"] == "failed", found
    assert "not signed by a key that this machine trusts" in found["why"], found
    assert version() == OLD


def a_version_from_a_phone_is_installed() -> None:
    shutil.copy(OUT / "owner.pem", KEYS)
    before, begun = table()["state"], time.monotonic()
    found = sent_by_a_phone(next(OUT.glob("*.update")))
    assert (found["state"], found["why"], version()) == ("done", "", NEW), found
    until(answers, 60, "the service answers")
    assert table()["state"] == before
    assert not list((DATA / "uploads").iterdir())
    figures["sent_by_a_phone_s"] = round(time.monotonic() - begun, 1)


def back_after_a_broken_version_installs_the_one_before_that() -> None:
    asked_of_the_machine("back", "new", "done", OLD)


def restore_as_root_leaves_a_service_that_starts() -> None:
    before = table()["state"]
    backup = "/root/backup.zip"
    run("companion", "backup", backup)
    ask("/api/command/event", {"event": "card_played", "player": "Jo", "card": "gun"})
    assert table()["state"] != before
    run("systemctl", "stop", "companion.service", "companion-http.socket")
    run("companion", "backup", "--restore", backup)
    foreign = [str(one) for one in DATA.rglob("*") if one.owner() != "companion"]
    assert not foreign, foreign
    run("systemctl", "start", "companion-http.socket", "companion.service")
    assert answers(), "the service answers"
    assert table()["state"] == before
    assert show("NRestarts") == "0"


def nothing_has_failed() -> None:
    failed = run("systemctl", "--failed", "--plain", "--no-legend", "list-units", "companion*")
    assert not failed.strip(), failed


CHECKS: tuple[Callable[[], None], ...] = (
    service_becomes_ready,
    name_is_published,
    the_qr_code_has_the_address_of_the_home,
    the_hotspots_service_reports_that_there_is_no_radio,
    doctor_asks_the_service,
    a_phone_becomes_the_referees,
    a_game_is_played,
    packages_come_from_a_web_server,
    without_a_newer_version_nothing_happens,
    update_installs_the_new_version,
    back_installs_the_one_before,
    back_again_installs_the_new_one,
    a_broken_version_is_replaced_by_the_one_before,
    back_after_a_broken_version_installs_the_one_before_that,
    a_version_from_a_phone_needs_a_key,
    a_version_from_a_phone_is_installed,
    restore_as_root_leaves_a_service_that_starts,
    nothing_has_failed,
)


if __name__ == "__main__":
    sys.exit(carried_out(CHECKS, figures))

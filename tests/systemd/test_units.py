"""The units are right as systemd reads them, and the scripts as the shell does."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[2] / "systemd"

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed on this machine"
)


def installed(folder: Path) -> Path:
    """The unit as it is installed, with a program that exists on this machine."""
    text = (UNITS / "companion.service").read_text()
    unit = folder / "companion.service"
    unit.write_text(re.sub(r"/opt/companion/venv/bin/\w+", "/bin/true", text))
    return unit


@needs_systemd
def test_systemd_has_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    """A misspelt key gives exit status 0 and a warning: silence is what counts."""
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(installed(tmp_path))],
        capture_output=True,
        text=True,
        check=False,
    )
    own = [line for line in verified.stderr.splitlines() if "companion" in line]
    assert (verified.returncode, own) == (0, [])


@needs_systemd
def test_a_misspelt_key_would_be_noticed(tmp_path: Path) -> None:
    unit = installed(tmp_path)
    unit.write_text(unit.read_text().replace("WatchdogSec", "WatchdgoSec"))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert "WatchdgoSec" in verified.stderr


@needs_systemd
def test_the_service_is_hardened(tmp_path: Path) -> None:
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=17", str(installed(tmp_path))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stdout[-300:]


def test_the_unit_says_what_the_hardware_needs() -> None:
    unit = (UNITS / "companion.service").read_text()
    for line in (
        "Type=notify",
        "WorkingDirectory=/run/companion",
        "Environment=LG_WD=/run/companion",
        "Environment=GPIOZERO_PIN_FACTORY=lgpio",
        "ExecStart=/opt/companion/venv/bin/companion serve --no-browser",
    ):
        assert line in unit.splitlines()
    assert "/opt/companion/silence.py /run/companion/outputs" in unit
    watchdog = re.search(r"^WatchdogSec=(\d+)$", unit, re.MULTILINE)
    from companion.runtime.app import HANGS_S
    from companion.runtime.systemd import HEARTBEAT_S

    assert watchdog is not None
    assert int(watchdog[1]) > HEARTBEAT_S * 4
    assert int(watchdog[1]) > HANGS_S


def test_a_wrong_configuration_is_not_started_again_and_again() -> None:
    """The command line ends with 2 then; with anything else the service comes back."""
    unit = (UNITS / "companion.service").read_text()
    assert "Restart=always" in unit
    assert "RestartPreventExitStatus=2\n" in unit


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_the_scripts_are_shell_and_stop_at_the_first_error(script: str) -> None:
    path = UNITS / script
    assert path.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(path)], check=True)
    assert "set -euo pipefail" in path.read_text()


def test_an_unknown_option_removes_nothing() -> None:
    refused = subprocess.run(
        ["bash", str(UNITS / "uninstall.sh"), "--everything"], capture_output=True, text=True, check=False
    )
    assert refused.returncode in (1, 2)
    assert refused.stderr.startswith("uninstall: ")


def test_the_announcement_in_the_network_names_the_port_of_the_pages() -> None:
    from companion.core.config import Config

    root = ElementTree.parse(UNITS / "companion.avahi.service").getroot()
    assert root.findtext("service/port") == str(Config().pages.port)


@needs_systemd
def test_user_and_folder_are_made(tmp_path: Path) -> None:
    """systemd-sysusers and systemd-tmpfiles on an empty root."""
    (tmp_path / "etc").mkdir()
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", str(UNITS / "companion.sysusers")],
        check=True,
        capture_output=True,
    )
    users = (tmp_path / "etc/passwd").read_text()
    groups = (tmp_path / "etc/group").read_text()
    assert "companion:x:" in users
    assert re.search(r"^gpio:.*companion", groups, re.MULTILINE)
    subprocess.run(
        ["systemd-tmpfiles", "--create", f"--root={tmp_path}", str(UNITS / "companion.tmpfiles")],
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "var/lib/companion").is_dir()


def test_the_service_cannot_take_the_whole_machine() -> None:
    """A picture that is decoded takes 800 MB at most, beside the 350 of the service."""
    unit = dict(
        line.split("=", 1)
        for line in (UNITS / "companion.service").read_text().splitlines()
        if "=" in line and not line.startswith("#")
    )
    assert 1150 <= int(unit["MemoryMax"].removesuffix("M")) <= 1600
    assert 100 <= int(unit["TasksMax"]) <= 256
    assert int(unit["LimitNOFILE"]) > 600 + 200, "the connections of phones, and what else is open"

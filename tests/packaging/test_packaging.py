"""The Debian packages hold what the program needs. `make deb-test` installs them in Debian 12 and 13."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion import __version__

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
DEBIAN = ROOT / "debian"
VERSIONS = ("3.11", "3.13")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(version: str) -> dict[str, str]:
    lines = [
        line
        for part in ("common", version)
        for line in (PACKAGING / "python" / f"{part}.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    return dict(line.split("==") for line in lines)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_dependency_is_in_the_package(version: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {normal(re.split(r"[<>=;\[ ]", each, maxsplit=1)[0]) for each in project["dependencies"]}
    wanted |= {"paho-mqtt", *({"lgpio"} if version == "3.11" else set())}
    assert wanted - set(pins(version)) == set()


@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_libraries_need_is_in_the_package_too(version: str) -> None:
    """cffi for sounddevice, markupsafe for jinja2: pip is told to fetch no dependencies."""
    needed = {"cffi", "pycparser", "markupsafe", "jinja2", "itsdangerous", "blinker", "colorzero", "srt"}
    assert needed <= set(pins(version))


def test_the_changelog_has_the_version_of_the_program() -> None:
    first = (DEBIAN / "changelog").read_text().splitlines()[0]
    assert re.match(r"tabletop-companion \((.*)\)", first) is not None
    assert f"({__version__})" in first


def test_files_that_packages_install_exist() -> None:
    for listed in DEBIAN.glob("*.install"):
        for line in listed.read_text().splitlines():
            assert (ROOT / line.split()[0]).exists(), f"{listed.name}: {line}"


def test_the_unit_of_the_package_names_no_path_of_a_checkout(tmp_path: Path) -> None:
    subprocess.run([PACKAGING / "units.sh", ROOT / "systemd", tmp_path], check=True)
    unit = (tmp_path / "tabletop-companion.companion.service").read_text()
    assert "ExecStart=/usr/bin/companion serve --no-browser" in unit
    assert "/usr/lib/tabletop-companion/program/hardware/silence.py" in unit
    assert "/opt/" not in unit


def test_the_environment_finds_libraries_before_the_program(tmp_path: Path) -> None:
    for part in ("python3.11", "python3.13", "common"):
        (tmp_path / "usr/lib/x/libraries" / part).mkdir(parents=True)
    subprocess.run([PACKAGING / "environment.sh", tmp_path, "/usr/lib/x"], check=True)
    for version in VERSIONS:
        site = tmp_path / f"usr/lib/x/environment/lib/python{version}/site-packages/companion.pth"
        assert site.read_text().splitlines() == [
            f"/usr/lib/x/libraries/python{version}",
            "/usr/lib/x/libraries/common",
            "/usr/lib/x/program",
        ]
    assert (
        "include-system-site-packages = true" in (tmp_path / "usr/lib/x/environment/pyvenv.cfg").read_text()
    )


@pytest.mark.parametrize(
    "script",
    [
        *sorted(PACKAGING.rglob("*.sh")),
        *sorted(Path(__file__).parent.glob("*.sh")),
        *sorted(DEBIAN.glob("*.p[or]*")),
        *sorted(DEBIAN.glob("*.postinst")),
    ],
    ids=lambda path: path.name,
)
def test_the_scripts_are_shell_and_stop_at_the_first_error(script: Path) -> None:
    text = script.read_text()
    subprocess.run(["bash" if "bash" in text.splitlines()[0] else "sh", "-n", str(script)], check=True)
    assert re.search(r"^set -e|^#!/bin/bash -e$", text, re.MULTILINE)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize(
    "unit", sorted((ROOT / "systemd" / "appliance").iterdir()), ids=lambda path: path.name
)
def test_systemd_accepts_the_units_of_the_appliance(unit: Path, tmp_path: Path) -> None:
    copy = tmp_path / unit.name
    copy.write_text(unit.read_text().replace("/usr/bin/python3", "/bin/true"))
    service = (ROOT / "systemd" / "companion.service").read_text()
    (tmp_path / "companion.service").write_text(re.sub(r"/opt/companion/venv/bin/\w+", "/bin/true", service))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    found = [
        line for line in verified.stderr.splitlines() if "companion" in line and "NetworkManager" not in line
    ]
    assert found == []

"""Updates the companion, or goes back to the version before, when a page asks for it.

Runs as root and does nothing but that: the request is one of three words. Packages come from the sources of
apt that the owner of the machine has configured, whose signatures apt checks; from a file that a phone has
sent and a trusted key has signed; or from the versions that were installed before and are kept. A version
with which the service does not answer is replaced by the one before.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import subprocess
import time
import tomllib
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

MAIN, DATA, APPLIANCE = "tabletop-companion", "tabletop-companion-data", "tabletop-companion-appliance"
REQUEST = Path("/var/lib/companion/update-request.json")
"""What a page asks for: {"id", "action"}, `update`, `install` or `back`."""
UPLOADS, UPLOAD = Path("/var/lib/companion/uploads"), "update"
"""The folder with the files that phones have sent, and the name of the update in it."""
MOST_BYTES = 2**30
"""The largest file that is copied from there."""
PYTHON = "/usr/bin/python3"
OPEN_UPLOAD = Path("/usr/lib/tabletop-companion-appliance/open_upload.py")
KEYS = (
    Path("/usr/lib/tabletop-companion-appliance/update-key.pem"),
    Path("/etc/tabletop-companion/update-keys"),
)
"""Public keys whose updates are installed: the one in the installed package, and the owner's folder."""
CONFIG = Path("/var/lib/companion/config.toml")
STATUS = Path("/run/companion-update/status.json")
"""What the pages may know: {"id", "state", "version", "why"}."""
CACHE = Path("/var/cache/tabletop-companion")
"""Packages of versions that were installed before; an image for memory cards brings its own version."""
ANSWERS_S = 180.0
"""Seconds in which the service of a new version must answer."""
KEPT = 3
"""Versions that are kept."""
APT = ["apt-get", "-y", "-o", "Dpkg::Options::=--force-confold", "-o", "DPkg::Lock::Timeout=300"]
"""Waits while another program installs packages, e.g. the updates that Debian installs every day."""


class Failed(Exception):
    """A step did not succeed; the text is for the page."""


def run(*command: str) -> str:
    """The output of a command.

    Raises:
        Failed: it fails or is not there.
    """
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=1800, env=environ, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(f"{command[0]}: {error}") from error
    if done.returncode:
        raise Failed(f"{command[0]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    return done.stdout


def installed() -> str:
    """The version that is installed."""
    return run("dpkg-query", "-W", "-f=${Version}", MAIN)


def kept() -> dict[str, list[Path]]:
    """Version -> its packages, of those that can be installed again without a network."""
    found: dict[str, list[Path]] = {}
    for file in sorted(CACHE.glob("*.deb")):
        parts = file.name.removesuffix(".deb").split("_")
        if len(parts) == 3:
            found.setdefault(parts[1].replace("%3a", ":"), []).append(file)
    needed = {MAIN, DATA}
    return {
        version: files
        for version, files in found.items()
        if needed <= {file.name.split("_")[0] for file in files}
    }


def keep(folder: Path) -> None:
    """Keeps the packages of the companion in a folder; the oldest versions go."""
    CACHE.mkdir(parents=True, exist_ok=True)
    for file in folder.glob(f"{MAIN}*.deb"):
        shutil.move(file, CACHE / file.name)
    by_age = sorted(kept().items(), key=lambda one: max(file.stat().st_mtime for file in one[1]))
    for version, files in by_age[:-KEPT]:
        if version != installed():
            for file in files:
                file.unlink()


def keep_present(version: str) -> None:
    """Fetches the packages of the present version, so that it can be gone back to."""
    if version in kept():
        return
    with incoming() as folder, contextlib.suppress(Failed):
        names = [f"{name}={version}" for name in (MAIN, DATA, APPLIANCE)]
        run(*APT, "-o", f"Dir::Cache::archives={folder}", "--download-only", "--reinstall", "install", *names)
        keep(folder)


@contextlib.contextmanager
def incoming() -> Iterator[Path]:
    """An empty folder for what apt fetches."""
    folder = CACHE / "incoming"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "partial").mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def update(before: str) -> tuple[str, str]:
    """Installs the newest version of the sources of apt; the state and why.

    Raises:
        Failed: nothing was installed.
    """
    keep_present(before)
    run(*APT, "update")
    with incoming() as folder:
        run(*APT, "-o", f"Dir::Cache::archives={folder}", "-o", "APT::Keep-Downloaded-Packages=true",
            "install", "--only-upgrade", MAIN, DATA, APPLIANCE)  # fmt: skip
        keep(folder)
    now = installed()
    return ("current", "") if now == before else kept_if_it_answers(now, before)


def kept_if_it_answers(now: str, before: str) -> tuple[str, str]:
    """Installs the version before if the service of the new one does not answer; the state and why.

    Raises:
        Failed: the one before cannot be installed.
    """
    if answers():
        return "done", ""
    install(before)
    forget(now)
    return "went_back", "the service of the new version did not answer"


def forget(version: str) -> None:
    """Keeps a version no longer: nobody shall go "back" to one that did not work."""
    for file in kept().get(version, []):
        file.unlink()


def install_upload(before: str) -> tuple[str, str]:
    """Installs the version that a phone has sent; the state and why.

    Raises:
        Failed: it is not signed by a trusted key, is no newer version, or cannot be installed.
    """
    with incoming() as folder:
        file, opened = folder / "upload", folder / "opened"
        take_upload(file)
        opened.mkdir()
        keys = trusted_keys()
        try:
            run(PYTHON, "-I", str(OPEN_UPLOAD), str(file), str(opened), *map(str, keys))
        except Failed as error:
            raise Failed(str(error).removeprefix(f"{PYTHON}: ")) from error
        version = only_version(opened)
        if not is_newer(version, before):
            raise Failed(f"version {version} is not newer than {before}")
        keep_present(before)
        keep(opened)
    try:
        install(version)
    except Failed as error:
        install(before)
        forget(version)
        raise Failed(f"version {version} cannot be installed: {error}") from error
    return kept_if_it_answers(version, before)


def take_upload(target: Path) -> None:
    """Copies the file that a phone has sent, and deletes it. The service with the pages may write in its
    folder, so no link is followed there, and what is checked later is the copy.

    Raises:
        Failed: there is none, or it is no plain file.
    """
    try:
        folder = os.open(UPLOADS, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise Failed("no update was sent") from error
    try:
        number = os.open(UPLOAD, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        with os.fdopen(number, "rb") as sent, target.open("xb") as copy:
            about = os.fstat(number)
            if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
                raise Failed("what was sent is no plain file, or too large")
            shutil.copyfileobj(sent, copy)
        os.unlink(UPLOAD, dir_fd=folder)
    except OSError as error:
        raise Failed(f"no update was sent, or it cannot be copied: {error.strerror}") from error
    finally:
        os.close(folder)


def trusted_keys() -> list[Path]:
    """The public keys whose updates are installed.

    Raises:
        Failed: there is none.
    """
    found = [one for place in KEYS for one in ([place] if place.is_file() else sorted(place.glob("*.pem")))]
    if not found:
        raise Failed("this machine has no key for updates")
    return found


def only_version(folder: Path) -> str:
    """The version of the packages in a folder, which must be the three of the companion.

    Raises:
        Failed: they are others, or of several versions.
    """
    versions, names = set(), []
    for file in sorted(folder.glob("*.deb")):
        name, version, architecture = run(
            "dpkg-deb", "--show", "--showformat=${Package} ${Version} ${Architecture}", str(file)
        ).split()
        if file.name != f"{name}_{version}_{architecture}.deb":
            raise Failed(f"{file.name} holds {name} {version}")
        versions.add(version)
        names.append(name)
    if len(versions) != 1 or sorted(names) != sorted([MAIN, DATA, APPLIANCE]):
        raise Failed("the update does not hold the packages of one version")
    return versions.pop()


def is_newer(version: str, before: str) -> bool:
    """Whether a version is newer than another."""
    try:
        run("dpkg", "--compare-versions", version, "gt", before)
    except Failed:
        return False
    return True


def install(version: str) -> None:
    """Installs a version that is kept.

    Raises:
        Failed: it is not kept, or cannot be installed.
    """
    files = kept().get(version)
    if not files:
        raise Failed(f"version {version} is not kept")
    # Not by apt: without a network it cannot install a file whose version its sources have, too.
    # The program first: the data of one version may not be unpacked beside the program of an older one.
    ordered = sorted(files, key=lambda file: file.name.partition("_")[0])
    run("dpkg", "--force-confold", "--auto-deconfigure", "--install", *map(str, ordered))


def back(before: str) -> tuple[str, str]:
    """Installs the version that was installed last before this one; the state and why.

    Raises:
        Failed: none is kept, or it cannot be installed.
    """
    others = {version: files for version, files in kept().items() if version != before}
    if not others:
        raise Failed("no earlier version is kept")
    install(max(others, key=lambda version: max(file.stat().st_mtime for file in others[version])))
    return ("done", "") if answers() else ("failed", "the service does not answer")


def answers() -> bool:
    """Whether the service answers in time."""
    port = 8080
    with contextlib.suppress(OSError, tomllib.TOMLDecodeError):
        port = int(tomllib.loads(CONFIG.read_text()).get("pages", {}).get("port", port))
    last = time.monotonic() + ANSWERS_S
    while time.monotonic() < last:
        address = f"http://127.0.0.1:{port}/state.json"
        with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(address, timeout=10) as answer:
            if isinstance(json.load(answer), dict):
                return True
        time.sleep(2)
    return False


def publish(number: str, state: str, why: str = "") -> None:
    """Writes what the pages may know."""
    part = STATUS.with_suffix(".part")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640), "w") as file:
        json.dump({"id": number, "state": state, "why": why}, file)
    part.replace(STATUS)


def main(actions: Sequence[str] = ("update", "install", "back")) -> None:
    """Carries out the request and deletes it: systemd starts this program for as long as there is one. A
    request that cannot be read changes nothing."""
    number, action = "", ""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        wanted = json.loads(REQUEST.read_text())
        number, action = str(wanted["id"]), str(wanted["action"])
    if action in actions:
        publish(number, "running")  # before: the pages must not see the result of the request before this one
    REQUEST.unlink(missing_ok=True)
    if action not in actions:
        return
    try:
        before = installed()
        steps = {"update": update, "install": install_upload, "back": back}
        state, why = steps[action](before)
    except Failed as error:
        state, why = "failed", str(error)
    publish(number, state, why)


if __name__ == "__main__":
    main()

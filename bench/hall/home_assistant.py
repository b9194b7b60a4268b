"""Checks the discovery messages against Home Assistant's own schemas: `make home-assistant`.

    python -m bench.hall.home_assistant [--venv FOLDER]

Home Assistant is installed into a virtual environment of its own (about 300 MB; a folder that exists is used
again), with the versions that it names in its constraints. Each message must pass the schema of its platform,
and none of its keys may be dropped: Home Assistant ignores keys that it does not know.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

from companion.mqtt.discovery import discovery

VERSION = "2024.3.3"
"""The oldest one that the messages are made for, and the latest for Python 3.11."""
CHECK = """
import importlib, json, sys

known = json.load(sys.stdin)
for topic, config in known:
    platform = topic.split("/")[1]
    schema = importlib.import_module(f"homeassistant.components.mqtt.{platform}").DISCOVERY_SCHEMA
    accepted = schema(dict(config))
    dropped = sorted(set(config) - {str(key) for key in accepted})
    if dropped:
        sys.exit(f"{topic}: Home Assistant does not know {dropped}")
version = importlib.import_module("homeassistant.const").__version__
print(len(known), "messages accepted by Home Assistant", version)
"""


def install(folder: Path) -> Path:
    """Makes the environment, if it is not there; returns its Python."""
    python = folder / "bin" / "python"
    if python.exists():
        return python
    venv.create(folder, with_pip=True)
    pip = [str(python), "-m", "pip", "-q"]
    wanted = f"homeassistant=={VERSION}"
    subprocess.run([*pip, "download", "--no-deps", "-d", str(folder), wanted], check=True)
    with zipfile.ZipFile(next(folder.glob("homeassistant-*.whl"))) as wheel:
        constraints = wheel.extract("homeassistant/package_constraints.txt", folder)
    subprocess.run([*pip, "install", "--prefer-binary", wanted, "paho-mqtt", "-c", constraints], check=True)
    return python


def check(python: Path) -> int:
    """Runs the check in the environment; its exit status."""
    messages = [
        (topic, json.loads(payload))
        for topic, payload in discovery("window", commands=True, pages="http://192.168.1.20:8080/")
    ]
    done = subprocess.run([str(python), "-c", CHECK], input=json.dumps(messages), text=True, check=False)
    return done.returncode


def main() -> int:
    """Installs and checks; 0 if every message is accepted completely."""
    parser = argparse.ArgumentParser(prog="python -m bench.hall.home_assistant")
    parser.add_argument("--venv", type=Path, help="folder of the environment; default: a temporary one")
    given = parser.parse_args()
    if given.venv is not None:
        return check(install(given.venv.absolute()))
    with tempfile.TemporaryDirectory(prefix="home-assistant") as folder:
        return check(install(Path(folder)))


if __name__ == "__main__":
    sys.exit(main())

"""Lets schemathesis ask a service of its own what its OpenAPI description promises.

    python -m bench.hostile.description                 needs `pip install schemathesis`

Every phone is the referee's there, so that what is behind the role is reached, too.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.hostile.target import Target

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
"""Checks of schemathesis: no 5xx but those that are described, and answers as described."""


def main() -> None:
    """Starts the service, runs schemathesis; its exit status is this one's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=20, help="requests for each address and kind")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--program", default=shutil.which("schemathesis"), help="schemathesis itself")
    chosen = parser.parse_args()
    if chosen.program is None:
        raise SystemExit("schemathesis is not installed")
    with tempfile.TemporaryDirectory() as name:
        data = Path(name)
        (data / "config.toml").write_text('[camera]\nbackend = "none"\n[pages]\nopen_to_all = true\n')
        running = Target(data)
        try:
            base = f"http://127.0.0.1:{running.port}"
            command = [chosen.program, "run", f"{base}/api/openapi.json", "--url", base]
            command += ["-H", f"Origin: {base}", "--exclude-path", "/events", "--checks", ",".join(CHECKS)]
            command += ["--phases", "coverage,fuzzing", "--max-examples", str(chosen.examples)]
            command += ["--max-time", str(chosen.seconds), "--seed", "7", "--request-timeout", "30"]
            sys.exit(subprocess.run(command, check=False).returncode)
        finally:
            running.close()


if __name__ == "__main__":
    main()

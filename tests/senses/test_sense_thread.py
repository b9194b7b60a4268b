"""The threads of the senses."""

import sys
from subprocess import run

import pytest

SCRIPT = (
    "import os, threading; from companion.senses.thread import NICENESS, lower_priority\n"
    "before = os.nice({more}); lower_priority()\n"
    "assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == max(NICENESS, before)"
)


@pytest.mark.skipif(sys.platform != "linux", reason="threads have a niceness of their own on Linux only")
@pytest.mark.parametrize("more", [0, 3, 15])
def test_a_lower_priority_of_the_service_is_kept(more: int) -> None:
    done = run(
        [sys.executable, "-c", SCRIPT.format(more=more)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr

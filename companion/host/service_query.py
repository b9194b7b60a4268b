"""Asks the running service on this machine what it knows: `companion doctor` needs no rights for that."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any

from companion.core.finding import Finding
from companion.core.message import Message, message

ANSWER_S = 10.0
"""Seconds within which a service that works answers."""
SERVICE = message("doctor.name_service")


def listening(port: int) -> bool:
    """Whether something listens on the port of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def service_findings(port: int) -> list[Finding] | None:
    """The findings of the service on this port of this machine; None: what listens there is no companion.

    A service that accepts connections and does not answer is a finding.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_S)
    try:
        connection.request("GET", "/api/checks", headers={"Accept-Language": "en"})
        answer = connection.getresponse()
        found = json.loads(answer.read(1 << 20)) if answer.status == 200 else {}
        running = message("doctor.service_runs", port=port)
        return [Finding(SERVICE, True, running), *map(_finding, found["findings"])]
    except TimeoutError:
        late = message("doctor.no_answer", seconds=ANSWER_S)
        return [Finding(SERVICE, False, late, message("doctor.restart_service"), needed=True)]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()


def _finding(found: Mapping[str, Any]) -> Finding:
    remedy = _text(found["remedy"]) if found.get("remedy") else None
    return Finding(_text(found["name"]), found["there"], _text(found["what"]), remedy, bool(found["needed"]))


def _text(sentence: str) -> Message:
    return message("library.words", words=str(sentence))

"""A connection with TLS: the configured authority must have signed the broker's certificate, for its name."""

import gc
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from mosquitto_broker import Mosquitto

from companion.core.config import Mqtt
from companion.core.errors import Unavailable
from companion.mqtt.broker import BrokerConnection, check

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""paho-mqtt leaves the socket of a refused certificate to the garbage collector (2.2.0)."""


def openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority and a certificate of it for 127.0.0.1."""
    folder = tmp_path_factory.mktemp("certificates")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    for name in ("ca", "other"):
        subject = ["-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt"]
        openssl(folder, "req", "-x509", *key, *subject)
    openssl(folder, "req", *key[:-2], "-subj", "/CN=broker", "-keyout", "broker.key", "-out", "broker.csr")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
    openssl(folder, "x509", "-req", "-in", "broker.csr", *signed, "-out", "broker.crt")
    return folder


@pytest.fixture
def encrypted(tmp_path: Path, certificates: Path) -> Iterator[Mosquitto]:
    lines = [f"certfile {certificates / 'broker.crt'}", f"keyfile {certificates / 'broker.key'}"]
    broker = Mosquitto(tmp_path / "broker", *lines)
    yield broker
    broker.kill()


def reached(broker: Mosquitto, **changes: object) -> bool:
    connected = check(broker.config(**changes), "probe") == ""
    gc.collect()  # so that paho's warning comes in this test, where it is expected
    return connected


def test_the_right_authority_is_needed(encrypted: Mosquitto, certificates: Path) -> None:
    assert reached(encrypted, tls=True, ca_file=str(certificates / "ca.crt"))
    assert not reached(encrypted, tls=True, ca_file=str(certificates / "other.crt"))
    assert not reached(encrypted, tls=True), "the system does not know the authority"
    assert not reached(encrypted, tls=False)


def test_the_name_in_the_certificate_is_checked(encrypted: Mosquitto, certificates: Path) -> None:
    assert not reached(encrypted, tls=True, ca_file=str(certificates / "ca.crt"), host="localhost")


def test_a_missing_certificate_is_named(tmp_path: Path) -> None:
    config = Mqtt(host="127.0.0.1", ca_file=str(tmp_path / "missing.crt"))
    with pytest.raises(Unavailable, match=r"missing\.crt cannot be read"):
        BrokerConnection(config, "probe")

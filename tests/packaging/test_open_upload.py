"""A version that a phone sends: nothing of it is unpacked unless a trusted key has signed it."""

import importlib.util
import io
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"
FILE = PACKAGING / "appliance" / "open_upload.py"
NAMES = (
    "tabletop-companion_2.0_arm64.deb",
    "tabletop-companion-data_2.0_all.deb",
    "tabletop-companion-appliance_2.0_all.deb",
)
Change = Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("open_upload", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["open_upload"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with keys, packages, and the file that sign.sh makes of them."""
    folder = tmp_path_factory.mktemp("signed")
    (folder / "packages").mkdir()
    for name in NAMES:
        (folder / "packages" / name).write_bytes(name.encode() * 50_000)
    for owner in ("mine", "other"):
        key = folder / f"{owner}.key"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True)
        public = ["openssl", "pkey", "-in", key, "-pubout", "-out", folder / f"{owner}.pem"]
        subprocess.run(public, check=True)
    # sign.sh asks dpkg-deb for the version; these packages are none.
    (folder / "bin").mkdir()
    (folder / "bin" / "dpkg-deb").write_text("#!/bin/sh\necho 2.0\n")
    (folder / "bin" / "dpkg-deb").chmod(0o755)
    command = [PACKAGING / "sign.sh", folder / "mine.key", folder / "packages", folder, "arm64"]
    subprocess.run(command, check=True, env={"PATH": f"{folder / 'bin'}:/usr/bin:/bin"})
    return folder


def changed(made: Path, tmp_path: Path, change: Change) -> Path:
    """The signed file with other contents."""
    with tarfile.open(made / "tabletop-companion_2.0_arm64.update") as archive:
        members = [(one, (archive.extractfile(one) or io.BytesIO()).read()) for one in archive]
    change(members)
    file = tmp_path / "changed.update"
    with tarfile.open(file, "w") as archive:
        for about, content in members:
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return file


def test_what_the_own_key_has_signed_is_unpacked(program: ModuleType, made: Path, tmp_path: Path) -> None:
    file = made / "tabletop-companion_2.0_arm64.update"
    program.main(file, tmp_path, [made / "other.pem", made / "mine.pem"])
    for name in NAMES:
        assert (tmp_path / name).read_bytes() == (made / "packages" / name).read_bytes()


@pytest.mark.parametrize("keys", [["other.pem"], []])
def test_another_key_is_refused(program: ModuleType, made: Path, tmp_path: Path, keys: list[str]) -> None:
    file = made / "tabletop-companion_2.0_arm64.update"
    with pytest.raises(program.Refused, match="not signed by a key"):
        program.main(file, tmp_path, [made / key for key in keys])
    assert not list(tmp_path.glob("*.deb"))


def of_another_key(made: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    """The list of digests signed again, by the other key."""
    listed = made / "listed"
    listed.write_bytes(members[0][1])
    command = ["openssl", "pkeyutl", "-sign", "-inkey", made / "other.key", "-rawin", "-in", listed]
    members[1] = (members[1][0], subprocess.run(command, check=True, capture_output=True).stdout)


def test_a_signature_of_another_key_is_refused(program: ModuleType, made: Path, tmp_path: Path) -> None:
    file = changed(made, tmp_path, lambda members: of_another_key(made, members))
    with pytest.raises(program.Refused, match="not signed by a key"):
        program.main(file, tmp_path, [made / "mine.pem"])
    program.main(file, tmp_path, [made / "other.pem"])


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    about = tarfile.TarInfo(name)
    about.type, about.linkname = kind, link
    return about


def swap(at: int, content: bytes) -> Change:
    def change(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        members[at] = (members[at][0], content)

    return change


def add(about: tarfile.TarInfo, content: bytes = b"") -> Change:
    return lambda members: members.append((about, content))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (swap(2, b"another program"), "changed after it was signed"),
        (swap(0, b"0" * 64 + b"  " + NAMES[0].encode() + b"\n"), "not signed by a key"),
        (swap(1, b"x" * 64), "not signed by a key"),
        (swap(0, b"x" * 100_000), "too large"),
        (lambda members: members.pop(), "other files than its list names"),
        (add(member("more_1_all.deb"), b"more"), "other files than its list names"),
        (add(member("../evil.deb"), b"more"), "other files than its list names"),
        (add(member("link.deb", tarfile.SYMTYPE, "/etc/shadow")), "other things than packages"),
        (add(member(NAMES[0]), b"the same name again"), "other things than packages"),
        (lambda members: members.clear(), "SHA256SUMS is missing"),
    ],
)
def test_a_changed_file_is_refused(
    program: ModuleType, made: Path, tmp_path: Path, change: Change, why: str
) -> None:
    file = changed(made, tmp_path, change)
    target = tmp_path / "opened"
    target.mkdir()
    with pytest.raises(program.Refused, match=why):
        program.main(file, target, [made / "mine.pem"])
    assert not (target / NAMES[0]).exists() or "list names" not in why
    assert not list(tmp_path.glob("evil*"))


def test_what_is_no_archive_is_refused(program: ModuleType, made: Path, tmp_path: Path) -> None:
    file = tmp_path / "holiday.jpg"
    file.write_bytes(b"\xff\xd8" + bytes(5000))
    with pytest.raises(program.Refused, match="the file is no update"):
        program.main(file, tmp_path, [made / "mine.pem"])


def test_as_a_command_it_says_why(made: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-I", FILE, made / "tabletop-companion_2.0_arm64.update", tmp_path]
    done = subprocess.run([*command, made / "other.pem"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "the update is not signed by a key that this machine trusts\n"

"""Checks an update that a phone has sent, and unpacks its packages.

    python3 -I open_upload.py FILE FOLDER KEY...

FILE is a tar archive, made by packaging/sign.sh: Debian packages, SHA256SUMS with their digests, and
SHA256SUMS.sig, its signature by Ed25519. KEY is a public key in PEM; one of them must have signed. Whoever
sent the file is not trusted: nothing is unpacked before the signature is right, and no package stays in
FOLDER whose digest is not the signed one. If anything is wrong, the exit status is 1 and standard error has
the reason; FOLDER must not be used then.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
from pathlib import Path

SUMS, SIGNATURE = "SHA256SUMS", "SHA256SUMS.sig"
MOST_LISTED = 64 * 1024
"""Bytes of the list of digests, and of the signature."""
MOST_FILES = 10
LINE = re.compile(r"([0-9a-f]{64})  ([a-z0-9][A-Za-z0-9.+~_-]*\.deb)")
CHUNK = 1 << 20


class Refused(Exception):
    """The file is not installed; the text says why."""


def main(file: Path, folder: Path, keys: list[Path]) -> None:
    """Writes the packages of `file` to `folder`.

    Raises:
        Refused: it is no update, no key has signed it, or it was changed.
    """
    try:
        with tarfile.open(file, "r:") as archive:
            members = _members(archive)
            listed, signature = (_small(archive, members, name) for name in (SUMS, SIGNATURE))
            if not any(signed(listed, signature, key, folder) for key in keys):
                raise Refused("the update is not signed by a key that this machine trusts")
            digests = _digests(listed)
            if set(members) != {*digests, SUMS, SIGNATURE}:
                raise Refused("the update holds other files than its list names")
            for name, digest in digests.items():
                _unpack(archive, members[name], digest, folder / name)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise Refused(f"the file is no update: {error}") from error


def signed(listed: bytes, signature: bytes, key: Path, folder: Path) -> bool:
    """Whether a key has signed the list; `folder` takes both for openssl."""
    (folder / SUMS).write_bytes(listed)
    (folder / SIGNATURE).write_bytes(signature)
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(key), "-rawin",
               "-in", str(folder / SUMS), "-sigfile", str(folder / SIGNATURE)]  # fmt: skip
    return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0


def _members(archive: tarfile.TarFile) -> dict[str, tarfile.TarInfo]:
    """The files by name: a few plain ones, each once."""
    found: dict[str, tarfile.TarInfo] = {}
    for member in archive:
        plain = member.isreg() and not member.issparse()  # a sparse one may be larger than the disk
        if not plain or member.name in found or len(found) == MOST_FILES:
            raise Refused("the file is no update: it holds other things than packages")
        found[member.name] = member
    return found


def _small(archive: tarfile.TarFile, members: dict[str, tarfile.TarInfo], name: str) -> bytes:
    member = members.get(name)
    content = archive.extractfile(member) if member is not None else None
    if member is None or content is None or member.size > MOST_LISTED:
        raise Refused(f"the file is no update: {name} is missing or too large")
    return content.read()


def _digests(listed: bytes) -> dict[str, str]:
    """Name of each package -> its SHA-256, from the signed list, which sha256sum has written."""
    digests = {}
    for line in listed.decode("ascii", errors="replace").splitlines():
        found = LINE.fullmatch(line)
        if found is None:
            raise Refused("the list of digests cannot be read")
        digests[found[2]] = found[1]
    return digests


def _unpack(archive: tarfile.TarFile, member: tarfile.TarInfo, digest: str, target: Path) -> None:
    content = archive.extractfile(member)
    if content is None:
        raise Refused(f"{member.name} cannot be read")
    measured = hashlib.sha256()
    with target.open("xb") as file:
        while chunk := content.read(CHUNK):
            measured.update(chunk)
            file.write(chunk)
    if measured.hexdigest() != digest:
        target.unlink()
        raise Refused(f"{member.name} was changed after it was signed")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]), [Path(one) for one in sys.argv[3:]])
    except Refused as refused:
        sys.exit(str(refused))

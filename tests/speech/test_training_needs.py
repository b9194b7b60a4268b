"""What training a speech model needs is named, with where it comes from."""

from pathlib import Path

from models.speech.train import needs
from models.speech.train.needs import Need


def test_the_same_recordings_have_the_same_digest(tmp_path: Path) -> None:
    assert needs.digest(tmp_path) == ""
    (tmp_path / "one.wav").write_bytes(b"1")
    first = needs.digest(tmp_path)
    (tmp_path / "notes.txt").write_text("no recording")
    assert needs.digest(tmp_path) == first
    (tmp_path / "one.wav").write_bytes(b"2")
    assert needs.digest(tmp_path) != first


def test_what_is_missing_and_what_is_of_another_version_are_told_apart() -> None:
    there = Need("torch", "2.13.0", "2.13.0", "pip")
    other = Need("flite", "2.2-5", "2.3-1", "apt install flite")
    missing = Need("fsdd", "41dd", "", "github.com")
    assert [one.met for one in (there, other, missing)] == [True, False, False]
    assert needs.listed([there, other, missing]).splitlines() == [
        "torch 2.13.0: ok (pip)",
        "flite 2.2-5: other version: 2.3-1 (apt install flite)",
        "fsdd 41dd: MISSING (github.com)",
    ]


def test_everything_has_a_source(tmp_path: Path) -> None:
    found = list(needs.needs(tmp_path))
    assert {"fsdd", "noises", "espeak-ng", "torch"} <= {one.name for one in found}
    assert all(one.source for one in found)
    assert not any(one.met for one in found if one.name in ("fsdd", "noises"))


def test_installed_packages_have_a_version() -> None:
    assert needs.library_version("numpy")
    assert needs.library_version("no-such-package") == ""
    assert needs.debian_version("no-such-package") == ""

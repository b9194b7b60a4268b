"""Codes, and the phones that they made the referee's."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.store import pairing
from companion.store.pairing import MOST_WRONG, VALID_S, PairingFile
from companion.store.phones import MOST, PhoneRegistry

KEY = b"k" * 32


def wall() -> datetime:
    return datetime(2026, 11, 22, 20, 0, tzinfo=UTC)


def phones(folder: Path, key: bytes = KEY) -> PhoneRegistry:
    return PhoneRegistry(folder / "phones.json", key, wall)


def test_a_code_is_for_one_phone(tmp_path: Path) -> None:
    codes = PairingFile(tmp_path)
    assert not codes.use("000000"), "there is none"
    code, seconds = codes.fresh()
    assert (len(code), code.isdecimal(), seconds) == (6, True, VALID_S)
    assert os.stat(tmp_path / "pairing").st_mode & 0o777 == 0o600
    assert PairingFile(tmp_path).use(code), "another process has made it"
    assert not codes.use(code)


def test_a_code_is_void_after_ten_wrong_ones(tmp_path: Path) -> None:
    codes = PairingFile(tmp_path)
    code, _ = codes.fresh()
    wrong = "000000" if code != "000000" else "000001"
    assert not any(codes.use(wrong) for _ in range(MOST_WRONG - 1))
    assert codes.use(code)
    code, _ = codes.fresh()
    assert not any(codes.use("x") for _ in range(MOST_WRONG))
    assert not codes.use(code)


def test_a_code_is_void_after_its_time_and_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    codes = PairingFile(tmp_path, lambda: now[0])
    code, _ = codes.fresh()
    now[0] += VALID_S + 0.1
    assert not codes.use(code)
    code, _ = codes.fresh()
    monkeypatch.setattr(pairing, "BOOT", tmp_path / "another boot")
    assert not codes.use(code)


def test_three_hundred_addresses_do_not_find_a_code(tmp_path: Path) -> None:
    """Ten guesses at a code, however many addresses guess: one in 100,000."""
    codes = PairingFile(tmp_path)
    code, _ = codes.fresh()
    assert not any(codes.use(f"x{guess}") for guess in range(MOST_WRONG))
    assert not codes.use(code)
    assert not PairingFile(tmp_path).use(code), "nor after a restart"


def test_a_screen_shows_one_code_while_it_is_valid(tmp_path: Path) -> None:
    now = [100.0]
    codes = PairingFile(tmp_path, lambda: now[0])
    code, seconds = codes.shown()
    assert seconds == VALID_S
    now[0] += 100.0
    assert codes.shown() == (code, VALID_S - 100.0)
    assert codes.use(code)
    another, _ = codes.shown()
    assert codes.use(another)
    now[0] += VALID_S + 1.0
    assert codes.shown()[1] == VALID_S


def test_a_screen_makes_guessing_no_easier(tmp_path: Path) -> None:
    """An hour of guesses at a code that is always shown: ten for each ten minutes, one in 16,000 in all."""
    now = [0.0]
    codes = PairingFile(tmp_path, lambda: now[0])
    tried = 0
    while now[0] < 3600.0:
        code, _ = codes.shown()
        tried += 1 if code else 0
        assert not codes.use("x")
        now[0] += 1.0
    assert MOST_WRONG <= tried <= 7 * MOST_WRONG


def test_wrong_codes_count_on_a_disk_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = PairingFile(tmp_path)
    code, _ = codes.fresh()

    def full(*arguments: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    monkeypatch.setattr(Path, "unlink", full)
    assert not any(codes.use("x") for _ in range(MOST_WRONG - 1))
    assert codes.use(code)
    assert not codes.use(code), "for one phone, also if the file stays"


def test_a_phone_stays_the_referees_across_restarts_and_steps_of_the_clock(tmp_path: Path) -> None:
    phones(tmp_path).make_referee("secret", "Android", True)
    later = PhoneRegistry(tmp_path / "phones.json", KEY, lambda: datetime(2001, 1, 1, tzinfo=UTC))
    assert later.is_referee("secret")
    assert not later.is_referee("another")
    assert "secret" not in (tmp_path / "phones.json").read_text()
    later.make_referee("secret", "", False)
    assert not phones(tmp_path).is_referee("secret")


def test_another_key_makes_all_phones_strangers(tmp_path: Path) -> None:
    phones(tmp_path).make_referee("secret", "Android", True)
    assert not phones(tmp_path, b"another key of the table").is_referee("secret")


def test_a_player_has_one_phone_unless_the_referee_says_otherwise(tmp_path: Path) -> None:
    known = phones(tmp_path)
    assert known.claim("a", "Android", "Ida")
    assert not known.claim("b", "iPhone", "Ida")
    assert known.claim("b", "iPhone", "Jo")
    assert (known.player("a"), known.player("b")) == ("Ida", "Jo")
    known.make_referee("c", "iPad", True)
    assert known.claim("c", "iPad", "Ida")
    assert known.player("a") is None
    assert [(one.player, this) for one, this in known.all("c")] == [("Jo", False), ("Ida", True)]
    known.revoke(known.all("c")[1][0].number)
    assert (known.player("c"), known.is_referee("c")) == (None, False)


def test_guests_do_not_push_the_referee_out(tmp_path: Path) -> None:
    known = phones(tmp_path)
    known.make_referee("referee", "Android", True)
    for number in range(MOST + 20):
        known.claim(f"guest {number}", "Android", f"player {number}")
    assert known.is_referee("referee")
    assert len(known.all("")) == MOST


def test_a_damaged_file_makes_nobody_the_referee(tmp_path: Path) -> None:
    phones(tmp_path).make_referee("secret", "Android", True)
    (tmp_path / "phones.json").write_text('{"key": 7}')
    assert not phones(tmp_path).is_referee("secret")

"""Temperature and wear of the card."""

from pathlib import Path

import pytest

from hardware.wear import card, temperature

DEVICE = (179 << 8) | 2


def sys_of(tmp_path: Path, written_kb: int, errors: int = 0, life: str = "") -> Path:
    sys = tmp_path / "sys"
    partition = sys / "devices/mmc0/block/mmcblk0/mmcblk0p2"
    partition.mkdir(parents=True)
    (partition / "size").write_text(str(32_000_000_000 // 512))
    (sys / "dev/block").mkdir(parents=True)
    (sys / "dev/block/179:2").symlink_to(partition)
    about = sys / "fs/ext4/mmcblk0p2"
    about.mkdir(parents=True)
    (about / "lifetime_write_kbytes").write_text(str(written_kb))
    (about / "errors_count").write_text(str(errors))
    if life:
        (partition.parent / "device").mkdir()
        (partition.parent / "device/life_time").write_text(life)
    return sys


@pytest.mark.parametrize(
    ("degrees", "good", "words"),
    [(42_500, True, "42 °C: cool"), (74_000, True, "warm"), (81_000, False, "slows")],
)
def test_the_temperature_in_words(tmp_path: Path, degrees: int, good: bool, words: str) -> None:
    zone = tmp_path / "class/thermal/thermal_zone0"
    zone.mkdir(parents=True)
    (zone / "temp").write_text(f"{degrees}\n")
    found = temperature(tmp_path)
    assert found is not None
    assert found.there is good
    assert words in str(found.what)
    assert temperature(tmp_path / "none") is None


def test_a_card_tells_how_often_it_was_written(tmp_path: Path) -> None:
    found = card(tmp_path, sys_of(tmp_path, 312_500_000), DEVICE)
    assert found is not None
    assert found.there
    assert str(found.what) == "320 GB written in its life: 10 times the whole card"


@pytest.mark.parametrize(("written_kb", "life"), [(10_000_000_000, ""), (1_000_000, "0x01 0x0a")])
def test_a_worn_card_asks_for_a_second_one(tmp_path: Path, written_kb: int, life: str) -> None:
    found = card(tmp_path, sys_of(tmp_path, written_kb, life=life), DEVICE)
    assert found is not None
    assert not found.there
    assert "second card" in str(found.remedy)


def test_errors_of_the_file_system_come_first(tmp_path: Path) -> None:
    found = card(tmp_path, sys_of(tmp_path, 1_000, errors=3), DEVICE)
    assert found is not None
    assert "3 errors" in str(found.what)
    assert "replace the card" in str(found.remedy)


def test_a_disk_that_tells_nothing_is_no_finding(tmp_path: Path) -> None:
    assert card(tmp_path, tmp_path / "none", DEVICE) is None

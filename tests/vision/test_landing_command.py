"""`companion watch` on a real video file, and on what is none."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from tabletops import FPS, VIEW, drawn_deck, scene

from companion.art.scene import Placed, project
from companion.art.scene.play import LayMove, Performance
from companion.commands import watch
from companion.core.errors import Unreadable
from companion.vision.tracking.video import pictures

GUN = Placed("gun", 50, 10, -8)


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Somebody lays a card on an empty table."""
    path = tmp_path_factory.mktemp("video") / "table.avi"
    size = (VIEW.width, VIEW.height)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, size)
    assert writer.isOpened()
    shown = Performance(scene(), [LayMove(1.2, GUN)], np.random.default_rng(3))
    for index in range(32):
        writer.write(shown.frame(index / FPS).image)
    writer.release()
    return path


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with the deck."""
    return str(drawn_deck("nasty_7").save(tmp_path_factory.mktemp("deck") / "ours").parent)


def test_one_line_of_json_for_each_landing(video: Path, deck: str) -> None:
    result = CliRunner().invoke(watch.command, [str(video), "--deck", deck, "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    landing = json.loads(line)
    assert set(landing) == {"t", "label", "confidence", "corners"}
    assert landing["label"] == "gun"
    assert landing["t"] == pytest.approx(1.2, abs=0.15)
    assert landing["confidence"] > 0.8
    assert np.abs(np.array(landing["corners"]) - project(VIEW, GUN.corners())).max() < 6.0


def test_text_for_people(video: Path, deck: str) -> None:
    result = CliRunner().invoke(watch.command, [str(video), "--deck", deck], catch_exceptions=False)
    assert "gun" in result.stdout
    assert " s " in result.stdout


def test_what_is_no_video_is_refused_in_one_line(tmp_path: Path, deck: str) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"\x00\x01nothing that moves" * 50)
    for path, what in ((broken, "no picture could be read"), (tmp_path / "none.mp4", "no such video")):
        with pytest.raises(Unreadable, match=what) as raised:
            list(pictures(path))
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("share", "what"), [(0.55, "ends after"), (0.0, "no picture could be read")])
def test_a_video_that_breaks_off_is_said_to(video: Path, tmp_path: Path, share: float, what: str) -> None:
    whole = video.read_bytes()
    cut = tmp_path / "cut.avi"
    cut.write_bytes(whole[: int(share * len(whole))])
    read: list[float] = []
    with pytest.raises(Unreadable, match=what) as raised:
        read.extend(t for t, _ in pictures(cut))
    assert "\n" not in str(raised.value)

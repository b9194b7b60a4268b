"""`companion watch`: reports each card that lands in a video."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.commands import _eyes
from companion.errors import Unreadable

if TYPE_CHECKING:
    from companion.observations import Landing
    from companion.vision.picture import Image


@click.command()
@click.argument("video", type=click.Path(path_type=Path))
@click.option("--deck", "deck_name", required=True, help="A deck's name, or a path to its folder.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each landing.")
def command(video: Path, deck_name: str, as_json: bool) -> None:
    """Report each card that lands in VIDEO, with the time at which it came down."""
    from companion.observations import Landing
    from companion.vision.landing import LandingWatcher

    watcher = LandingWatcher(_eyes.open_deck(deck_name))
    for frame, t in frames(video):
        for seen in watcher.feed(frame, t):
            if isinstance(seen, Landing):
                _report(seen, as_json)


def frames(video: Path) -> Iterator[tuple[Image, float]]:
    """The pictures of a video with their times in seconds. Raises Unreadable if there is none."""
    import cv2
    import numpy as np

    if not video.is_file():
        raise Unreadable(f"{video}: no such video")
    capture = cv2.VideoCapture(str(video))
    try:
        rate = float(capture.get(cv2.CAP_PROP_FPS)) or 30.0
        count = 0
        while True:
            read, picture = capture.read()
            if not read:
                break
            stamp = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
            yield np.asarray(picture, np.uint8), stamp if stamp > 0 or count == 0 else count / rate
            count += 1
    finally:
        capture.release()
    if not count:
        raise Unreadable(f"{video}: no video could be read; give an MP4, AVI or MKV file")


def _report(landing: Landing, as_json: bool) -> None:
    card = landing.sighting
    result: dict[str, Any] = {
        "t": round(landing.t, 3),
        "label": card.label if card else None,
        "confidence": round(card.confidence, 3) if card else 0.0,
        "corners": [[round(x, 1), round(y, 1)] for x, y in card.corners] if card else [],
    }
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False))
    else:
        click.echo(f"{landing.t:8.2f} s  {card.label if card else 'a card that could not be named'}")

"""Bug reports and whole evenings that became tests.

A bug report is what *Keep the evidence* wrote, with what is true of it beside it.

To add one, put the zip into tests/captures and write <its name>.json: `calls`, the words of each call in the
sound; `verdicts` of the replayed script in their order; `cards`, the labels in the latest picture, sorted, by
the companion's own deck. What the evidence does not hold is left out.

An evening is a folder that `companion serve --record` wrote (docs/evenings.md): its journal is what is true
of it.
"""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.host.deck_library import SHIPPED
from companion.recording.reader import RecordedEvening
from companion.relive import result
from companion.relive.player import relive
from companion.speech.audio import wav
from companion.speech.model import grammar, models
from companion.speech.recognition import calls, offline
from companion.table.record import opened, parse
from companion.vision.cards.recognise import recognise
from companion.vision.deck.deck import Deck
from companion.vision.image.picture import decode

FOLDER = Path(__file__).parents[1] / "captures"
CAPTURES = sorted(FOLDER.glob("*.zip"))
EVENINGS = sorted(path.parent for path in FOLDER.glob("*/manifest.json"))


class Capture:
    """One bundle, and what is true of it."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as bundle:
            self.files = {name: bundle.read(name) for name in bundle.namelist()}
        self.game: str = json.loads(self.files["about.json"])["game"]
        self.truth: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))

    def verdicts(self) -> list[str]:
        """What the rules say of the script."""
        header, *events = self.files["script.jsonl"].decode().splitlines()
        record = opened(parse(header))
        for event in events:
            record.push(event)
        return [one["verdict"] for one in record.verdicts]

    def calls(self, folder: Path) -> list[list[str]]:
        """What is heard in the sound."""
        sound = folder / "sound.wav"
        sound.write_bytes(self.files["sound.wav"])
        english = grammar.language("en")
        model = models.find_model("en")
        known = models.vocabulary(model)
        wanted = [word for word in english.calls() if word in known]
        words = grammar.with_competing_words(wanted, known, english)
        competing = grammar.competing_words(wanted, known, english)
        heard = offline.recognise(wav.read_wav(sound), models.open_model(model), words, competing)
        return [list(call.said) for call in calls.group(heard)]

    def cards(self) -> list[str]:
        """What is seen in the latest picture."""
        latest = min(name for name in self.files if name.startswith("frames/-"))
        reading = recognise(decode(self.files[latest]), Deck.load(SHIPPED / self.game))
        return sorted(card.label for card in reading.cards)


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_what_was_misjudged_is_judged_right(path: Path, tmp_path: Path) -> None:
    capture = Capture(path)
    found: dict[str, Callable[[], list[Any]]] = {"verdicts": capture.verdicts}
    if "calls" in capture.truth:
        found["calls"] = lambda: capture.calls(tmp_path)
    if "cards" in capture.truth:
        found["cards"] = capture.cards
    for name, judge in found.items():
        assert judge() == capture.truth[name], name


@pytest.mark.parametrize("folder", EVENINGS, ids=lambda folder: folder.name)
def test_a_recorded_evening_is_judged_as_it_was(folder: Path, tmp_path: Path) -> None:
    evening = RecordedEvening(folder)
    found = result.of(evening, relive(evening, tmp_path / "data", tmp_path / "models"))
    assert [one.differences for one in found.games] == [()] * len(found.games)
    assert sum(one.live_events for one in found.games) > 0
    assert found.cut_off is None


def test_there_are_captures() -> None:
    assert CAPTURES
    assert EVENINGS

"""A model folder opened a second time, for sound of which everything is there."""

from pathlib import Path
from typing import Any

import pytest
from voice_takes import take, track

from companion.speech.model import grammar, models
from companion.speech.model.models import Model
from companion.speech.recognition.decoder import Decoder

ENGLISH = grammar.language("en")


@pytest.mark.parametrize("call", ["one", "six seven", "hmmrrr"])
def test_a_piece_is_decoded_alike_with_both(english: Path, opened: Any, call: str) -> None:
    known = models.vocabulary(english)
    words = grammar.with_competing_words(ENGLISH.calls(), known, ENGLISH)
    left_out = grammar.competing_words(ENGLISH.calls(), known)
    sound = track(2.5, [(0.6, take("ben", call))])
    found = [
        Decoder(sound, model, left_out).decode(words) for model in (opened, Model(opened.vosk, None, None))
    ]
    assert opened.for_pieces is not opened.vosk
    assert found[0].said == tuple(call.split())
    assert found[0].words == found[1].words
    assert found[0].score == pytest.approx(found[1].score, abs=0.01)


def test_a_folder_with_long_chunks_is_opened_once(english: Path, tmp_path: Path) -> None:
    for part in ("am", "graph", "conf"):
        (tmp_path / part).mkdir()
        for file in (english / part).rglob("*"):
            if file.is_file():
                copy = tmp_path / file.relative_to(english)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(file.read_bytes())
    options = tmp_path / "conf" / "model.conf"
    text = options.read_text(encoding="utf-8")
    options.write_text(text.replace("--frames-per-chunk=6", "--frames-per-chunk=200"), encoding="utf-8")
    found = models.open_model(tmp_path)
    assert found.whole is None
    assert found.for_pieces is found.vosk

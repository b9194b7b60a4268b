"""Finds, checks and opens folders of speech models.

A model is a folder as Vosk reads it: am/final.mdl, conf/model.conf, conf/mfcc.conf, graph/words.txt and
either a graph for runtime grammars (HCLr.fst, Gr.fst) or a fixed one (HCLG.fst). The companion changes the
grammar during a game, so only models with a graph for runtime grammars are accepted.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import Unavailable
from companion.speech.model import verifier
from companion.speech.model.verifier import Verifier

SHIPPED = Path(__file__).resolve().parents[3] / "models" / "speech"
"""The models that are shipped with the companion, one folder a language."""

_NEEDED = (
    "am/final.mdl",
    "conf/model.conf",
    "conf/mfcc.conf",
    "graph/words.txt",
    "graph/HCLr.fst",
    "graph/Gr.fst",
)


_CHUNK = re.compile(r"^--frames-per-chunk=(\d+)", re.MULTILINE)
"""The option of conf/model.conf: so many frames of 10 ms go through the network at a time. Few give early
results for a stream, but the frames on either side that the network needs are computed again for each chunk.
"""
WHOLE_CHUNK = 150
"""The option for whole pieces: most calls are one chunk, 10 instead of 31 ms for a call of one word."""


@dataclass(frozen=True)
class Model:
    """An open model folder.

    Attributes:
        vosk: a `vosk.Model`.
        verifier: the network that classifies whole words; None if the folder has none.
        whole: a `vosk.Model` of the same folder for sound of which everything is there: it gives the same in
            a third of the time. None: `vosk` is as fast.
    """

    vosk: Any
    verifier: Verifier | None = None
    whole: Any = None

    @property
    def for_pieces(self) -> Any:
        """The `vosk.Model` for sound of which everything is there."""
        return self.vosk if self.whole is None else self.whole


def find_model(language: str = "en", folder: Path | str | None = None) -> Path:
    """The model folder of `language`, or `folder` itself if one is given.

    Raises:
        Unavailable: there is none, or files are missing from it.
    """
    path = Path(folder) if folder is not None else SHIPPED / language
    if not path.is_dir():
        known = (
            ", ".join(sorted(p.name for p in SHIPPED.glob("*") if (p / "am/final.mdl").exists())) or "none"
        )
        raise Unavailable("speech.no_model", path=path, known=known)
    missing = [name for name in _NEEDED if not (path / name).is_file()]
    if missing:
        raise Unavailable("speech.incomplete_model", path=path, file=missing[0])
    return path


def named(model: str, shelf: Path) -> Path | None:
    """The folder of a model that the configuration names; None if it names none.

    Args:
        model: the name of an added model, or a path; may be empty.
        shelf: the folder of the added models (companion.speech.model_store).
    """
    if not model:
        return None
    return shelf / model if (shelf / model).is_dir() else Path(model).expanduser()


def vocabulary(path: Path) -> frozenset[str]:
    """The words that a grammar for the model may hold.

    Raises:
        Unavailable: the word list cannot be read.
    """
    try:
        lines = (path / "graph" / "words.txt").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable("speech.no_word_list", path=path) from error
    words = {line.split()[0] for line in lines if line.strip()}
    return frozenset(
        word for word in words if word not in ("<eps>", "<s>", "</s>") and not word.startswith("#")
    )


def open_model(path: Path | str) -> Model:
    """Loads the folder into Vosk, with its log messages off, and the verifier. The shipped models take 40 ms.

    Raises:
        Unavailable: Vosk is not installed or refuses the folder, or the verifier cannot be read.
    """
    checked = find_model(folder=path)
    try:
        import vosk
    except (ImportError, OSError) as error:
        raise Unavailable("speech.no_vosk", why=str(error)) from error
    vosk.SetLogLevel(-1)
    try:
        opened = vosk.Model(str(checked))
        whole = _open_for_pieces(checked)
    except Exception as error:
        raise Unavailable("speech.cannot_open", path=checked) from error
    return Model(opened, verifier.find_verifier(checked), whole)


def _open_for_pieces(path: Path) -> Any:
    """The folder with WHOLE_CHUNK; None if its chunks are long already."""
    import vosk

    options = (path / "conf" / "model.conf").read_text(encoding="utf-8")
    found = _CHUNK.search(options)
    if found is None or int(found[1]) >= WHOLE_CHUNK:
        return None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "conf").mkdir()
        for part in (*path.iterdir(), *(path / "conf").iterdir()):
            if part.name not in ("conf", "model.conf"):
                (folder / part.relative_to(path)).symlink_to(part.resolve())
        longer = _CHUNK.sub(f"--frames-per-chunk={WHOLE_CHUNK}", options)
        (folder / "conf" / "model.conf").write_text(longer, encoding="utf-8")
        return vosk.Model(name)

"""Finds, checks and opens folders of speech models.

A model is a folder as Vosk reads it: am/final.mdl, conf/model.conf, conf/mfcc.conf, graph/words.txt and
either a graph for runtime grammars (HCLr.fst, Gr.fst) or a fixed one (HCLG.fst). The companion changes the
grammar during a game, so only models with a graph for runtime grammars are accepted.
"""

from __future__ import annotations

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


@dataclass(frozen=True)
class Model:
    """An open model folder.

    Attributes:
        vosk: a `vosk.Model`.
        verifier: the network that classifies whole words; None if the folder has none.
    """

    vosk: Any
    verifier: Verifier | None = None


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
    """Loads the folder into Vosk, with its log messages off, and the verifier. The shipped models take 20 ms.

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
    except Exception as error:
        raise Unavailable("speech.cannot_open", path=checked) from error
    return Model(opened, verifier.find_verifier(checked))

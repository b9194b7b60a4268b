"""Speech models that the owner adds: Vosk models with a runtime grammar, checked before they are stored.

The check loads the model in Vosk and recognises numbers in a recorded call. An accepted model is stored in
the data folder under a name, completely or not at all.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from companion.core.archives import Budget, TooLarge, extract
from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.core.message import Message
from companion.speech.audio import wav
from companion.speech.model import grammar, models
from companion.speech.recognition import offline

MAX_UNPACKED_MB = 2500
"""Largest size of an unpacked model in MiB; a larger one does not fit the memory of a Pi."""
TEST_SENTENCE = Path(__file__).resolve().parents[2] / "models" / "demo" / "calls" / "ada" / "two-three.wav"
"""The recording that a model must recognise: "two three" in English."""
TEST_WORDS = frozenset({"two", "three"})
"""An English model must recognise at least one of these in it."""
MIN_CALLS = 7
"""A model must know so many of a language's calls (one to seven, and the throat sound)."""
CHECK_TIMEOUT_S = 300.0
"""Longest time in seconds for loading the model and recognising the recording, on a Pi."""
EXIT_REFUSED = 3
"""Exit status of this module if `check` raises Unavailable; its message is on standard output as JSON."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class StoredModel(msgspec.Struct, frozen=True):
    """A model that can be used."""

    name: str
    path: str
    words: int
    """Size of its vocabulary."""
    shipped: bool
    """Whether it is part of the companion; else it was added."""


def stored_models(folder: Path) -> Iterator[StoredModel]:
    """All models: the shipped ones, then those in `folder`, each in alphabetical order."""
    for base, shipped in ((models.SHIPPED, True), (folder, False)):
        for path in sorted(base.glob("*")) if base.is_dir() else ():
            if (path / "am" / "final.mdl").is_file():
                yield StoredModel(path.name, str(path), len(models.vocabulary(path)), shipped)


def add(source: Path, folder: Path, name: str = "") -> StoredModel:
    """Checks a model and stores it in `folder`; a stored model of the same name is replaced.

    Args:
        source: a model folder, or a zip file of one.
        name: empty: the name of the source.

    Raises:
        UsageError: the source is neither a folder nor a zip file, or the name is not allowed.
        Unavailable: it is not a model with a runtime grammar, it fails the check, or it cannot be written.
    """
    name = name or source.name.removesuffix(".zip")
    if not _NAME.fullmatch(name):
        raise UsageError("models.bad_name", name=name)
    if not source.exists():
        raise UsageError("models.missing", source=source)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".adding-") as temporary:
            copy = _unpacked(source, Path(temporary))
            try:
                check_in_process(copy)
            except CompanionError as error:  # messages name the path that the owner gave
                raise Unavailable.of(error.message.replacing(str(copy), str(source))) from error
            kept = folder / name
            if kept.exists():
                shutil.rmtree(kept)
            copy.rename(kept)
    except OSError as error:
        raise Unavailable("files.cannot_write_data", path=folder, why=error.strerror or str(error)) from error
    return StoredModel(name, str(kept), len(models.vocabulary(kept)), False)


def check_in_process(path: Path) -> None:
    """`check` in a separate process, because a damaged model can crash Vosk.

    Raises:
        Unavailable: as `check`; or Vosk crashes, or the check takes longer than CHECK_TIMEOUT_S.
    """
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "companion.speech.model_store", str(path)]
    try:
        done = subprocess.run(
            command, env=environ, capture_output=True, text=True, timeout=CHECK_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable("models.too_slow", path=path) from error
    if done.returncode == EXIT_REFUSED:
        raise Unavailable.of(msgspec.json.decode(done.stdout, type=Message))
    if done.returncode != 0:
        raise Unavailable("models.crash", path=path)


def check(path: Path) -> None:
    """Loads a model and recognises a recording in English.

    A model of another language listens for the numbers of that language: it must run, and may recognise
    anything.

    Raises:
        Unavailable: it does not load, it knows too few numbers of every language of the companion, or it is
            English and recognises none of TEST_WORDS.
    """
    known = models.vocabulary(models.find_model(folder=path))
    model = models.open_model(path)
    calls = {
        name: [word for word in grammar.language(name).calls() if word in known]
        for name in grammar.languages()
    }
    spoken = "en" if known >= TEST_WORDS else max(calls, key=lambda name: len(calls[name]))
    language, wanted = grammar.language(spoken), calls[spoken]
    if len(wanted) < MIN_CALLS:
        raise Unavailable("models.wrong_language", name=path.name, languages=tuple(calls))
    words = grammar.with_competing_words(wanted, known, language)
    sound = wav.read_wav(TEST_SENTENCE)
    heard = offline.recognise(sound, model, words, grammar.competing_words(wanted, known, language))
    said = {word.word for word in heard}
    if spoken == "en" and not said & TEST_WORDS:
        recognised = " ".join(sorted(said)) or "nothing"
        raise Unavailable("models.does_not_hear", name=path.name, heard=recognised)


def _unpacked(source: Path, into: Path) -> Path:
    """The model's folder, copied or unpacked into `into`."""
    if source.is_dir():
        _check_size(sum(file.stat().st_size for file in source.rglob("*") if file.is_file()), source)
        return Path(shutil.copytree(source, into / source.resolve().name))
    if not zipfile.is_zipfile(source):
        raise UsageError("models.no_zip", source=source)
    try:
        with zipfile.ZipFile(source) as packed:
            budget = Budget(MAX_UNPACKED_MB * 2**20)
            budget.check(packed)
            for name in filter(_inside, packed.namelist()):
                extract(packed, name, into / "zip", budget)
    except TooLarge as error:
        raise Unavailable("models.too_large", source=source, size=f"> {MAX_UNPACKED_MB}") from error
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
        raise Unavailable("models.damaged", source=source) from error
    found = sorted((into / "zip").rglob("am/final.mdl"))
    if not found:
        raise Unavailable("models.no_model", source=source)
    return found[0].parents[1]


def _inside(name: str) -> bool:
    """Whether a name in an archive is a file's, and leads nowhere else."""
    path = PurePosixPath(name)
    return not name.endswith("/") and not path.is_absolute() and ".." not in path.parts


def _check_size(size: int, source: Path) -> None:
    if size > MAX_UNPACKED_MB * 2**20:
        raise Unavailable("models.too_large", source=source, size=size // 2**20)


if __name__ == "__main__":
    try:
        check(Path(sys.argv[1]))
    except CompanionError as error:
        print(msgspec.json.encode(error.message).decode())
        sys.exit(EXIT_REFUSED)

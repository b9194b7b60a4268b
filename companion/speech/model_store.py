"""Speech models that an owner has added: Vosk models with a runtime grammar, checked before they are kept.

A model counts when Vosk loads it and hears the numbers in a sentence of the companion's own voices. It is
kept in the data folder under a name, whole or not at all.
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
from pathlib import Path

import msgspec

from companion.core.errors import CompanionError, Unavailable, UsageError
from companion.core.message import Message
from companion.speech.audio import wav
from companion.speech.model import grammar, models
from companion.speech.recognition import offline

LARGEST_MB = 2500
"""The largest unpacked model; a bigger one does not fit a Pi's memory."""
TEST_SENTENCE = Path(__file__).resolve().parents[2] / "models" / "demo" / "calls" / "ada" / "two-three.wav"
"""What a model must be able to hear, in English."""
TEST_WORDS = frozenset({"two", "three"})
FEWEST_WORDS = 7
"""A model must know so many of a language's calls: one to seven."""
TRIED_S = 300.0
"""So long a model may take to load and to hear the sentence, on a Pi."""
REFUSED = 3
"""Exit status of this module where `check` refuses a model; what is wrong stands on standard output."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class StoredModel(msgspec.Struct, frozen=True):
    """One model: its name, where it lies, how many words it knows, whether it came with the companion."""

    name: str
    path: str
    words: int
    shipped: bool


def stored_models(folder: Path) -> Iterator[StoredModel]:
    """Every model that can be used: the companion's own, then those in `folder`."""
    for base, shipped in ((models.SHIPPED, True), (folder, False)):
        for path in sorted(base.glob("*")) if base.is_dir() else ():
            if (path / "am" / "final.mdl").is_file():
                yield StoredModel(path.name, str(path), len(models.vocabulary(path)), shipped)


def add(source: Path, folder: Path, name: str = "") -> StoredModel:
    """Checks a model (a folder, or a zip of one) and keeps it in `folder`; one of the same name is replaced.

    Raises:
        UsageError: it is no folder and no zip, or the name is no file name.
        Unavailable: it is no model that can be told what to listen for, or it does not hear, or it cannot be
            written.
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
                check_apart(copy)
            except CompanionError as error:  # the owner has never heard of the copy
                raise Unavailable.of(error.message.replacing(str(copy), str(source))) from error
            kept = folder / name
            if kept.exists():
                shutil.rmtree(kept)
            copy.rename(kept)
    except OSError as error:
        raise Unavailable("files.cannot_write_data", path=folder, why=error.strerror or str(error)) from error
    return StoredModel(name, str(kept), len(models.vocabulary(kept)), False)


def check_apart(path: Path) -> None:
    """`check` in a process of its own: a damaged model can take the whole process with it.

    Raises:
        Unavailable: as `check`, or Vosk breaks down with it.
    """
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    asked = [sys.executable, "-m", "companion.speech.model_store", str(path)]
    try:
        done = subprocess.run(
            asked, env=environ, capture_output=True, text=True, timeout=TRIED_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable("models.too_slow", path=path) from error
    if done.returncode == REFUSED:
        raise Unavailable.of(msgspec.json.decode(done.stdout, type=Message))
    if done.returncode != 0:
        raise Unavailable("models.crash", path=path)


def check(path: Path) -> None:
    """Loads a model and lets it hear an English sentence: one of another language hears it with its
    own numbers, and whatever it takes it for is right.

    Raises:
        Unavailable: it does not load, it knows the numbers of no language of the companion, or it hears
            nothing of the sentence.
    """
    known = models.vocabulary(models.find_model(folder=path))
    model = models.open_model(path)
    calls = {
        name: [word for word in grammar.language(name).calls() if word in known]
        for name in grammar.languages()
    }
    spoken = "en" if known >= TEST_WORDS else max(calls, key=lambda name: len(calls[name]))
    language, wanted = grammar.language(spoken), calls[spoken]
    if len(wanted) < FEWEST_WORDS:
        raise Unavailable("models.wrong_language", name=path.name, languages=tuple(calls))
    words = grammar.listening_words(wanted, known, language)
    sound = wav.read_wav(TEST_SENTENCE)
    heard = offline.recognise(sound, model, words, grammar.unasked(wanted, known, language))
    said = {word.word for word in heard}
    if spoken == "en" and not said & TEST_WORDS:
        told = " ".join(sorted(said)) or "nothing"
        raise Unavailable("models.does_not_hear", name=path.name, heard=told)


def _unpacked(source: Path, into: Path) -> Path:
    """The model's folder, copied or unpacked below `into`."""
    if source.is_dir():
        _fits(sum(file.stat().st_size for file in source.rglob("*") if file.is_file()), source)
        return Path(shutil.copytree(source, into / source.resolve().name))
    if not zipfile.is_zipfile(source):
        raise UsageError("models.no_zip", source=source)
    try:
        with zipfile.ZipFile(source) as packed:
            _fits(sum(item.file_size for item in packed.infolist()), source)
            packed.extractall(into / "zip")
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
        raise Unavailable("models.damaged", source=source) from error
    found = sorted((into / "zip").rglob("am/final.mdl"))
    if not found:
        raise Unavailable("models.no_model", source=source)
    return found[0].parents[1]


def _fits(size: int, source: Path) -> None:
    if size > LARGEST_MB * 2**20:
        raise Unavailable("models.too_large", source=source, size=size // 2**20)


if __name__ == "__main__":
    try:
        check(Path(sys.argv[1]))
    except CompanionError as error:
        print(msgspec.json.encode(error.message).decode())
        sys.exit(REFUSED)

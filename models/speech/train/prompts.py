"""Real voices from Debian's packages: telephone prompts, children's games, labels of drawings, game
characters.

Every source is one speaker of one language in one package. Single numbers become words; all else becomes
other speech (`[unk]`), cut at its pauses, unless its text holds a number or something that sounds like one.
Some speakers are reserved for measuring (`RESERVED`) and must not be used for training.
"""

from __future__ import annotations

import gzip
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.speech.train import packages
from models.speech.train.speech_pieces import NUMBER_SYLLABLE, ordinary, pieces
from models.speech.train.voices import trimmed
from models.speech.train.words import COUGH, LAUGHTER, NUMBERS, UNKNOWN

RATE = packages.RATE
STAMPS = "usr/share/tuxpaint/stamps"
ASTERISK = "usr/share/asterisk/sounds"
TUBERLING = ["en", "de", "fr", "ca", "uk", "nn", "lt", "da", "ru", "wa", "el", "sl", "gl", "nl",
             "ga", "it"]  # fmt: skip
LETTERS = ["en", "en_GB", "de", "fr", "cs", "da", "es", "hu", "it", "lt", "nb", "nds", "nl", "pt_BR", "ru",
           "tn", "uk", "ar", "he", "ml"]  # fmt: skip
"""The languages of ktuberling-data and klettres-data in which the file name is what is said."""
VOICES = "usr/share/games/hedgewars/Data/Sounds/voices"


@dataclass(frozen=True)
class PromptSet:
    """The recordings of one speaker: the files in `folder` of `package` that match `files`.

    Attributes:
        language: of the recordings.
        text: where the text of a file is: `transcript` (a list in another package), `stamp` (the .txt file
            beside it), `name` (the file name) or `syllable` (the file name, which is one syllable).
        numbers: pattern of the files with single numbers; `{n}` is the number, `{word}` its English word.
        limit: number of recordings, at most about so many.
    """

    speaker: str
    language: str
    package: str
    folder: str
    files: str
    text: str
    licence: str
    numbers: str = ""
    limit: int = 250


def _asterisk() -> Iterator[PromptSet]:
    core, digits = "asterisk-core-sounds-{}-wav", "digits/{n}.wav"
    for speaker, language, voice, licence in (
        ("allison", "en", "en_US_f_Allison", "CC BY-SA 3.0"),
        ("june", "fr", "fr_CA_f_June", "CC BY-SA 3.0"),
        ("asterisk-es", "es", "es_MX_f_Allison", "CC BY-SA 3.0"),
        ("asterisk-it", "it", "it_IT_m_Carlo", "CC BY-SA 3.0"),
        ("asterisk-ru", "ru", "ru_RU_f_IvrvoiceRU", "CC BY 3.0"),
    ):
        limit = 900 if language == "en" else 250
        package, folder = core.format(language), f"{ASTERISK}/{voice}"
        yield PromptSet(speaker, language, package, folder, "**/*.wav", "transcript", licence, digits, limit)
    yield PromptSet("armelle", "fr", "asterisk-prompt-fr-armelle", f"{ASTERISK}/fr", "**/*.gsm",
                    "transcript", "BSD (Michel Gutierrez)", "digits/{n}.gsm")  # fmt: skip
    yield PromptSet("july", "es", "asterisk-prompt-es-co", f"{ASTERISK}/es", "**/*.gsm",
                    "transcript", "GPL-2")  # fmt: skip
    yield PromptSet("paola", "it", "asterisk-prompt-it-menardi-wav", f"{ASTERISK}/it_IT_f_Menardi",
                    "**/*.wav", "transcript", "CC BY-SA 3.0 it")  # fmt: skip


def _stamps() -> Iterator[PromptSet]:
    package, licence = "tuxpaint-stamps-default", "GPL-2"
    number = "symbols/math/{n}_%s.ogg"
    yield PromptSet(
        "stamps-en", "en", package, STAMPS, "**/*_desc.ogg", "stamp", licence, "symbols/math/{n}.ogg"
    )
    yield PromptSet("arundel", "en", package, STAMPS, "symbols/alphabets/**/*_en_GB.ogg", "syllable", licence,
                    number % "en_GB")  # fmt: skip
    for language in ("fr", "es", "ca", "ro", "bg", "be", "el", "da", "nl", "lt", "ru"):
        yield PromptSet(f"stamps-{language}", language, package, STAMPS, f"**/*_desc_{language}.ogg", "stamp",
                    licence, number % language)  # fmt: skip
    yield PromptSet("stamps-de", "de", package, STAMPS, "none", "stamp", licence, number % "de")


def _games() -> Iterator[PromptSet]:
    licence = "GPL-2+"
    for language in TUBERLING:
        folder = f"usr/share/ktuberling/sounds/{language}"
        yield PromptSet(f"tuberling-{language}", language, "ktuberling-data", folder, "*.*", "name", licence)
    for language in LETTERS:
        folder = f"usr/share/klettres/{language}"
        name = "letters-" + language.lower().replace("_", "-")
        yield PromptSet(name, language[:2], "klettres-data", folder, "*/*.ogg", "syllable", licence)
    for voice, language in (
        ("British", "en"), ("Classic", "en"), ("Default", "en"), ("HillBilly", "en"), ("Mobster", "en"),
        ("Pirate", "en"), ("Surfer", "en"), ("Default_es", "es"), ("Default_pl", "pl"), ("Russian_pl", "pl"),
        ("Default_uk", "uk"), ("Default_ru", "ru"), ("Russian", "ru"),
    ):  # fmt: skip
        name = "hog-" + voice.lower().replace("_", "-")
        yield PromptSet(name, language, "hedgewars-data", f"{VOICES}/{voice}", "*.ogg", "name", "GFDL-1.3")


def _counting() -> Iterator[PromptSet]:
    """Numbers only: a talking clock, a table tennis game, a chess program, a shooting game."""
    for speaker, package, pattern, licence in (
        ("saytime", "saytime", "usr/share/saytime/{n}.au", "GPL (David C Dawson)"),
        ("csmash", "csmash-data", "usr/share/games/csmash/wav/{word}.wav", "GPL-2+"),
        ("scid", "scid-data", "usr/share/scid/sounds/{n}.wav", "GPL-2"),
        ("wing", "wing-data", "usr/share/games/wing/sound/{word}.wav", "GPL"),
    ):
        yield PromptSet(speaker, "en", package, ".", "none", "stamp", licence, pattern)


SOURCES = (*_asterisk(), *_stamps(), *_games(), *_counting())
RESERVED = ("tuberling-en", "hog-british", "letters-en-gb")
"""English speakers that are reserved for measuring; so are all Italian and Russian ones."""
TONES = re.compile(r"tone|beep|ascii|silence|^h-|mon-|monkeys|weasels|screaming")
NO_SPEECH = re.compile(r"Jump|Ooff|Ow\d|Hmm|Moan|Firepunch|laugh|cough", re.IGNORECASE)


def reserved(source: PromptSet) -> bool:
    """Whether the source is reserved for measuring."""
    return source.speaker in RESERVED or source.language in ("it", "ru")


@dataclass(frozen=True)
class Piece:
    """A piece of a recording of a real voice.

    Attributes:
        word: a number in digits ("0" to "10"), `[unk]`, `[laughter]` or `[cough]`.
    """

    sound: np.ndarray
    word: str
    source: PromptSet


def transcripts(work: Path) -> dict[str, str]:
    """The English texts of Asterisk's prompts, by name; other languages use the same names."""
    folder = packages.unpacked("asterisk-core-sounds-en", work)
    (file,) = folder.rglob("core-sounds-en.txt.gz")
    lines = gzip.decompress(file.read_bytes()).decode("utf-8", "replace").splitlines()
    return dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith(";"))


def stamp_text(file: Path, language: str) -> str:
    """The text of a drawing: the first line of its .txt file is English, others begin with e.g.
    `fr.utf8=`."""
    beside = file.with_name(re.sub(r"_desc.*", ".txt", file.stem) if "_desc" in file.stem else "")
    if not beside.is_file():
        return ""
    lines = beside.read_text("utf-8", "replace").splitlines()
    if language == "en":
        return lines[0] if lines else ""
    return next((line.split("=", 1)[1] for line in lines if line.startswith(f"{language}.utf8=")), "")


def said(source: PromptSet, file: Path, folder: Path, spoken: dict[str, str]) -> str:
    """The text of a file; empty if it is unknown or may hold a number."""
    if source.text == "transcript":
        name = file.relative_to(folder).with_suffix("").as_posix()
        text = spoken.get(name, "")
        known = text and not text.startswith("[") and not TONES.search(name)
        known = known and not name.startswith("digits/") and ordinary(text)
        return text if known else ""
    if source.text == "stamp":
        text = stamp_text(file, source.language)
        return text if ordinary(text, source.language) else ""
    name = file.stem.split("_")[0 if source.text == "syllable" else -1].lower()
    if source.text == "syllable":
        return "" if NUMBER_SYLLABLE.match(name) or name in ("o", "0") else name
    return "" if NO_SPEECH.search(file.stem) or not ordinary(name) else name


def numbers(source: PromptSet, work: Path) -> Iterator[Piece]:
    """The speaker's recordings of the numbers zero to ten, as far as there are any."""
    folder = packages.unpacked(source.package, work) / source.folder
    for n in range(11):
        file = folder / source.numbers.format(n=n, word=NUMBERS[n])
        if source.numbers and file.is_file():
            sound = trimmed(packages.read(file))
            if 0.15 * RATE < sound.size < 1.6 * RATE:
                yield Piece(sound, str(n), source)


def ordinary_files(source: PromptSet, work: Path, spoken: dict[str, str]) -> list[Path]:
    """The speaker's recordings without a number, at most about `limit`."""
    folder = packages.unpacked(source.package, work) / source.folder
    files = [file for file in sorted(folder.glob(source.files)) if file.stat().st_size > 500]
    files = [file for file in files if said(source, file, folder, spoken)]
    return files[:: max(1, len(files) // source.limit)]


def whole(source: PromptSet, work: Path) -> list[np.ndarray]:
    """Whole recordings without silence at the ends: the single words of a speaker."""
    spoken = transcripts(work) if source.text == "transcript" else {}
    found = [trimmed(packages.read(file)) for file in ordinary_files(source, work, spoken)]
    return [sound for sound in found if sound.size > 0.2 * RATE]


def other_speech(source: PromptSet, work: Path, spoken: dict[str, str]) -> Iterator[Piece]:
    """Pieces of the speaker's other recordings; of every second one, pieces as short as words."""
    found = (
        Piece(sound, UNKNOWN, source)
        for i, file in enumerate(ordinary_files(source, work, spoken))
        for sound in pieces(packages.read(file), short=i % 2 == 0)
    )
    yield from itertools.islice(found, 2 * source.limit)


def noises_of(source: PromptSet, work: Path) -> Iterator[Piece]:
    """The speaker's laughter and coughs."""
    folder = packages.unpacked(source.package, work) / source.folder
    for word, name in ((LAUGHTER, "Laugh.ogg"), (COUGH, "PoisonCough.ogg")):
        if (folder / name).is_file():
            sound = trimmed(packages.read(folder / name))
            if sound.size > 0.2 * RATE:
                yield Piece(sound[: 3 * RATE], word, source)


def everything(work: Path, sources: tuple[PromptSet, ...] = SOURCES) -> Iterator[Piece]:
    """All pieces of some sources."""
    spoken = transcripts(work)
    for source in sources:
        yield from numbers(source, work)
        yield from other_speech(source, work, spoken)
        yield from noises_of(source, work)


def rooms(work: Path) -> dict[str, np.ndarray]:
    """Background noises of at least 30 s, all at the same level, by name.

    Markets, crowds, traffic and machines of lincity-ng (GPL-2), music of wesnoth (GPL-2+).
    """
    town = packages.unpacked("lincity-ng-data", work) / "usr/share/games/lincity-ng/sounds"
    kinds = {
        "town_market": "MarketFull*", "town_crowd": "SportsCroud*", "town_school": "School*",
        "town_traffic": "Trafic*", "town_machines": "Indust*", "town_water": "Water*",
        "town_homes": "Residential*", "town_work": "[BPM][lo]*[123].wav",
    }  # fmt: skip
    found = {}
    for name, pattern in kinds.items():
        parts = [levelled(packages.read(file)) for file in sorted(town.glob(pattern))]
        sound = np.concatenate(parts)
        found[name] = np.tile(sound, -(-30 * RATE // sound.size))
    music = packages.unpacked("wesnoth-1.16-music", work)
    pieces_of_music = [packages.read(file, 8.0, 20.0) for file in sorted(music.rglob("*.ogg"))]
    long = [levelled(sound) for sound in pieces_of_music if sound.size >= 5 * RATE]
    found["music_even"], found["music_odd"] = np.concatenate(long[::2]), np.concatenate(long[1::2])
    return found


def levelled(sound: np.ndarray) -> np.ndarray:
    """The sound scaled to a mean level of -26 dB of full scale."""
    return (sound / (np.sqrt((sound**2).mean()) + 1e-9) * 0.05).astype(np.float32)

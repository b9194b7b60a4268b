"""Cuts recorded speech at its pauses, and recognises texts that hold number words."""

from __future__ import annotations

import re

import numpy as np

RATE, HOP = 16000, 160
"""Samples a second, and samples from one level to the next (10 ms)."""

NUMBER_LIKE = re.compile(
    r"\d|\b(zero|oh|one|ones|two|too|three|four|five|six|seven|eight|ate|nine|ten|stop\w*|start\w*|won"
    r"|\w+teen|twelve|eleven|twenty|thirty|fort\w+|fift\w+|sixt\w+|sevent\w+|eight\w+|nine\w+|fi|sex|hmm+"
    r"|first|second|third|fourth|fifth|sixth|ninth|tenth|hundred|thousand|\w+one|tin|tan|tree|free|fore)\b",
    re.IGNORECASE,
)
"""English words that are numbers, contain one, or sound like one; and the commands."""

FOREIGN_NUMBERS = {
    "fr": "zéro un une deux trois quatre cinq six sept huit neuf dix onze douze treize quinze seize "
    "cent mille stop fort forts",
    "es": "cero uno una dos tres cuatro cinco seis siete ocho nueve diez once doce cien mil fin",
    "ca": "zero un una dos dues tres quatre cinc sis set vuit nou deu onze dotze cent mil",
    "da": "nul en et to tre fire fem seks syv otte ni ti elleve tolv fin",
    "nl": "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf stop start ten",
    "de": "null ein eine eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf stopp start",
    "ro": "zero un una o doi două trei patru cinci șase sase şapte șapte sapte opt nouă zece",
    "lt": "nulis vienas du dvi trys keturi penki šeši septyni aštuoni devyni dešimt",
}
"""Number words by language; a text with one of them is not ordinary speech."""

NUMBER_SYLLABLE = re.compile(
    r"^(f[aeiouyöøåæ]+[hrs]?|t[aeiouyöøåæ]+n?|tr[aeiouyí]+|tw?[ou]+|w[aou]h?n|[uv][aou]n|on|s[eiy](x|ks?)\w*|se[vb]\w*|"
    r"[ae][iy]?t|n[aei]+y?n\w*|z[eiy]\w*|st?o|[sz]t?[ao]r?|o|oh|sh?top?|[sf]iv\w*)$"
)
"""Syllables that sound like an English number or a recognisable part of one."""


def ordinary(text: str, language: str = "en") -> bool:
    """Whether the text, said in `language`, holds no number word."""
    if language == "en":
        return NUMBER_LIKE.search(text) is None
    words = set(re.findall(r"\w+", text.lower()))
    return not words & set(FOREIGN_NUMBERS.get(language, "").split()) and not re.search(r"\d", text)


def loudness(sound: np.ndarray) -> np.ndarray:
    """Level of each 10 ms in dB, relative to the 95th percentile."""
    count = sound.size // HOP
    power = (sound[: count * HOP].reshape(count, HOP) ** 2).mean(axis=1) + 1e-10
    return 10 * np.log10(power / np.percentile(power, 95))


def stretches(sound: np.ndarray, pause: float = 0.12, floor: float = -30.0) -> list[np.ndarray]:
    """The parts between pauses, each with 20 ms on both sides. Parts shorter than 0.15 s are left out.

    Args:
        pause: shortest pause in seconds.
        floor: a pause is below this level, in dB relative to the loud parts.
    """
    if sound.size < RATE // 10 or np.abs(sound).max() < 1e-3:
        return []
    loud = np.flatnonzero(loudness(sound) > floor)
    breaks = np.flatnonzero(np.diff(loud) > pause * RATE / HOP)
    begins, ends = loud[np.r_[0, breaks + 1]], loud[np.r_[breaks, loud.size - 1]] + 1
    found = []
    for begin, end in zip(begins, ends, strict=True):
        if (end - begin) * HOP >= 0.15 * RATE:
            found.append(sound[max(0, (begin - 2) * HOP) : (end + 2) * HOP])
    return found


def cut(sound: np.ndarray, longest: float) -> list[np.ndarray]:
    """The sound in pieces of at most `longest` seconds, cut where it is softest and not near its ends."""
    if sound.size <= longest * RATE:
        return [sound]
    level = np.convolve(loudness(sound), np.ones(3) / 3, "same")
    first = max(20, min(level.size // 4, int(longest * RATE / HOP) // 2))
    at = (first + int(np.argmin(level[first : level.size - first]))) * HOP
    return cut(sound[:at], longest) + cut(sound[at:], longest)


def pieces(sound: np.ndarray, short: bool) -> list[np.ndarray]:
    """The pieces of a recording: as long as single words (up to 0.8 s) if `short`, else up to 3 s."""
    found = [part for stretch in stretches(sound) for part in cut(stretch, 0.8 if short else 3.0)]
    return [part for part in found if part.size >= 0.2 * RATE]

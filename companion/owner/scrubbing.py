"""Takes out of a text what is private: names of people, addresses, codes, keys."""

from __future__ import annotations

import re
from collections.abc import Collection

NUMBERS = (
    (re.compile(r"\b[0-9a-f]{2}(:[0-9a-f]{2}){5}\b", re.IGNORECASE), "<hardware address>"),
    (re.compile(r"(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])", re.IGNORECASE), "<address>"),
    (re.compile(r"(?<![\w:])[0-9a-f]{0,4}::[0-9a-f]{1,4}(?![\w:])", re.IGNORECASE), "<address>"),
    (re.compile(r"\b\d{1,3}(\.\d{1,3}){3}\b"), "<address>"),
    (re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"), "<mail>"),
    (re.compile(r"://[^/\s]+"), "://<address>"),
    (re.compile(r"\bcode \S+"), "code <code>"),
    (re.compile(r"\b\d{6,8}\b(?!\s*(?:bytes|kB|MB|ms))"), "<number>"),
    (re.compile(r"\b(?=\w*\d)[A-Za-z0-9_-]{20,}\b"), "<key>"),
    (re.compile(r"/home/[^/\s]+"), "/home/<user>"),
)
"""What looks private -> what stands in its place."""


def scrubbed(text: str, private: Collection[str]) -> str:
    """The text without private data.

    >>> scrubbed("Ida called from 192.168.1.7 (code 123456)", ["Ida"])
    '<name> called from <address> (code <code>)'

    Args:
        private: words that are private wherever they stand, such as the players' names.
    """
    known = sorted({one.strip() for one in private if len(one.strip()) > 1}, key=len, reverse=True)
    if known:
        text = re.sub("|".join(map(re.escape, known)), "<name>", text, flags=re.IGNORECASE)
    for pattern, instead in NUMBERS:
        text = pattern.sub(instead, text)
    return text

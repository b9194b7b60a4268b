"""Tables to download as CSV (RFC 4180)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(lines: Iterable[Sequence[object]]) -> str:
    """The lines as CSV; texts are made harmless."""
    written = io.StringIO()
    rows = ([harmless(one) if isinstance(one, str) else one for one in line] for line in lines)
    csv.writer(written).writerows(rows)
    return written.getvalue()


def harmless(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return "'" + text if text[:1] in "=+-@\t\r" else text

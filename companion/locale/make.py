"""Makes the catalogues: collects every phrase, updates each language's .po file and compiles it.

    python -m companion.locale.make          # translate what it lists as missing, then run it again
    python -m companion.locale.make --new nl

A phrase is one of these: an English sentence marked in Python (`_`, N_, NN_), in templates or in scripts
(`_`, `ngettext`); a word of a game's definition (cards, settings and their meaning); or, with its own
context, the template of a message (companion.core.message).
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel import localedata
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from companion.announce.codes import MEANINGS
from companion.core.message import CONTEXT, templates
from companion.games import games
from companion.games.settings import settings_of
from companion.owner.settings_fields import config_keys

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
DOMAIN = "companion"
UNFINISHED = "unfinished"
"""File in the folder of a begun language: until it is deleted, the tests allow missing translations."""
UNFINISHED_TEXT = """Translations of this language may be missing: English is shown for them.
Delete this file when everything is translated; from then on the tests find what is missing.
"""
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2.ext:babel_extract")]
_STRING = r'\s*"((?:[^"\\]|\\.)*)"'
_SINGLE = re.compile(rf"\b_\({_STRING}")
_COUNTED = re.compile(rf"\bngettext\({_STRING}\s*,{_STRING}")
NO_DAY = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
"""The date in every catalogue: a real date would change the files with every run."""

Message = str | tuple[str, str]


def messages() -> set[Message]:
    """Every phrase that a catalogue has to hold; (singular, plural) where something is counted."""
    found: set[Message] = set()
    for folder in ("web", "companion/announce", "companion/commands", "companion/host", "companion/hub"):
        keywords = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "NN_": (1, 2)}
        for _file, _line, text, _comments, _context in extract_from_dir(ROOT / folder, METHODS, {}, keywords):
            found.add(text if isinstance(text, str) else (text[0], text[1]))
    for script in (ROOT / "web" / "static").rglob("*.js"):
        found |= set(scripted(script.read_text(encoding="utf-8")))
    found |= {(one.one, one.text) if one.one else one.text for one in MEANINGS.values()}
    counted = {text for pair in found if isinstance(pair, tuple) for text in pair}
    return {one for one in found | set(words()) if one and one not in counted}


def scripted(source: str) -> Iterator[Message]:
    """The phrases of a script. Babel's own reader misses calls inside template strings."""
    yield from (json.loads(f'"{one}"') for one in _SINGLE.findall(source))
    for pair in _COUNTED.findall(source):
        one, many = (json.loads(f'"{text}"') for text in pair)
        yield one, many


def words() -> Iterator[str]:
    """Words that pages and sentences show: cards, monsters, and the meaning of each setting of a game and of
    the configuration."""
    for game in games():
        for setting in settings_of(game.rulebook.settings_type):
            yield setting.name.removesuffix("_s").replace("_", " ")
            yield setting.help
            if setting.name != "language":
                yield from (spaced(one) for one in setting.choices or () if isinstance(one, str))
        yield from game.words
        yield from (zone.text for zone in game.zones)
    yield from (key.help for key in config_keys().values())


def spaced(label: str) -> str:
    """A label as the catalogues spell it: "twin_phone" becomes "twin phone"."""
    return label.replace("_", " ")


def has_words(text: str) -> bool:
    """Whether a template holds anything to translate besides its parameters."""
    return any(map(str.isalpha, re.sub(r"\{[^}]*\}", "", text)))


def languages() -> list[str]:
    """The languages that have a catalogue."""
    return sorted(path.parts[-3] for path in HERE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def finished() -> list[str]:
    """The languages whose translations are complete: those without the file `unfinished`."""
    return [language for language in languages() if not (HERE / language / UNFINISHED).is_file()]


def read(language: str) -> Catalog:
    """The catalogue of a language; an empty one if the language is new."""
    path = HERE / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    if not path.is_file():
        return Catalog(language)
    with path.open("rb") as stream:
        return read_po(stream, locale=language)


def fresh(language: str) -> Catalog:
    """The catalogue with exactly the phrases in use now; new ones have no translation."""
    old, new = read(language), Catalog(
        language, domain=DOMAIN, project=DOMAIN, version="1", creation_date=NO_DAY, revision_date=NO_DAY,
        fuzzy=False, header_comment=f"# The companion's words: {language}",
    )  # fmt: skip
    # Other releases of Babel give French two or three plural forms; those translated stay.
    new.mime_headers = [("Plural-Forms", old.plural_forms)]
    for message in messages():
        key = message if isinstance(message, str) else message[0]
        known = old.get(key)
        same = known is not None and isinstance(known.id, str) == isinstance(message, str)
        blank = "" if isinstance(message, str) else ("", "")
        new.add(message, known.string if known is not None and same else blank)
    for sentence in {text for text in templates().values() if has_words(text)}:
        known = old.get(sentence, context=CONTEXT) or old.get(sentence)
        new.add(sentence, known.string if known is not None else "", context=CONTEXT)
    return new


def missing(catalogue: Catalog) -> list[str]:
    """The phrases without a translation."""
    empty = [one for one in catalogue if one.id and not all(_forms(one.string))]
    return sorted(one.id if isinstance(one.id, str) else one.id[0] for one in empty)


def _forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def main() -> None:
    """Writes the catalogues and lists the phrases without a translation.

    Raises:
        SystemExit: `--new` names no language that the Unicode locale data (Babel) knows.
    """
    options = argparse.ArgumentParser(
        prog="python -m companion.locale.make", description=__doc__.splitlines()[0]
    )
    options.add_argument("--new", metavar="LANGUAGE", help="begins the catalogue of one more language")
    chosen = options.parse_args()
    if chosen.new and not localedata.exists(chosen.new):
        options.error(f"there is no language {chosen.new}; name it as in nl or pt_BR")
    if chosen.new and chosen.new not in languages():
        (HERE / chosen.new).mkdir(exist_ok=True)
        (HERE / chosen.new / UNFINISHED).write_text(UNFINISHED_TEXT, encoding="utf-8")
    for language in sorted({*languages(), *([chosen.new] if chosen.new else [])}):
        catalogue = fresh(language)
        folder = HERE / language / "LC_MESSAGES"
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{DOMAIN}.po").open("wb") as stream:
            write_po(stream, catalogue, width=110, no_location=True, sort_output=True)
        with (folder / f"{DOMAIN}.mo").open("wb") as stream:
            write_mo(stream, catalogue)
        lacking = missing(catalogue)
        print(
            f"{language}: {len(catalogue)} phrases, {len(lacking)} without a translation",
            *lacking,
            sep="\n  ",
        )


if __name__ == "__main__":
    main()

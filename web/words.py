"""The texts of the pages: gettext for the templates, and the same catalogue as JSON for the scripts.

English stands in the templates and scripts themselves. A catalogue
`<locale_dir>/<lang>/LC_MESSAGES/companion.mo` makes its language available to every phone that asks for it,
by its browser's settings or by the choice in the menu, which the session remembers.
"""

from __future__ import annotations

import gettext as gnu
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

from flask import Flask, current_app, g, has_request_context, request, session

from companion.core.message import CONTEXT, Message, Renderer, words

DOMAIN = "companion"
ENGLISH = "en"
CHOSEN = "language"
"""The session's key for the language that was chosen in the menu."""


def speak(app: Flask, locale_dir: Path | None, otherwise: str = ENGLISH) -> None:
    """Finds the catalogues and makes the words available to templates (`_`, `ngettext`) and to `_`.

    Args:
        otherwise: the language for phones that accept none of the available ones.
    """
    catalogues: dict[str, gnu.NullTranslations] = {ENGLISH: gnu.NullTranslations()}
    if locale_dir is not None:
        for file in sorted(locale_dir.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")):
            with file.open("rb") as stream:
                catalogues[file.parts[-3]] = gnu.GNUTranslations(stream)

    app.extensions["languages"] = sorted(catalogues)

    def choose() -> None:
        if request.blueprint == "assets":
            return  # the same for everybody: what reads the session is kept by no browser
        wanted = [tag for tag, q in request.accept_languages if q > 0]
        g.language = _best([str(session.get(CHOSEN, "")), *wanted, otherwise], catalogues)
        g.words = catalogues[g.language]

    app.before_request(choose)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(_plain, _plural, newstyle=True)  # type: ignore[attr-defined]
    app.context_processor(
        lambda: {
            "language": language().replace("_", "-"),
            "languages": {"known": known(), "chosen": session.get(CHOSEN)},
            "words": _for_scripts() if language() != ENGLISH else {},
        }
    )


def _best(wanted: Iterable[str], known: Container[str]) -> str:
    """The first wanted language that is available; "de-AT" counts as "de", and en-GB comes before a later
    de."""
    for tag in wanted:
        for name in (tag.replace("-", "_"), tag.partition("-")[0].lower()):
            if name in known:
                return name
    return ENGLISH


def known() -> list[str]:
    """The available languages."""
    found: list[str] = current_app.extensions["languages"]
    return found


def language() -> str:
    """The language of the present request."""
    return str(g.get("language", ENGLISH))


def _(text: str, **values: object) -> str:
    """The text in the phone's language, with its `%(name)s` filled in."""
    translated = _plain(text)
    return translated % values if values else translated


def written(message: Message | str) -> str:
    """A message as a sentence in the phone's language; a text is returned unchanged."""
    if isinstance(message, str):
        return message
    return Renderer(lambda template: _catalogue().pgettext(CONTEXT, template), words(_plain))(message)


def N_(text: str) -> str:  # noqa: N802 - gettext's customary mark for a word that is looked up later
    """Marks a word for the catalogues."""
    return text


NAMELESS = N_("picture")
"""The name of a phone's picture in sentences about it."""


def _catalogue() -> gnu.NullTranslations:
    if has_request_context():
        found: gnu.NullTranslations | None = g.get("words")
        if found is not None:
            return found
    return gnu.NullTranslations()


def _plain(text: str) -> str:
    return _catalogue().gettext(text)


def _plural(one: str, many: str, n: int) -> str:
    return _catalogue().ngettext(one, many, n)


def _entries(catalogue: gnu.NullTranslations) -> dict[Any, str]:
    found: dict[Any, str] = getattr(catalogue, "_catalog", {})
    return found


def _for_scripts() -> dict[str, Any]:
    """{English: translated, or [translated forms]} for the scripts' own `_`; empty for English."""
    found: dict[str, Any] = {}
    for key, text in sorted(_entries(_catalogue()).items(), key=str):
        message = key[0] if isinstance(key, tuple) else key
        if "{" in message or "\x04" in message or not message:
            continue  # what the table and the rooms below the pages say; the head of the catalogue
        if isinstance(key, tuple):
            found.setdefault(message, []).append(text)
        else:
            found[message] = text
    return found

"""The texts of the hub's pages in the reader's language: gettext, with the catalogues of the companion."""

from __future__ import annotations

import gettext
from collections.abc import Mapping

from flask import Flask, g, has_request_context, request

from companion.core.languages import ENGLISH, LANGUAGES, LOCALE
from companion.core.message import CONTEXT, Message, Renderer, words

COOKIE = "language"
"""Holds the language that was chosen on a page; without it the browser's settings decide."""


def add_languages(app: Flask) -> None:
    """Makes `_` and `ngettext` available to templates, and chooses the language of each request."""
    catalogues: Mapping[str, gettext.NullTranslations] = {
        name: gettext.translation("companion", LOCALE, languages=[name], fallback=True) for name in LANGUAGES
    }

    def choose() -> None:
        wanted = [request.cookies.get(COOKIE, ""), *(tag for tag, q in request.accept_languages if q > 0)]
        found = (tag.partition("-")[0].lower() for tag in wanted)
        g.language = next((name for name in found if name in catalogues), ENGLISH)
        g.catalogue = catalogues[g.language]

    app.before_request(choose)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(_plain, _plural, newstyle=True)  # type: ignore[attr-defined]
    app.context_processor(lambda: {"language": g.get("language", ENGLISH), "languages": LANGUAGES})


def _(text: str, **values: object) -> str:
    """The text in the reader's language, with its `%(name)s` filled in."""
    translated = _plain(text)
    return translated % values if values else translated


def N_(text: str) -> str:  # noqa: N802 - gettext's customary mark for a word that is looked up later
    """Marks a word for the catalogues."""
    return text


def written(message: Message) -> str:
    """A message as a sentence in the reader's language."""
    return Renderer(lambda template: _catalogue().pgettext(CONTEXT, template), words(_plain))(message)


def _catalogue() -> gettext.NullTranslations:
    found = g.get("catalogue") if has_request_context() else None
    return found if found is not None else gettext.NullTranslations()


def _plain(text: str) -> str:
    return _catalogue().gettext(text)


def _plural(one: str, many: str, n: int) -> str:
    return _catalogue().ngettext(one, many, n)

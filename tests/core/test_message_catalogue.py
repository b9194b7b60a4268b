"""Every code that is raised has its sentences, every sentence is raised, and no parameter is missing."""

import ast
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from companion.announce.phrases import Phrases
from companion.core.message import CONTEXT, Message, templates
from companion.locale import make

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("companion", "hardware", "web", "models", "bench")
WITH_REASON = "BadHeader"
"""The error whose code is an announcement's and whose second argument is a message's code."""


@dataclass(frozen=True)
class Made:
    """A place in the source where a message or an error with one is made."""

    where: str
    code: str
    given: frozenset[str]
    open: bool
    """Whether more parameters come from a mapping (`**params`)."""


@cache
def nodes() -> dict[str, list[ast.Call | ast.ClassDef | ast.Constant]]:
    """The calls, classes and strings of each source, by its path; each source is read once."""
    found: dict[str, list[ast.Call | ast.ClassDef | ast.Constant]] = {}
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        found[str(path.relative_to(ROOT))] = [
            one for one in tree if isinstance(one, ast.Call | ast.ClassDef | ast.Constant)
        ]
    return found


def teardown_module() -> None:
    """What was read takes more than 100 MB, which no other test needs."""
    nodes.cache_clear()


def calls(names: set[str]) -> Iterator[tuple[str, ast.Call, str]]:
    """Every call of one of these names: where it stands, the call and the name."""
    for path, found in nodes().items():
        for node in found:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield f"{path}:{node.lineno}", node, node.func.id


@cache
def error_names() -> set[str]:
    """Every class of the project that descends from CompanionError, but for those that announcements say."""
    below = {"CompanionError"}
    classes = [node for found in nodes().values() for node in found if isinstance(node, ast.ClassDef)]
    bases = {node.name: {ast.unparse(base) for base in node.bases} for node in classes}
    while True:
        more = {name for name, above in bases.items() if above & below} - below
        if not more:
            return below - {"Rejected", "RejectedAfter", "Impaired"}
        below |= more


def made() -> Iterator[Made]:
    for where, call, name in calls(error_names() | {"message"}):
        at = 1 if name == WITH_REASON else 0
        for code in codes(call.args[at]) if len(call.args) > at else ():
            names = frozenset(one.arg for one in call.keywords if one.arg is not None)
            yield Made(where, code, names, any(one.arg is None for one in call.keywords))


def codes(argument: ast.expr) -> Iterator[str]:
    """The codes that an argument may be: a literal, or one of the two of a conditional expression."""
    if isinstance(argument, ast.Constant):
        yield str(argument.value)
    elif isinstance(argument, ast.IfExp):
        yield from codes(argument.body)
        yield from codes(argument.orelse)


def parameters(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_what_is_raised_has_a_sentence_and_all_its_parameters() -> None:
    found = list(made())
    assert len(found) > 100
    for one in found:
        assert one.code in templates(), f"{one.where}: messages.toml has no {one.code}"
        wanted = parameters(templates()[one.code])
        assert one.given <= wanted, f"{one.where}: {one.code} has no use for {one.given - wanted}"
        assert one.open or wanted <= one.given, f"{one.where}: {one.code} needs {wanted - one.given}"


def test_every_sentence_is_raised() -> None:
    constants = (node for found in nodes().values() for node in found if isinstance(node, ast.Constant))
    strings = {node.value for node in constants if isinstance(node.value, str)}
    assert set(templates()) - strings == set()


def test_sentences_are_one_line_and_begin_in_the_middle_of_a_sentence() -> None:
    for code, text in templates().items():
        assert text == " ".join(text.split()), code
        assert not text.endswith("."), code


@pytest.mark.parametrize("language", make.languages())
def test_every_sentence_is_written_in_every_language(language: str) -> None:
    """In English where it is not translated; test_catalogues.py decides where that is allowed."""
    catalogue = make.read(language)
    for code, text in templates().items():
        known = catalogue.get(text, context=CONTEXT)
        translated = (str(known.string) if known is not None else "") or text
        assert translated != text or known is not None or not make.has_words(text), code
        assert parameters(translated) == parameters(text), code
        values = {name: str(n) for n, name in enumerate(sorted(parameters(text)), 41)}
        assert Phrases(language).written(Message(code, values)) == translated.format(**values), code


def test_nobody_raises_a_finished_sentence() -> None:
    for where, call, _ in calls(error_names()):
        for argument in call.args:
            assert not isinstance(argument, ast.JoinedStr | ast.BinOp), f"{where} raises a sentence"

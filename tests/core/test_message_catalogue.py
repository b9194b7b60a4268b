"""Every code that is raised has its sentences, every sentence is raised, and no parameter is missing."""

import ast
import string
from collections.abc import Iterator
from dataclasses import dataclass
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


def error_names() -> set[str]:
    """Every class of the project that descends from CompanionError, but for those that announcements say."""
    below = {"CompanionError"}
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sources()]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while True:
        more = {one.name for one in classes if {ast.unparse(base) for base in one.bases} & below} - below
        if not more:
            return below - {"Rejected", "RejectedAfter", "Impaired"}
        below |= more


def sources() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def made() -> Iterator[Made]:
    makers = error_names() | {"message"}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers:
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                at = 1 if node.func.id == WITH_REASON else 0
                for code in codes(node.args[at]) if len(node.args) > at else ():
                    names = frozenset(one.arg for one in node.keywords if one.arg is not None)
                    yield Made(where, code, names, any(one.arg is None for one in node.keywords))


def codes(argument: ast.expr) -> Iterator[str]:
    """The codes that an argument may be: a literal, or one of the two of a conditional expression."""
    if isinstance(argument, ast.Constant):
        yield str(argument.value)
    elif isinstance(argument, ast.IfExp):
        yield from codes(argument.body)
        yield from codes(argument.orelse)


def parameters(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


MADE = list(made())


@pytest.mark.parametrize("one", MADE, ids=lambda one: f"{one.where} {one.code}")
def test_what_is_raised_has_a_sentence_and_all_its_parameters(one: Made) -> None:
    assert one.code in templates(), f"{one.where}: messages.toml has no {one.code}"
    wanted = parameters(templates()[one.code])
    assert one.given <= wanted, f"{one.where}: {one.code} has no use for {one.given - wanted}"
    assert one.open or wanted <= one.given, f"{one.where}: {one.code} needs {wanted - one.given}"


def test_every_sentence_is_raised() -> None:
    strings = {
        node.value
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
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
    raisers = error_names()
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in raisers:
                for argument in node.args:
                    built = isinstance(argument, ast.JoinedStr | ast.BinOp)
                    assert not built, f"{path.relative_to(ROOT)}:{node.lineno} raises a sentence"

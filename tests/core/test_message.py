"""Messages are a code with parameters until somebody writes them down."""

import doctest

import msgspec
import pytest

from companion.core import errors
from companion.core import message as module
from companion.core.errors import BadHeader, CompanionError, Rejected, Unavailable, reason
from companion.core.message import Message, Renderer, message, words

GERMAN = {
    "there is no move {n} in this game": "den Zug {n} gibt es in dieser Partie nicht",
    "{words}": "{words}",
}


@pytest.mark.parametrize("tried", [module, errors])
def test_the_examples_of_the_docstrings_run(tried: object) -> None:
    result = doctest.testmod(tried)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0


def test_an_error_carries_a_code_and_parameters_and_is_written_in_english() -> None:
    error = CompanionError("journal.no_move", n=12)
    assert error.code == "journal.no_move"
    assert error.message == Message("journal.no_move", {"n": 12})
    assert str(error) == "there is no move 12 in this game"


def test_a_message_is_a_parameter_of_another() -> None:
    inner = message("journal.no_move", n=2)
    write = Renderer(lambda template: GERMAN.get(template, template))
    assert write(message("library.words", words=inner)) == "den Zug 2 gibt es in dieser Partie nicht"
    both = message("library.words", words=(inner, inner))
    assert str(both) == "there is no move 2 in this game; there is no move 2 in this game"
    assert str(message("library.words", words=("one", "two"))) == "one, two"


def test_text_parameters_are_translated_as_words_and_paths_are_not() -> None:
    known = {"twin phone": "Zwillingshandy", "camera": "Kamera"}
    write = Renderer(word=words(lambda word: known.get(word, word)))
    assert write(message("library.words", words="twin_phone 2")) == "Zwillingshandy 2"
    assert write(message("library.words", words="camera")) == "Kamera"
    assert write(message("library.words", words="/home/of_mine")) == "/home/of_mine"
    assert write(message("library.words", words="")) == ""


def test_a_sentence_is_written_even_if_something_is_missing() -> None:
    assert str(message("journal.no_move")) == "there is no move (n) in this game"
    assert str(message("of.tomorrow", n=1)) == "of.tomorrow"


def test_messages_travel_as_json_and_compare_by_value() -> None:
    nested = message("library.words", words=(message("journal.no_move", n=2), "text"))
    again = msgspec.json.decode(msgspec.json.encode(nested), type=Message)
    assert again == nested
    assert {again, nested} == {nested}


def test_reasons() -> None:
    assert reason(Unavailable("microphone.muted")) == Message("microphone.muted")
    assert reason(BadHeader("bad_game", "journal.no_move", n=1)) == Message("journal.no_move", {"n": 1})
    assert str(reason(OSError("the disk is gone"))) == "the disk is gone"
    assert str(reason(OSError())) == "OSError"


def test_a_rejection_is_its_code_and_a_bad_header_says_both() -> None:
    rejected = Rejected("not_your_turn", "N7-R3")
    assert (rejected.code, rejected.rule, str(rejected)) == ("not_your_turn", "N7-R3", "not_your_turn")
    assert str(BadHeader("bad_game", "journal.no_move", n=1)) == "bad_game: there is no move 1 in this game"

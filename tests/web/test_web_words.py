"""The pages' words can be translated: templates, answers and scripts take them from one catalogue."""

import json
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask.testing import FlaskClient
from still_host import SAME, StillHost

from companion.announce.phrases import LOCALE
from companion.locale import make
from web import create_app

WEB = Path(__file__).resolve().parents[2] / "web"


@pytest.fixture
def german(tmp_path: Path, host: StillHost) -> FlaskClient:
    catalogue = Catalog("de")
    catalogue.add("New game", "Neues Spiel")
    catalogue.add("Join the table", "Setz dich dazu")
    catalogue.add("That is not the PIN.", "Das ist nicht die PIN.")
    catalogue.add(("point", "points"), ("Punkt", "Punkte"))
    file = tmp_path / "de" / "LC_MESSAGES" / "companion.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as stream:
        write_mo(stream, catalogue)
    return create_app(host, secret_key=b"k" * 32, locale_dir=tmp_path).test_client()


def page(client: FlaskClient, path: str, languages: str) -> str:
    return client.get(path, headers={"Accept-Language": languages}).get_data(as_text=True)


def test_page_speaks_the_language_of_the_phone(german: FlaskClient) -> None:
    html = page(german, "/join", "de-AT,de;q=0.9,en;q=0.5")
    assert '<html lang="de">' in html
    assert "<h1>Setz dich dazu</h1>" in html
    words = re.search(r'id="words">(.*?)</script>', html)
    assert words is not None
    assert json.loads(words[1])["New game"] == "Neues Spiel"
    assert json.loads(words[1])["point"] == ["Punkt", "Punkte"]


@pytest.mark.parametrize("languages", ["fr", "en-GB,de;q=0.5", "", "*", "x" * 500])
def test_page_speaks_english_where_nothing_else_is_known(german: FlaskClient, languages: str) -> None:
    html = page(german, "/join", languages)
    assert '<html lang="en">' in html
    assert "<h1>Join the table</h1>" in html
    assert 'id="words"' not in html


def test_refusal_speaks_the_language_of_the_phone(german: FlaskClient) -> None:
    answer = german.post("/api/role", json={"pin": "0"}, headers={**SAME, "Accept-Language": "de"})
    assert answer.get_json()["text"] == "Das ist nicht die PIN."


def test_language_is_chosen_on_the_phone(german: FlaskClient) -> None:
    def speak(language: str | None) -> int:
        return german.post("/api/language", json={"language": language}, headers=SAME).status_code

    assert speak("nl") == 409
    assert speak("de") == 200
    html = page(german, "/join", "en")
    assert '<html lang="de">' in html
    assert '{"chosen": "de", "known": ["de", "en"]}' in html
    assert speak(None) == 200
    assert '<html lang="en">' in page(german, "/join", "en")


def test_table_speaks_to_phones_of_unknown_languages_as_to_itself(tmp_path: Path, host: StillHost) -> None:
    app = create_app(host, secret_key=b"k" * 32, locale_dir=LOCALE, language="fr")
    assert '<html lang="fr">' in page(app.test_client(), "/join", "nl")
    assert '<html lang="en">' in page(app.test_client(), "/join", "en-GB")


def test_no_script_builds_a_message() -> None:
    for script in (WEB / "static").rglob("*.js"):
        source = script.read_text(encoding="utf-8")
        assert not re.search(r"\b_\(`|\b_\(\"[^\"]*\" \+", source), f"{script.name} builds a message"


def test_texts_with_values_fill_in_all_of_them() -> None:
    for script in (WEB / "static").rglob("*.js"):
        for message in make.scripted(script.read_text(encoding="utf-8")):
            for text in [message] if isinstance(message, str) else message:
                assert "{" not in text, f"{script}: {text}"
                assert re.sub(r"%\(\w+\)s", "", text).count("%") == 0, f"{script}: {text}"

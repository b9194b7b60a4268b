"""The pages' words can be translated: templates, answers and scripts take them from one catalogue."""

import io
import json
import re
from pathlib import Path

import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask.testing import FlaskClient
from still_host import JPEG, PIN, SAME, StillHost

from companion.announce.phrases import LOCALE
from companion.api.devices import DeviceFinding
from companion.api.photos import DicePhoto, PhotoReading
from companion.core.errors import Unreadable
from companion.core.message import message
from companion.locale import make
from web import create_app

WEB = Path(__file__).resolve().parents[2] / "web"


@pytest.fixture
def german(tmp_path: Path, host: StillHost) -> FlaskClient:
    catalogue = Catalog("de")
    catalogue.add("New game", "Neues Spiel")
    catalogue.add("Join the table", "Setz dich dazu")
    catalogue.add("That is not the code.", "Das ist nicht der Code.")
    catalogue.add(("point", "points"), ("Punkt", "Punkte"))
    file = tmp_path / "de" / "LC_MESSAGES" / "companion.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as stream:
        write_mo(stream, catalogue)
    return create_app(host, secret_key=b"k" * 32, locale_dir=tmp_path).test_client()


@pytest.fixture
def spoken(host: StillHost) -> FlaskClient:
    """The referee's phone, in German, with the companion's own catalogue."""
    client = create_app(host, secret_key=b"k" * 32, locale_dir=LOCALE).test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert client.post("/api/role", json={"code": PIN}, headers=SAME).status_code == 200
    return client


def page(client: FlaskClient, path: str, languages: str) -> str:
    return client.get(path, headers={"Accept-Language": languages}).get_data(as_text=True)


def test_advice_about_the_senses_is_written_in_the_language_of_the_phone(spoken: FlaskClient) -> None:
    html = page(spoken, "/past", "de")
    assert "das Mikrofon ist weit weg von Jo: 41 von 52 Ansagen verstanden;" in html


def test_page_speaks_the_language_of_the_phone(german: FlaskClient) -> None:
    html = page(german, "/join", "de-AT,de;q=0.9,en;q=0.5")
    assert '<html lang="de"' in html
    assert "<h1>Setz dich dazu</h1>" in html
    file = re.search(r'src="(/assets/words-de-[^"]+)"', html)
    assert file is not None
    words = json.loads(german.get(file[1]).get_data(as_text=True).partition(" = ")[2].partition(";\n")[0])
    assert words["New game"] == "Neues Spiel"
    assert words["point"] == ["Punkt", "Punkte"]


@pytest.mark.parametrize("languages", ["fr", "en-GB,de;q=0.5", "", "*", "x" * 500])
def test_page_speaks_english_where_nothing_else_is_known(german: FlaskClient, languages: str) -> None:
    html = page(german, "/join", languages)
    assert '<html lang="en"' in html
    assert "<h1>Join the table</h1>" in html
    assert "/assets/words-" not in html


def test_refusal_speaks_the_language_of_the_phone(german: FlaskClient) -> None:
    answer = german.post("/api/role", json={"code": "0"}, headers={**SAME, "Accept-Language": "de"})
    assert answer.get_json()["text"] == "Das ist nicht der Code."


def test_language_is_chosen_on_the_phone(german: FlaskClient) -> None:
    def speak(language: str | None) -> int:
        return german.post("/api/language", json={"language": language}, headers=SAME).status_code

    assert speak("nl") == 409
    assert speak("de") == 200
    html = page(german, "/join", "en")
    assert '<html lang="de"' in html
    assert '{"known":["de","en"],"chosen":"de"}' in html
    assert speak(None) == 200
    assert '<html lang="en"' in page(german, "/join", "en")


def test_table_speaks_to_phones_of_unknown_languages_as_to_itself(tmp_path: Path, host: StillHost) -> None:
    app = create_app(host, secret_key=b"k" * 32, locale_dir=LOCALE, language="fr")
    assert '<html lang="fr"' in page(app.test_client(), "/join", "nl")
    assert '<html lang="en"' in page(app.test_client(), "/join", "en-GB")


def test_no_script_builds_a_message() -> None:
    for script in (WEB / "static").rglob("*.js"):
        source = script.read_text(encoding="utf-8")
        assert not re.search(r"\b_\(`|\b_\(\"[^\"]*\" \+", source), f"{script.name} builds a message"


def test_texts_with_values_fill_in_all_of_them() -> None:
    for script in (WEB / "static").rglob("*.js"):
        for phrase in make.scripted(script.read_text(encoding="utf-8")):
            for text in [phrase] if isinstance(phrase, str) else phrase:
                assert "{" not in text, f"{script}: {text}"
                assert re.sub(r"%\(\w+\)s", "", text).count("%") == 0, f"{script}: {text}"


def test_what_rooms_below_say_is_told_in_the_language_of_the_phone(
    spoken: FlaskClient, host: StillHost
) -> None:
    host.fault = Unreadable("picture.too_small", name="picture", width=3, height=5)
    sent = {"data": {"picture": (io.BytesIO(JPEG), "x.jpg")}, "headers": SAME}
    refused = spoken.post("/api/dice", **sent).get_json()
    assert refused["text"] == "Bild: 3 x 5 Pixel sind zu wenig, um eine Karte zu sehen"


def test_doubts_about_a_photograph_are_told_in_the_language_of_the_phone(
    spoken: FlaskClient, host: StillHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = message("display.maybe_card", x=12, y=30)
    doubts = (known, message("library.words", words="no such file"))
    reading = PhotoReading("Ida", "p1", "/photo/p1.jpg", (4, 3), (), None, doubts, display={})
    monkeypatch.setattr(host, "read_dice", lambda jpeg, count: DicePhoto((1,), doubts))
    monkeypatch.setattr(host, "read_photo", lambda player, jpeg: reading)
    said = ["bei 12, 30 liegt vielleicht eine Karte", "no such file"]
    data = {"picture": (io.BytesIO(JPEG), "x.jpg")}
    assert spoken.post("/api/dice", data=data, headers=SAME).get_json()["unsure"] == said
    data = {"picture": (io.BytesIO(JPEG), "x.jpg"), "player": "Ida"}
    assert spoken.post("/api/photo", data=data, headers=SAME).get_json()["reading"]["unsure"] == said


def test_what_the_doctor_found_is_told_in_the_language_of_the_phone_what_is_missing_first(
    spoken: FlaskClient, host: StillHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, quiet = message("doctor.free_space", path="/data", free=90), message("library.words", words="x")
    silent, turn_up = message("doctor.silent", what=quiet), message("doctor.turn_up")
    findings = (
        DeviceFinding(message("doctor.name_data_folder"), True, space),
        DeviceFinding(message("doctor.name_camera"), False, message("doctor.switched_off")),
        DeviceFinding(message("doctor.name_voice"), False, message("voice.no_loudspeaker")),
        DeviceFinding(message("doctor.name_microphone"), True, silent, turn_up),
    )
    state = msgspec.structs.replace(host.device_test.state(), findings=findings)
    monkeypatch.setattr(host.device_test, "state", lambda: state)
    told = spoken.get("/api/devices").get_json()["findings"]
    assert [(one["name"], one["text"]) for one in told] == [
        ("Kamera", "in der Konfiguration ausgeschaltet"),
        ("Stimme", "es gibt keinen Lautsprecher: steck einen ein, oder lass ein Handy sprechen"),
        ("Datenordner", "/data, 90 MB frei"),
        ("Mikrofon", "x; es ist still: schalte es ein, oder stelle es lauter"),
    ]

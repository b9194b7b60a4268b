"""The pages of tournaments: who may do what, what the forms refuse, languages, names, tables to download."""

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hall_messages import result, status, taken
from tournaments import plan

from companion.core.clock import monotonic
from companion.hub.database import HubDatabase
from companion.hub.pages import create_hub_pages
from companion.hub.ratings import RatingReader
from companion.hub.standings import HallReader
from companion.hub.storing import ResultStore
from companion.hub.tournament.desk import TournamentDesk
from companion.hub.tournament.organiser_pages import add_organiser_pages
from companion.hub.tournament.public_pages import TournamentViews, add_public_pages
from companion.store.journal import utc_now

PASSWORD = "a right good password"


class PagesOfHub:
    def __init__(self) -> None:
        self.database = HubDatabase("sqlite://")
        self.desk = TournamentDesk(self.database, utc_now, lambda: None)
        self.store = ResultStore(self.database, utc_now)
        reader = HallReader(self.database)
        self.app: Flask = create_hub_pages(
            reader, RatingReader(self.database), {}, PASSWORD, lambda: "", pause=lambda seconds: None
        )
        views = TournamentViews(self.database, monotonic, "http://hub.local:8090/")
        add_public_pages(self.app, views)
        add_organiser_pages(self.app, views, self.desk, reader)

    def client(self) -> FlaskClient:
        return self.app.test_client()

    def organiser(self) -> tuple[FlaskClient, str]:
        """A browser that is logged in, and the token of its forms."""
        one = self.client()
        assert one.post("/organiser", data={"password": PASSWORD}).status_code == 303
        page = one.get("/organiser/tournaments/new").text
        return one, page.split('name="token" value="')[1].split('"')[0]


@pytest.fixture
def hub() -> Any:
    one = PagesOfHub()
    yield one
    one.database.close()


FORM = {"title": "Cup", "form": "swiss", "games": ["nasty_7"], "rounds": "2", "least": "2", "most": "4"}
FORM |= {"other_tables": "3", "advance": "1"}  # type: ignore[dict-item]


def test_only_the_organiser_creates_and_changes(hub: PagesOfHub) -> None:
    guest, (organiser, token) = hub.client(), hub.organiser()
    assert guest.get("/organiser/tournaments/new").status_code == 302
    assert guest.post("/organiser/tournaments/new", data=FORM | {"token": token}).status_code == 403
    assert organiser.post("/organiser/tournaments/new", data=FORM).status_code == 403, "without the token"
    answer = organiser.post("/organiser/tournaments/new", data=FORM | {"token": token})
    assert answer.status_code == 303
    id_ = answer.location.split("/")[2]
    assert guest.get(f"/t/{id_}/organise").status_code == 302
    for action in ("start", "close", "finish", "withdraw", "correct"):
        assert guest.post(f"/t/{id_}/organise/{action}", data={"token": token}).status_code == 403
    other = {"Origin": "http://elsewhere.example"}
    assert organiser.post(f"/t/{id_}/organise/close", data={"token": token}, headers=other).status_code == 403
    assert organiser.post(f"/t/{id_}/organise/close", data={"token": token}).status_code == 303
    assert hub.desk.read(id_).phase == "closed"
    assert organiser.post(f"/t/{id_}/organise/other", data={"token": token}).status_code == 404
    assert "too few players" in organiser.post(f"/t/{id_}/organise/start", data={"token": token}).text
    assert (
        organiser.post(f"/t/{id_}/organise/absent", data={"token": token, "player": "x"}).status_code == 400
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"title": ""},
        {"games": ["chess"]},
        {"rounds": "0"},
        {"rounds": "many"},
        {"least": "5"},
        {"other_tables": "0"},
        {"form": "cup"},
    ],
)
def test_impossible_plans_are_refused(hub: PagesOfHub, changes: dict[str, Any]) -> None:
    organiser, token = hub.organiser()
    answer = organiser.post("/organiser/tournaments/new", data=FORM | changes | {"token": token})
    assert answer.status_code == 409
    assert "This does not fit together" in answer.text


def test_a_phone_registers_and_finds_its_table(hub: PagesOfHub) -> None:
    id_ = hub.desk.create(plan(tables=["window"], games=["nasty_7"]))
    phone, other = hub.client(), hub.client()
    answer = phone.post(f"/t/{id_}/register", data={"name": "<b>Ida</b>", "pin": "1234"})
    assert (answer.status_code, answer.location) == (303, f"/t/{id_}/me")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert f"Path=/t/{id_}" in cookie
    assert other.get(f"/t/{id_}/me").location == f"/t/{id_}/register"
    taken = other.post(f"/t/{id_}/register", data={"name": "<B>ida</b>"})
    assert taken.status_code == 409
    assert "This name is taken" in taken.text
    assert "&lt;B&gt;ida" in taken.text
    for name in ("Jo", "Kai"):
        hub.desk.add(id_, name)
    hub.desk.start_round(id_)
    page = phone.get(f"/t/{id_}/me").text
    assert "Table window" in page
    assert "&lt;b&gt;Ida&lt;/b&gt;" in page
    assert "<b>Ida" not in page
    assert other.post(f"/t/{id_}/sign-in", data={"name": "<b>ida</b>", "pin": "4321"}).status_code == 409
    assert other.post(f"/t/{id_}/sign-in", data={"name": "<b>ida</b>", "pin": "1234"}).status_code == 303
    assert "Table window" in other.get(f"/t/{id_}/me").text
    assert phone.get(f"/t/{id_}/me").status_code == 302, "the page has moved to the other phone"


def test_one_address_cannot_flood_the_registration(hub: PagesOfHub) -> None:
    id_ = hub.desk.create(plan())
    codes = [hub.client().post(f"/t/{id_}/register", data={"name": f"P{n}"}).status_code for n in range(14)]
    assert codes == [303] * 12 + [429] * 2


def test_pages_in_three_languages(hub: PagesOfHub) -> None:
    id_ = hub.desk.create(plan())
    client = hub.client()
    german = client.get(f"/t/{id_}/register", headers={"Accept-Language": "de-AT,en;q=0.5"}).text
    assert '<html lang="de">' in german
    assert "Anmelden" in german
    assert client.post("/language", data={"language": "fr", "back": "/standings"}).location == "/standings"
    assert "Classement" in client.get("/standings", headers={"Accept-Language": "de"}).text
    assert client.post("/language", data={"language": "xx"}).status_code == 404
    for bad in ("//evil.example", "https://evil.example", "/\\evil.example", ""):
        assert client.post("/language", data={"language": "en", "back": bad}).location == "/"


def test_every_page_of_a_tournament(hub: PagesOfHub) -> None:
    id_ = hub.desk.create(plan(tables=["window", "bay"], games=["nasty_7"], rounds=1))
    for name in ("=1+1", "Jo", "Kai", "Lou", "Mo", "Nina"):
        hub.desk.add(id_, name)
    organiser, token = hub.organiser()
    screen = hub.client().get(f"/t/{id_}/screen").text
    assert f"http://hub.local:8090/t/{id_}/register" in screen
    assert organiser.post(f"/t/{id_}/organise/start", data={"token": token}).status_code == 303
    for table in hub.desk.read(id_).rounds[0].tables:
        data = {"token": token, "round": "1", "table": str(table.number)}
        ranks = {f"rank-{player}": str(place) for place, player in enumerate(table.players, 1)}
        assert organiser.post(f"/t/{id_}/organise/correct", data=data).status_code == 409, "no places"
        assert organiser.post(f"/t/{id_}/organise/correct", data=data | ranks).status_code == 303
    assert organiser.post(f"/t/{id_}/organise/finish", data={"token": token}).status_code == 303
    client = hub.client()
    for page in ("", "/screen", "/print", "/register", "/standings.csv", "/seats.csv"):
        answer = client.get(f"/t/{id_}{page}")
        assert answer.status_code == 200, page
        again = client.get(f"/t/{id_}{page}", headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304, page
    assert client.get("/t/nowhere").status_code == 404
    assert "Cup" in client.get("/tournaments").text or "Spring cup" in client.get("/tournaments").text
    lines = client.get(f"/t/{id_}/standings.csv").text.splitlines()
    assert lines[0] == "place,player,points,wins,strength,games,round 1"
    assert len(lines) == 7
    assert any(line.split(",")[1] == "'=1+1" for line in lines)
    seats = client.get(f"/t/{id_}/seats.csv").text.splitlines()
    assert len(seats) == 7
    assert re.match(r"1,nasty_7,(window|bay),", seats[1])


def test_a_game_under_an_earlier_seating_is_offered_to_the_organiser(hub: PagesOfHub) -> None:
    id_ = hub.desk.create(plan(tables=["window"], games=["nasty_7"], rounds=1))
    names = ("<i>Ida</i>", "Jo", "Kai")
    for name in names:
        hub.desk.add(id_, name)
    hub.desk.start_round(id_)
    before = hub.desk.read(id_).rounds[0].tables[0]
    hub.desk.play_again(id_, 1, 1)
    organiser, token = hub.organiser()
    assert "earlier seating" not in organiser.get(f"/t/{id_}/organise").text
    played = result(before.id, 1, "Jo", name="nasty_7", players=names, scores=dict.fromkeys(names, 3))
    hub.store.store(taken(played))
    page = organiser.get(f"/t/{id_}/organise").text
    assert "This table has played the game with an earlier seating:" in page
    assert "1. Jo, 2. &lt;i&gt;Ida&lt;/i&gt;, 2. Kai" in page
    data = {"token": token, "table": "1", "game": before.id}
    assert hub.client().post(f"/t/{id_}/organise/count", data=data).status_code == 403
    assert organiser.post(f"/t/{id_}/organise/count", data=data).status_code == 303
    assert hub.desk.read(id_).rounds[0].tables[0].ranks == {1: 2, 2: 1, 3: 2}
    assert organiser.post(f"/t/{id_}/organise/count", data=data).status_code == 409


def test_long_lists_come_in_parts(hub: PagesOfHub) -> None:
    hub.store.store(taken(*(status(0, table=f"t{number:03}") for number in range(1, 451))))
    client = hub.client()
    first, second = client.get("/").text, client.get("/?from=401").text
    assert first.count('<li class="online">') == 200
    assert "1 to 200 of 450" in first
    assert 'href="/?from=201"' in first
    assert second.count('<li class="online">') == 50
    assert "More rows" not in second


def test_the_organiser_stays_logged_in_when_the_hub_restarts(hub: PagesOfHub) -> None:
    first = hub.database.secret(lambda: "one")
    assert (first, hub.database.secret(lambda: "two")) == ("one", "one")

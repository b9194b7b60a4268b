"""A phone that joins the companion's own wireless network is shown the pages."""

import pytest
from flask.testing import FlaskClient

from web.captive import PROBES
from web.routes import ROUTES


@pytest.mark.parametrize(
    "address",
    [
        "http://connectivitycheck.gstatic.com/generate_204",
        "http://captive.apple.com/hotspot-detect.html",
        "http://www.msftconnecttest.com/connecttest.txt",
        "http://detectportal.firefox.com/canonical.html",
    ],
)
def test_the_question_of_a_phone_leads_to_the_pages(guest: FlaskClient, address: str) -> None:
    host, _, path = address.removeprefix("http://").partition("/")
    answer = guest.get(f"/{path}", headers={"Host": host})
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("http://")
    assert host not in answer.headers["Location"]


def test_any_other_page_under_a_foreign_name_is_refused(guest: FlaskClient) -> None:
    assert guest.get("/", headers={"Host": "captive.apple.com"}).status_code == 421
    assert guest.post("/generate_204", headers={"Host": "captive.apple.com"}).status_code != 302


def test_no_page_of_the_companion_is_taken_for_such_a_question() -> None:
    assert not PROBES & {route.path for route in ROUTES}

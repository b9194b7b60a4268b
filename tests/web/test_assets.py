"""The files of the pages: few, compressed, kept by the browser, new when a script has changed."""

import gzip
import re
import shutil
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from web.assets import STATIC, Assets

GZIP = {"Accept-Encoding": "gzip, deflate"}


def files(html: str) -> list[str]:
    """The files that a page names, icon and manifest included."""
    return sorted(set(re.findall(r'(?:href|src)="(/[^"]*\.\w+)"', html)))


@pytest.mark.parametrize("page", ["/", "/table", "/new", "/join"])
def test_a_page_is_few_and_small_files(guest: FlaskClient, page: str) -> None:
    answer = guest.get(page, headers=GZIP)
    assert answer.headers["Content-Encoding"] == "gzip"
    named = files(gzip.decompress(answer.data).decode())
    assert len(named) <= 8
    sent = [guest.get(name, headers=GZIP) for name in named if name.startswith("/assets/")]
    assert {one.status_code for one in sent} == {200}
    assert len(answer.data) + sum(len(one.data) for one in sent) < 50_000


def test_files_are_kept_for_ever_and_compressed_where_the_browser_reads_it(guest: FlaskClient) -> None:
    for name in files(guest.get("/").get_data(as_text=True)):
        small, whole = guest.get(name, headers=GZIP), guest.get(name)
        assert "immutable" in whole.headers["Cache-Control"]
        assert "Content-Encoding" not in whole.headers
        assert small.headers["Content-Encoding"] == "gzip"
        assert small.headers["Vary"] == "Accept-Encoding"
        assert gzip.decompress(small.data) == whole.data


def test_json_is_compressed_and_small_answers_are_not(guest: FlaskClient) -> None:
    state = guest.get("/api/openapi.json", headers=GZIP)
    assert state.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(state.data) == guest.get("/api/openapi.json").data
    assert "Content-Encoding" not in guest.get("/api/may", headers=GZIP).headers
    refused = {"Accept-Encoding": "gzip;q=0"}
    assert "Content-Encoding" not in guest.get("/api/openapi.json", headers=refused).headers


def test_a_file_that_is_sent_as_it_lies_there_is_not_compressed(guest: FlaskClient) -> None:
    answer = guest.get("/static/empty-table.svg", headers=GZIP)
    assert answer.data == (STATIC / "empty-table.svg").read_bytes()
    assert "Content-Encoding" not in answer.headers
    answer.close()


def test_pictures_are_kept_for_ever_and_nothing_else_is_found_there(guest: FlaskClient) -> None:
    art = re.search(r'data-art="([^"]+)"', guest.get("/").get_data(as_text=True))
    assert art is not None
    star = guest.get(f"{art[1]}/red.svg")
    assert star.mimetype == "image/svg+xml"
    assert star.data == (STATIC / "art/red.svg").read_bytes()
    assert "immutable" in star.headers["Cache-Control"]
    for name in ("../icon.svg", "nothing.svg", "%2e%2e/icon.svg", "red.txt"):
        assert guest.get(f"{art[1]}/{name}").status_code == 404
    assert guest.get("/assets/board-000000000000.js").status_code == 404


def test_the_source_map_of_a_script_is_found(guest: FlaskClient) -> None:
    shared = re.search(r'href="(/assets/shared-[^"]+\.js)"', guest.get("/").get_data(as_text=True))
    assert shared is not None
    text = guest.get(shared[1]).get_data(as_text=True)
    name = re.search(r"sourceMappingURL=(\S+)", text)
    assert name is not None
    sections = guest.get(f"/assets/{name[1]}").get_json()["sections"]
    assert "/static/lib/dom.js" in [source for one in sections for source in one["map"]["sources"]]


def test_a_changed_script_has_another_address(tmp_path: Path) -> None:
    static = tmp_path / "static"
    shutil.copytree(STATIC, static)
    assets = Assets(static)
    before = assets.build().page("board")
    assert assets.build().page("board") == before
    script = static / "pages" / "board.js"
    script.write_text(script.read_text(encoding="utf-8") + "\nf();\n", encoding="utf-8")
    after = assets.build().page("board")
    assert after != before
    assert b"f();" in assets.get(after.rpartition("/")[2]).content

"""The files that pages are made of, as few and as small as a phone on a weak Wi-Fi wants them.

Scripts and style sheets are joined, compressed, and served under addresses that hold a hash of their content
(`/assets/board-<hash>.js`): a browser asks for each content once and keeps it. The files are read again when
one of them has changed, so that whoever edits a script only has to load the page again.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, request

from companion.api.snapshot import GameOnTable
from web.joined_scripts import JoinedScripts

STATIC = Path(__file__).parent / "static"
SHARED = ("lib/", "ui/")
"""Folders whose scripts every page needs."""
KINDS: Mapping[str, str] = {
    ".js": "text/javascript",
    ".map": "application/json",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
SERVICE_WORKER = Path(__file__).parent / "service_worker.js"
FOREVER = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__, url_prefix="/assets")


@dataclass(frozen=True)
class Asset:
    """One file as it is served."""

    content: bytes
    kind: str

    @cached_property
    def compressed(self) -> bytes:
        """The content as gzip."""
        return gzip.compress(self.content, 9, mtime=0)


@dataclass
class Build:
    """The files made from one state of the folder. May be used from any thread."""

    static: Path
    made: dict[str, Asset] = field(default_factory=dict)
    """Name in the address -> the file."""
    maps: dict[str, str] = field(default_factory=dict)
    """Name of a source map -> the joined script that it describes."""
    pages: dict[str, str] = field(default_factory=dict)
    """Page, or `words-<language>` -> address of its script."""

    def add(self, stem: str, suffix: str, text: str) -> str:
        """Adds a file; its address."""
        return self.add_bytes(stem, suffix, text.encode())

    def add_bytes(self, stem: str, suffix: str, content: bytes) -> str:
        """Adds a file, e.g. a picture of pixels; its address."""
        name = f"{stem}-{fingerprint(content)}{suffix}"
        if name not in self.made:
            if suffix == ".js":
                self.maps[f"{name}.map"] = content.decode()
                content += f"//# sourceMappingURL={name}.map\n".encode()
            self.made[name] = Asset(content, KINDS[suffix])
        return f"/assets/{name}"

    @cached_property
    def scripts(self) -> JoinedScripts:
        """The page scripts."""
        return JoinedScripts(self.static)

    @cached_property
    def shared(self) -> list[str]:
        """The scripts of the shared file."""
        return self.scripts.named(*SHARED)

    @cached_property
    def games(self) -> dict[str, str]:
        """Script of a game -> address of the file with it."""
        names = [path.relative_to(self.static).as_posix() for path in self.static.glob("games/*/index.js")]
        return {
            name: self.add(name.split("/")[1], ".js", self.scripts.part(name, self.shared))
            for name in sorted(names)
        }

    @cached_property
    def shared_address(self) -> str:
        """Address of the file with the loader, `lib` and `ui`."""
        return self.add("shared", ".js", self.scripts.shared(self.shared, self.games))

    def page(self, name: str) -> str:
        """Address of the script of a page."""
        if name not in self.pages:
            text = self.scripts.page(f"pages/{name}.js", self.shared, self.shared_address)
            self.pages[name] = self.add(name, ".js", text)
        return self.pages[name]

    def preloaded(self, page: str, game: GameOnTable | None) -> list[str]:
        """Addresses of what the script of a page imports first: the browser asks for all of it at once."""
        later = [] if game is None else [self.games.get(f"games/{game.name}/index.js")]
        shows_games = "games/index.js" in self.scripts.reached(f"pages/{page}.js")
        return [self.shared_address, *(address for address in later if address and shows_games)]

    def words(self, language: str, catalogue: Mapping[str, object]) -> str:
        """Address of the translations of a language."""
        name = f"words-{language}"
        if name not in self.pages:
            text = f"globalThis.companionWords = {json.dumps(catalogue, ensure_ascii=False)};\n"
            self.pages[name] = self.add(name, ".js", text)
        return self.pages[name]

    def style(self, *names: str) -> str:
        """Address of style sheets, joined."""
        texts = ((self.static / name).read_text(encoding="utf-8") for name in names)
        return self.add(Path(names[0]).stem, ".css", "".join(texts))

    def file(self, name: str) -> str:
        """Address of one file."""
        path = self.static / name
        return self.add_bytes(path.stem, path.suffix, path.read_bytes())

    @cached_property
    def art_address(self) -> str:
        """Address of the folder of pictures."""
        texts = (path.read_bytes() for path in sorted(self.static.glob("art/**/*.svg")))
        return f"/assets/art-{fingerprint(b''.join(texts))}"

    def picture(self, path: str) -> Asset:
        """A picture of the folder `art`.

        Raises:
            KeyError: there is none.
        """
        name = f"art/{path}"
        if name not in self.made:
            file = self.static / name
            if not path.endswith(".svg") or ".." in path or not file.is_file():
                raise KeyError(path)
            self.made[name] = Asset(file.read_bytes(), KINDS[".svg"])
        return self.made[name]


class Assets:
    """The present build; a new one when a file has changed. May be used from any thread."""

    def __init__(self, static: Path = STATIC) -> None:
        self._static = static
        self._lock = threading.Lock()
        self._state: frozenset[tuple[str, int, int]] = frozenset()
        self._build = Build(static)

    def build(self) -> Build:
        """The files as they are now."""
        state = frozenset(_files(os.fspath(self._static)))
        with self._lock:
            if state != self._state:
                self._state, self._build = state, Build(self._static)
            return self._build

    def get(self, name: str) -> Asset:
        """A file by its name in the address.

        Raises:
            KeyError: there is none, or not any more.
        """
        build = self._build
        if name not in build.made and name in build.maps:
            build.made[name] = Asset(build.scripts.source_map(build.maps[name]).encode(), KINDS[".map"])
        return build.made[name]

    def picture(self, path: str) -> Asset:
        """A picture of the folder `art`.

        Raises:
            KeyError: there is none.
        """
        return self._build.picture(path)


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    """Path, time of change and size of every file."""
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _files(entry.path)
        else:
            found = entry.stat()
            yield entry.path, found.st_mtime_ns, found.st_size


def fingerprint(content: bytes) -> str:
    """Twelve hexadecimal digits that differ when the content differs."""
    return hashlib.sha256(content).hexdigest()[:12]


@cache
def _assets_with_words_of(locale_dir: Path | None) -> Assets:
    """The files of all applications of this process that have the same catalogues: joined and compressed
    once."""
    return Assets()


def serve(app: Flask, locale_dir: Path | None = None) -> None:
    """Makes the files available to the templates, and compresses what the application answers.

    Args:
        locale_dir: the folder of the catalogues whose words the pages say (see Build.words).
    """
    assets = _assets_with_words_of(locale_dir)
    app.extensions["assets"] = assets
    app.register_blueprint(blueprint)
    app.jinja_env.globals["assets"] = assets.build
    app.add_url_rule("/service-worker.js", view_func=service_worker)
    app.after_request(_compress)


def service_worker() -> Response:
    """The script that keeps pages on the phone. The browser knows it by its address, which stays and has no
    folder, so that it may serve every page."""
    return Response(
        SERVICE_WORKER.read_bytes(),
        mimetype=KINDS[".js"],
        headers={"Cache-Control": "no-cache"},
    )


@blueprint.get("/<name>")
def asset(name: str) -> Response:
    """A joined file."""
    return _answer(lambda assets: assets.get(name))


@blueprint.get("/art-<version>/<path:name>")
def picture(version: str, name: str) -> Response:
    """A picture of a card or a monster."""
    return _answer(lambda assets: assets.picture(name))


def _answer(find: Callable[[Assets], Asset]) -> Response:
    try:
        found = find(current_app.extensions["assets"])
    except KeyError:
        abort(404)
    response = Response(found.content, mimetype=found.kind)
    if takes_gzip():
        response.set_data(found.compressed)
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = FOREVER
    return response


LEAST = 1000
"""Bytes below which an answer is not worth compressing: it fits into one packet."""
COMPRESSIBLE = ("text/html", "application/json", "text/csv", "application/x-ndjson", "image/svg+xml")


def _compress(response: Response) -> Response:
    """Compresses pages and JSON. Pictures stay as they are; the event stream compresses each message."""
    if (
        response.is_streamed
        or response.direct_passthrough
        or response.mimetype not in COMPRESSIBLE
        or "Content-Encoding" in response.headers
        or not takes_gzip()
    ):
        return response
    content = response.get_data()
    if len(content) >= LEAST:
        response.set_data(gzip.compress(content, 5))
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
    return response


def takes_gzip() -> bool:
    """Whether the browser that sent the present request reads gzip."""
    return request.accept_encodings.quality("gzip") > 0

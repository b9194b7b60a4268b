"""The pages on the phones: a small Flask application that gets everything it shows from a `web.host.Host`.

>>> import tempfile
>>> from pathlib import Path
>>> from companion.announce.render import TableRenderer
>>> from companion.core.config import Config
>>> from companion.devices.inputs import Inputs
>>> from companion.runtime.app import App
>>> from companion.store.folder import DataFolder
>>> from companion.table.story import phrases
>>> from web import create_app
>>> with tempfile.TemporaryDirectory() as folder:
...     service = App(Config(), DataFolder(Path(folder)), inputs=Inputs())
...     service.start()
...     pages = create_app(service.host, secret_key=service.data.key(), writer=TableRenderer(phrases))
...     print(pages.test_client().get("/state.json").get_json()["game"])
...     service.stop()
None

Pages are drawn in the phone's browser from one snapshot and updated by server-sent events. Only POST requests
change anything. Pages load nothing from other servers.
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from companion.core.clock import Clock, monotonic
from web import assets, captive, errors, openapi, routes, security, words
from web.context import PageContext
from web.encoding import StructProvider
from web.host import Host
from web.listeners import Listeners, Polls
from web.rates import Rates
from web.roles import CodeGate
from web.sessions import TimelessSessions
from web.stream_messages import ChangeMessages
from web.streams import EventStreams
from web.views import (
    api,
    board,
    devices,
    enrol,
    events,
    join,
    machine,
    past,
    photo,
    recordings,
    settings,
    setup,
    stored,
    voices,
    wireless,
)
from web.writer import AsHandedOver, Writer

__all__ = ["Host", "create_app"]


BASE_STYLES = (
    "css/base.css",
    *(f"css/parts/{name}.css" for name in ("controls", "frame", "status", "cards", "sheet")),
)
"""The style sheets of every page, below `static/`, in the order in which they override each other."""
GUESTS_BURST, GUESTS_PER_S = 20, 0.5
"""How many commands a guest's phone may send at once, and how many a second after that."""


def create_app(
    host: Host,
    *,
    secret_key: bytes,
    clock: Clock = monotonic,
    heartbeat_s: float = 2.0,
    listeners: int = 40,
    locale_dir: Path | None = None,
    language: str = words.ENGLISH,
    writer: Writer | None = None,
) -> Flask:
    """Builds the pages.

    Args:
        host: the service behind them.
        secret_key: signs the phones' sessions; random, at least 16 bytes, stored in the data folder so that
            sessions survive a restart.
        clock: seconds, for the pause after wrong codes.
        heartbeat_s: seconds between the heartbeats of an event stream without changes.
        listeners: the most event streams at once. Further phones ask for the state every few seconds.
        locale_dir: the folder of the gettext catalogues (domain `companion`); None: English.
        language: for phones whose languages have no catalogue.
        writer: writes the sentences of snapshots, changes and replies; None: the host writes them itself.

    Raises:
        ValueError: the key is too short.
    """
    if len(secret_key) < 16:
        raise ValueError("the pages need a secret key of at least 16 random bytes")
    app = Flask(__name__)
    app.json = StructProvider(app)
    app.session_interface = TimelessSessions()
    app.config.update(
        SECRET_KEY=secret_key,
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_HTTPONLY=True,
        MAX_CONTENT_LENGTH=routes.FORM_BYTES,
        SEND_FILE_MAX_AGE_DEFAULT=None,
    )
    writer = writer or AsHandedOver()
    app.extensions["companion"] = PageContext(
        host,
        CodeGate(clock),
        Listeners(listeners),
        Polls(clock),
        Rates(clock, GUESTS_BURST, GUESTS_PER_S),
        writer,
        EventStreams(host, ChangeMessages(writer), heartbeat_s),
    )
    captive.guard(app)
    security.guard(app)
    routes.guard(app)
    errors.handle(app)
    assets.serve(app, locale_dir)
    words.speak(app, locale_dir, language)
    app.jinja_env.globals["game_styles"] = game_styles
    app.jinja_env.globals["base_styles"] = BASE_STYLES
    for view in (
        board,
        past,
        setup,
        devices,
        voices,
        recordings,
        stored,
        settings,
        machine,
        wireless,
        enrol,
        photo,
        join,
        api,
        events,
        openapi,
    ):
        app.register_blueprint(view.blueprint)
    return app


def game_styles() -> tuple[str, ...]:
    """The style sheets of the games' own pages, below `static/`."""
    found = (path.relative_to(assets.STATIC).as_posix() for path in assets.STATIC.glob("games/*/style.css"))
    return tuple(sorted(found))

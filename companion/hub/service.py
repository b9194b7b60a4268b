"""The hub as a service: collector, pages, signals."""

from __future__ import annotations

import logging
import secrets
import signal
import socket
from datetime import datetime
from pathlib import Path
from types import FrameType

from companion.core.clock import monotonic
from companion.core.end_request import EndRequest
from companion.core.errors import Unavailable
from companion.hub.collector import Collector
from companion.hub.database import HubDatabase
from companion.hub.metrics import metrics_text
from companion.hub.pages import create_hub_pages
from companion.hub.ratings import RatingReader
from companion.hub.settings import HubSettings
from companion.hub.standings import HallReader
from companion.hub.storing import ResultStore
from companion.hub.tournament.desk import TournamentDesk
from companion.hub.tournament.offers import SeatingPublisher
from companion.hub.tournament.organiser_pages import add_organiser_pages
from companion.hub.tournament.public_pages import TournamentViews, add_public_pages
from companion.hub.tournament.reading import TournamentReader
from companion.hub.web_server import HubWebServer

logger = logging.getLogger(__name__)


class Hub:
    """Everything of one hub. `start` and `stop` are called once.

    Raises:
        Unavailable: the database, the password file or a library is missing, or the port is in use.
    """

    def __init__(self, settings: HubSettings) -> None:
        self.database = HubDatabase(settings.database.url)
        self.reader = HallReader(self.database)
        seatings = SeatingPublisher(TournamentReader(self.database))
        store = ResultStore(self.database, _local_now, seatings.changed)
        self.collector = Collector(settings.broker, store, seatings)
        self.desk = TournamentDesk(self.database, _local_now, seatings.changed)
        pages = create_hub_pages(
            self.reader,
            RatingReader(self.database),
            settings.seasons,
            _password(settings.pages.organiser_file),
            lambda: metrics_text(self.collector, self.reader),
            secret=self.database.secret(lambda: secrets.token_hex(32)),
        )
        views = TournamentViews(self.database, monotonic, settings.pages.url)
        add_public_pages(pages, views)
        add_organiser_pages(pages, views, self.desk, self.reader)
        self._server = HubWebServer(pages, settings.pages)
        self.port = self._server.port

    def start(self) -> None:
        """Starts to collect and to serve the pages."""
        self.collector.start()
        self._server.start()

    def stop(self) -> None:
        """Stops collecting, then serving."""
        self.collector.stop()
        self._server.stop()
        self.database.close()


def run(settings: HubSettings) -> None:
    """Runs a hub until SIGTERM or SIGINT comes.

    Raises:
        Unavailable: as Hub, or the collector's thread has ended.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    end = EndRequest()

    def signalled(_number: int, _frame: FrameType | None) -> None:
        end.make()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signalled)
    hub = Hub(settings)
    hub.start()
    print(f"The hub's pages are at http://{socket.gethostname()}:{hub.port}/. Ctrl-C ends it.", flush=True)
    try:
        while not end.wait(0.5):
            if not hub.collector.alive:
                raise Unavailable("hub.collector_ended")
    finally:
        hub.stop()


def _local_now() -> datetime:
    return datetime.now().astimezone()


def _password(file: str) -> str:
    if not file:
        return ""
    path = Path(file).expanduser()
    try:
        found = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable("mqtt.no_password", path=path, why=str(error)) from error
    if not found:
        raise Unavailable("data.empty", path=path)
    return found

"""Every address that serves data, with its method, role, request and response.

The role is enforced here, for all of them, before a request is served; docs/api.md and `/api/openapi.json`
are made from this table. HTML pages and static files are not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from flask import Flask, request

from companion.api import requests
from companion.api.commands import (
    PHONE_COMMANDS,
    Accepted,
    AmendPreview,
    EnterEvent,
    PositionPreview,
    Refusal,
)
from companion.api.devices import DeviceChecks, DeviceState, LoopResult, SeatState, SoundProgress, VoiceState
from companion.api.game_steps import GameSteps
from companion.api.pairing import PairedPhones, PairingCode
from companion.api.photos import DicePhoto, DisplayPoints, KeptEvidence, TilePoints
from companion.api.players import PlayerReports
from companion.api.recordings import RecordedEvenings
from companion.api.replies import (
    DeckCheckReply,
    Done,
    EnrolmentReply,
    LanguageReply,
    LatticeReply,
    LogReply,
    MayReply,
    OffersReply,
    OpenedFile,
    OwnerReply,
    PhotoReply,
    RequestError,
    RoleReply,
    SeenReply,
    SetupReply,
)
from companion.api.snapshot import Snapshot
from companion.api.stored import StoredData
from companion.core.events import Event
from web.context import need_referee
from web.owner_routes import OWNER_ROUTES
from web.roles import on_the_companion
from web.route import PICTURE, Access, Route, get, post, upload


def _commands() -> tuple[Route, ...]:
    """One route for each command; who may send what, the table decides."""
    summaries = {
        "new_game": "Starts a game; the one on the table leaves it.",
        "next_game": "Starts the latest game again, with the same players and house rules.",
        "begin_seated": "Starts the game that a tournament has planned for this table.",
        "decline_seated": "The players do not want the planned game now.",
        "end_game": "The game leaves the table with its result as it stands.",
        "event": "Something that happened in the game (docs/events.md). A player may enter the own reading.",
        "undo": "Takes back the latest move; with `n` only if that is its number.",
        "amend": "Replaces entry `n` of the log by `event`, or removes it (null). With `preview` nothing "
        "changes. A player may correct the own reading.",
        "overrule": "Sets the verdicts about entry `n` of the log aside.",
        "position": "The table agrees how things stand, or to count entry `n` of the log, which was refused "
        "(docs/events.md). With `preview` nothing changes.",
        "answer": "Answers a question with one of its options. A player may answer about the own reading.",
        "go_on": "After an interruption the game's clock runs again without a move.",
        "stop_timing": "Without a microphone nobody is timed from now on.",
        "too_slow": "The table says that whoever has to act took too long, while the clock stands still.",
    }
    own = {"event", "amend", "answer"}
    previews: Mapping[str, tuple[type[Any], ...]] = {
        "amend": (AmendPreview,),
        "position": (PositionPreview,),
    }
    return tuple(
        Route(
            "POST",
            f"/api/command/{name}",
            "/api/command/<name>",
            summaries[name],
            "player" if name in own else "referee",
            {
                200: (Accepted, *previews.get(name, ())),
                403: (Refusal, RequestError),
                409: (Refusal,),
                422: (Refusal, RequestError),
            },
            Event if body is EnterEvent else body,
        )
        for name, body in PHONE_COMMANDS.items()
    )


def _enrolment() -> tuple[Route, ...]:
    steps: Mapping[str, tuple[type[Any], str]] = {
        "state": (requests.NoFields, "The deck that is being learned, as it is now."),
        "open": (requests.DeckChosen, "Starts with a deck, or goes on with it."),
        "name": (requests.CardNamed, "Says which card of the picture it is: it is learned."),
        "turn": (requests.CardTurned, "Turns a card of the picture by 180 degrees."),
        "more": (requests.NoFields, "Learns every card that is known for sure once more."),
        "order": (requests.NoFields, "Names the new cards, row by row, as the list of the deck goes on."),
        "rename": (requests.CardRenamed, "Gives a card of the deck another name."),
        "drop": (requests.CardDropped, "Takes a card out of the deck."),
        "close": (requests.NoFields, "Writes the deck and ends learning it."),
    }
    look = upload(
        "/api/enrol/look", "Finds the cards in the camera's picture, or in the one sent.", "referee",
        {"picture": "optional: " + PICTURE["picture"]}, EnrolmentReply,
    )  # fmt: skip
    return (
        look,
        post("/api/enrol/check", "What should be corrected in the deck.", "referee", requests.NoFields,
              DeckCheckReply),
        *(
            post(f"/api/enrol/{step}", text, "referee", body, EnrolmentReply, rule="/api/enrol/<step>")
            for step, (body, text) in steps.items()
        ),
    )  # fmt: skip


def _setup() -> tuple[Route, ...]:
    steps = {
        "state": "What the set-up page shows.",
        "reset": "Deletes the drawn zones of a game.",
        "mat": "Takes the zones of a game from the mat in the picture.",
        "remember": "Keeps the present view of the table, to notice when the camera is bumped.",
        "relock": "Lets the camera measure the light again.",
        "lens": "Takes one more picture of the mat to learn the lens.",
        "forget_lens": "Deletes what was learned of the lens.",
    }
    rule = "/api/setup/<step>"
    return (
        *(
            post(f"/api/setup/{step}", text, "referee", requests.SetupGame, SetupReply, rule=rule)
            for step, text in steps.items()
        ),
        post("/api/setup/draw", "Keeps zones that were drawn.", "referee", requests.DrawnZones, SetupReply,
              rule=rule),
        post("/api/setup/look", "What the camera recognises now.", "referee", requests.SetupGame, SeenReply,
              rule=rule),
    )  # fmt: skip


def _pairing() -> tuple[Route, ...]:
    return (
        get("/api/pairing/role", "The role of this phone.", "everybody", RoleReply),
        post("/api/role", "The code makes this phone the referee's.", "everybody", requests.CodeEntry,
              RoleReply),
        post("/api/pairing/ask", "Asks for a press on the companion that makes this phone the referee's.",
              "everybody", requests.NoFields, Done),
        post("/api/pairing/code", "A code for another phone.", "referee", requests.NoFields, PairingCode),
        get("/api/pairing/shown", "The code for a screen at the table: the present one while it is valid, "
             "then a new one.", "screen", PairingCode),
        get("/api/phones", "The phones that the table knows.", "referee", PairedPhones),
        post("/api/phones/revoke", "Forgets a phone: it is a guest's then, and nobody's.", "referee",
              requests.PhoneNumber, PairedPhones),
    )  # fmt: skip


def _photographs() -> tuple[Route, ...]:
    return (
        upload("/api/photo", "Reads a player's display or tiles. Enters nothing.", "player",
                {"player": "the player's name", **PICTURE}, PhotoReply),
        upload("/api/dice", "Reads dice. Enters nothing.", "everybody",
                {**PICTURE, "count": "optional: how many dice there are"}, DicePhoto),
        upload("/api/lattice", "Reads the table of Trio Monsters. Enters nothing.", "referee", PICTURE,
                LatticeReply),
        post("/api/points", "What a display would score. Enters nothing.", "everybody",
              requests.DisplayAsked, DisplayPoints),
        post("/api/tile_points", "What tiles would score. Enters nothing.", "everybody",
              requests.TilesAsked, TilePoints),
        get("/photo/{photo_id}.jpg", "A photograph with what was recognised drawn on it.", "player",
             rule="/photo/<photo_id>.jpg", media="image/jpeg"),
    )  # fmt: skip


def _devices() -> tuple[Route, ...]:
    none, done = requests.NoFields, Done
    return (
        get("/api/devices", "The device test. Asking keeps the microphone measured for seconds.", "referee",
             DeviceState),
        get("/api/checks", "What the service has found on its machine, for `companion doctor`.", "screen",
             DeviceChecks),
        post("/api/devices/try", "Lets an output give a sign.", "referee", requests.OutputChoice, done),
        post("/api/devices/loop", "Whether the microphone hears the buzzer.", "referee", none, LoopResult),
        get("/api/voices", "Voices and the lesson, which goes on while this is asked.", "referee",
             VoiceState),
        post("/api/voices/begin", "Listens for a player's words.", "referee", requests.PlayerName, done),
        post("/api/voices/stop", "Ends a lesson; nothing of it is kept.", "referee", none, done),
        post("/api/voices/forget", "Deletes a voice.", "referee", requests.PlayerName, done),
        get("/api/seats", "Known seats, and whose name is listened for while this is asked.", "referee",
             SeatState),
        post("/api/seats/begin", "Listens for a player's name.", "referee", requests.PlayerName, done),
        post("/api/seats/stop", "Stops listening; nothing of it is kept.", "referee", none, done),
        post("/api/seats/forget", "Deletes a seat.", "referee", requests.PlayerName, done),
        get("/api/sound", "How often an invented sound has still to be made.", "referee", SoundProgress),
        *(
            post(f"/api/sound/{step}", text, "referee", none, SoundProgress, rule="/api/sound/<step>")
            for step, text in (("begin", "What is heard now is the invented sound."), ("stop", "Ends that."))
        ),
    )  # fmt: skip


def _recordings() -> tuple[Route, ...]:
    return (
        get("/api/recordings", "The recorded evenings.", "referee", RecordedEvenings),
        post("/api/recordings/start", "Records this evening from now on.", "referee", requests.NoFields,
              RecordedEvenings),
        post("/api/recordings/stop", "Ends the recording and keeps it.", "referee", requests.NoFields,
              RecordedEvenings),
        post("/api/recordings/forget", "Deletes a recorded evening.", "referee", requests.EveningName,
              RecordedEvenings),
    )  # fmt: skip


def _stored() -> tuple[Route, ...]:
    return (
        get("/api/stored", "What is stored about people and games.", "referee", StoredData),
        get("/backup.zip", "All games, decks and settings in one file, for `companion backup --restore`.",
             "referee", media="application/zip"),
        post("/api/stored/game", "Deletes a game with its evidence.", "referee", requests.GameNumber,
              StoredData),
        post("/api/stored/player", "Replaces a player's name in every game and deletes the voice.",
              "referee", requests.PlayerName, StoredData),
        post("/api/stored/file", "Deletes a file of the list.", "referee", requests.StoredFileName,
              StoredData),
    )  # fmt: skip


def _files() -> tuple[Route, ...]:
    return (
        get("/live.jpg", "What the camera sees now.", "referee", media="image/jpeg"),
        get("/enrol/picture/{name}.jpg", "The picture of an enrolment, or one of its cards.", "referee",
             rule="/enrol/picture/<name>.jpg", media="image/jpeg"),
        get("/qr.svg", "The address of the pages as a QR code.", "everybody", media="image/svg+xml"),
        get("/past/results.csv", "All results.", "everybody", media="text/csv"),
        get("/api/players", "Every player's wins by game, head to head, and times of calls.", "everybody",
             PlayerReports),
        get("/api/past/{game}/steps",
             "A past game after each of its entries, from entry `first` (query) on, up to 50.", "everybody",
             GameSteps, rule="/api/past/<int:game>/steps"),
        post("/api/past/file", "Opens a game from a file, to step through it. Stores nothing.", "referee",
              requests.GameFile, OpenedFile),
        get("/api/past/file/{key}/steps", "The same of a game that was opened from a file.", "everybody",
             GameSteps, rule="/api/past/file/<key>/steps"),
        get("/past/{game}.jsonl", "A game as the script that `companion replay` reads.", "everybody",
             rule="/past/<int:game>.jsonl", media="application/x-ndjson"),
        get("/evidence/{name}", "Evidence that `/api/why` has kept.", "referee", rule="/evidence/<name>",
             media="application/zip"),
        post("/api/why", "Keeps the pictures and the sound of an entry of the log.", "referee",
              requests.LogNumber, KeptEvidence),
    )  # fmt: skip


ROUTES: tuple[Route, ...] = (
    get("/state.json", "Everything that is known now.", "everybody", Snapshot),
    get("/events", "Server-sent events: a snapshot, then every change; each `data` line is a TableChange.",
         "everybody", media="text/event-stream"),
    get("/api/may", "What may be done now, in sentences.", "everybody", MayReply),
    get("/api/log", "The entries of the log before entry `before` (query), up to a thousand.", "everybody",
         LogReply),
    get("/api/log/{n}/offers", "What could have happened instead of entry `n`.", "everybody", OffersReply,
         rule="/api/log/<int:n>/offers"),
    *_commands(),
    *_pairing(),
    post("/api/leave", "This phone is a guest's again.", "everybody", requests.NoFields, RoleReply),
    post("/api/me", "Whose phone this is.", "everybody", requests.PhoneOwner, OwnerReply),
    post("/api/language", "The language of this phone.", "everybody", requests.LanguageChoice,
          LanguageReply),
    *_photographs(),
    *_enrolment(),
    *_setup(),
    *_devices(),
    *_recordings(),
    *_stored(),
    *OWNER_ROUTES,
    *_files(),
    get("/api/openapi.json", "This description.", "everybody", dict),
)  # fmt: skip
"""All addresses that serve data."""


FORM_BYTES = 20 * 1024 * 1024 + 64 * 1024
"""The longest form with a photograph."""
JSON_BYTES = 64 * 1024
"""The longest JSON of any other request."""
OTHER_BYTES: Mapping[str, int] = {
    "/api/past/file": 1024 * 1024,
    "/api/command/event": 8 * 1024,
    "/api/command/amend": 8 * 1024,
    "/api/command/answer": 1024,
    "/api/upload": 1536 * 1024,
}
"""Requests whose content every phone gets, a game as a file, and pieces of a file in base64."""
GUESTS_JSON_BYTES = 2 * 1024
"""The longest JSON of a request that is open to everybody."""


@cache
def _body_limits() -> Mapping[str, int]:
    found: dict[str, int] = {}
    for route in ROUTES:
        if route.method == "POST":
            plain = GUESTS_JSON_BYTES if route.access == "everybody" else JSON_BYTES
            found[route.path] = FORM_BYTES if route.form else OTHER_BYTES.get(route.path, plain)
    return found


def body_limit(method: str, path: str) -> int:
    """The most bytes of a request's body; where none is expected a short one is ignored."""
    return _body_limits().get(path, 1024) if method == "POST" else 1024


def guard(app: Flask) -> None:
    """Enforces the routes that are for the referee's phone only."""
    app.before_request(_check)


@cache
def _guarded_rules() -> Mapping[tuple[str, str], Access]:
    """Method and rule of all routes that need a role, with the access; a rule covers all values of its last
    part."""
    return {
        (route.method, route.rule): route.access
        for route in ROUTES
        if route.access in ("referee", "screen") and route.rule != "/api/command/<name>"
    }


def _check() -> None:
    """Raises: Refused: the request is the referee's and comes from a guest's phone."""
    rule = None if request.url_rule is None else request.url_rule.rule
    method = "GET" if request.method == "HEAD" else request.method
    access = None if rule is None else _guarded_rules().get((method, rule))
    if access == "referee" or (access == "screen" and not on_the_companion()):
        need_referee()

"""What the pages are handed: one Protocol and the shapes of the JSON that passes through it.

The pages know no rule, no device and no thread of the table. Whatever they show comes out of a `Host`,
whatever a thumb decides goes into `Host.command`. All dictionaries are JSON: strings, numbers, booleans,
None, lists and dictionaries with string keys.
"""

from __future__ import annotations

import queue
from typing import Any, Protocol

Json = dict[str, Any]
"""A JSON object."""

Message = tuple[int, Json]
"""(sequence number, {"kind": "snapshot" | "change", "snapshot": Json, "announcements": [Json]})."""

Subscription = queue.Queue[Message | None]
"""The changes as they come; None says that the service is shutting down."""


class Enrolling(Protocol):
    """Learning a deck: one deck at a time lies on the desk. All methods but `picture` give the desk as it is
    then: `deck` (None: the desk is empty, `decks` may be opened), `title`, `camera`, `picture`, `cards`
    [{`id`, `corners`, `thumb`, `guess`, `new`, `blurred`, `small`, `label`}], `labels` [{`label`, `looks`}],
    `missing`, `weak`. They raise CompanionError with what to do about it.
    """

    def state(self) -> Json:
        """The desk."""

    def open(self, name: str) -> Json:
        """Puts a deck on the desk; one that was begun before is gone on with."""

    def look(self, jpeg: bytes | None = None) -> Json:
        """Finds the cards in the camera's picture, or in the one sent."""

    def name(self, number: int, label: str) -> Json:
        """Says which card of the picture it is: it is learned."""

    def more_looks(self) -> Json:
        """Learns every card that is known for sure as one more look of it."""

    def turn(self, number: int) -> Json:
        """Turns a card of the picture round."""

    def rename(self, old: str, new: str) -> Json:
        """Calls a card otherwise."""

    def drop(self, label: str) -> Json:
        """Takes a card out of the deck."""

    def check(self) -> Json:
        """What is to be put right: `alike` pairs, `misread`, `plain`, `missing`, `weak`. Not the desk."""

    def close(self) -> Json:
        """Writes the deck and clears the desk."""

    def picture(self, name: str) -> bytes:
        """The JPEG of a picture on the desk."""


class Setup(Protocol):
    """Setting the table up. All methods but `look` give what the page shows then: `camera`, `game`, `games`,
    `seats`, `zones` {name: corners as shares}, `source` (`mat`, `drawn`, `configured`, `guessed`), `mat`
    (None, or `name`, `error` and `markers`), `findings` [{`code`, `amount`, `where`}], `remembered`, `lens`
    (None, or `helps`, `error`, `flat`, `bent`, `pictures`) and `mats`. They raise CompanionError.
    """

    def state(self, game: str = "") -> Json:
        """What the page shows; no game: the one that is played."""

    def draw(self, game: str, shapes: dict[str, list[tuple[float, float]]]) -> Json:
        """Keeps zones that were drawn."""

    def reset(self, game: str) -> Json:
        """Forgets the drawn zones of a game."""

    def from_mat(self, game: str) -> Json:
        """Takes the zones from the mat in the picture."""

    def remember(self, game: str = "") -> Json:
        """The camera stands right: how the table looks is remembered."""

    def relock(self, game: str = "") -> Json:
        """The camera settles on the light anew."""

    def learn_lens(self, game: str = "") -> Json:
        """Takes one more picture of the mat."""

    def forget_lens(self, game: str = "") -> Json:
        """Forgets the lens."""

    def look(self, game: str) -> Json:
        """What the eyes recognise now: `cards` [{`label`, `confidence`, `corners` as shares}], `unknown`."""


class Teaching(Protocol):
    """Teaching a player's voice."""

    def state(self) -> Json:
        """`taught` (names), `lesson` (None, or `player`, `word` to be said, `said`, `of`, `finding`:
        `heard`, `again` or `noisy`) and `outcome` (None, or `player`, `helps`, `text`). A lesson ends if
        nobody asks."""

    def begin(self, player: str) -> None:
        """Listens for this player's words; raises CompanionError if that cannot be now."""

    def stop(self) -> None:
        """Ends a lesson; nothing of it is kept."""

    def forget(self, player: str) -> None:
        """Removes a voice; raises CompanionError if there is none."""


class Rehearsing(Protocol):
    """Making an invented sound again. All methods give `left` (how many times more) and `of` (in all)."""

    def begin(self) -> Json:
        """From now on what is heard is the sound again; raises CompanionError if nothing listens."""

    def state(self) -> Json:
        """How far it is."""

    def stop(self) -> Json:
        """Ends it; what was learnt stays."""


class Past(Protocol):
    """What has been played on this machine."""

    def state(self) -> Json:
        """`games`, the latest first: `id`, `name`, `title`, `started`, `ended` (or None), `players`,
        `scores`, `winner` (empty without one), `bgstats` (a link, or None); `records` [{`player`,
        `games`, `won`, `points`}], best first. Raises CompanionError if there is no journal."""

    def script(self, game: int) -> tuple[str, str]:
        """A file name and the script of a game; raises CompanionError if there is none."""

    def table(self) -> str:
        """All results as CSV."""


class Trying(Protocol):
    """Trying the devices out."""

    def state(self) -> Json:
        """`findings` [{`name`, `there`, `what`, `remedy`}], `buttons` [{`name`, `gpio`, `ago` (seconds since
        it was pressed, or None)}], `outputs` (their names) and `level` of the microphone (None, or `now`,
        `loudest`, `room` in dB, `clipped`, `finding`). Asking keeps the microphone measured for seconds."""

    def try_out(self, name: str) -> None:
        """Lets an output give a sign; raises CompanionError if it is not plugged in."""

    def loop_back(self) -> Json:
        """Whether the microphone hears the buzzer (or the voice): `by`, `heard`, `rise` in dB."""


class Host(Protocol):
    """The service behind the pages. Every method may be called from any thread of the web server."""

    @property
    def enrolment(self) -> Enrolling:
        """Learning decks."""

    @property
    def table_setup(self) -> Setup:
        """Zones, mat, lens and the quality of the picture."""

    @property
    def history(self) -> Past:
        """What has been played."""

    @property
    def sound_training(self) -> Rehearsing:
        """Making an invented sound again."""

    @property
    def voice_training(self) -> Teaching:
        """Teaching a player's voice."""

    @property
    def device_test(self) -> Trying:
        """Trying the devices out."""

    def live(self) -> bytes:
        """The JPEG of what the camera sees now, for the set-up; the referee's only.

        Raises:
            CompanionError: the camera gives no picture.
        """

    def games(self, settings: bool = False) -> list[Json]:
        """What can be played: `name`, `title`, `seats` [lowest, highest], `fewest_points_win`, `sources`
        (with which it is usually played), `zones` [{`name`, `text`, `each_player`}], `cards` (labels),
        `photographed` (`display`, `tiles`, `dice`, `lattice` or empty), `page` (whether a script of its own
        shows it) and, if asked for, `settings`, each of them with `name`, `type`, `default`, `choices` (or
        None), `keys` (what a table counts, or None) and `help`."""

    def snapshot(self) -> Json:
        """Everything that is known now: `seq`, `game` (None between two games), `state`, `scores`, `winner`,
        `phase`, `turn`, `log`, `offers`, `paused` (why the clock waits, or None), `questions`, `deadline`,
        `sources`, `announcement` (the latest; its `n` is the log's last entry when it was made), `night`."""

    def subscribe(self) -> Subscription:
        """A queue that receives every change from now on."""

    def unsubscribe(self, subscription: Subscription) -> None:
        """Ends a subscription; harmless if it has ended before."""

    def command(self, name: str, data: Json, role: str) -> Json:
        """Carries out what a phone asks for: `new_game`, `event`, `undo` (with `n` only if that is the latest
        move), `amend`, `overrule`, `answer`, `end_game`, `next_game`, `go_on` (the clock runs again). Blocks
        until it is judged.

        Args:
            name: the command.
            data: its fields.
            role: `referee` or `guest`.

        Returns:
            {"ok": True, ...} or {"ok": False, "code": str, "text": str}; a preview of `amend` has `scores`,
            `winner` and `dropped` [{`n`, `text`, `why`}], later entries that would no longer fit.
        """

    def read_photo(self, player: str, jpeg: bytes) -> Json:
        """Reads what lies before a player: `id`, `picture` (its address), its `size` [width, height], `cards`
        [{`id`, `label`, `confidence`, `corners` in its pixels}], `score` (None while anything is unsure),
        `unsure` (doubts in words), `labels` (every card of the deck). A display has its columns in `display`
        and each card's column as `monster` (or None); tiles have `tiles` {symbol: how many} and `doubts`
        [{`id`, `like` (a symbol or None), `centre` and `radius` in its pixels}].

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """

    def read_dice(self, jpeg: bytes, count: int | None = None) -> Json:
        """Reads photographed dice: `dice` (values), `unsure` (doubts in words). A proposal, entered nowhere.

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """

    def read_lattice(self, jpeg: bytes) -> Json:
        """Reads the photographed table of Trio Monsters: `id`, `picture` (its address), its `size`, `fits`
        (whether it could be laid upon the table that is known), `cards` [{`id`, `at` (the game's place),
        `label`, `confidence`, `corners` in its pixels, `kind`: `known`, `new`, `unsure`, `differs`, `lost`}],
        new ones in the order in which they were laid, `ordered` (whether the rules leave no other order that
        matters), `missing` [{`at`, `card`}] and `labels`. A proposal, entered nowhere.

        Raises:
            CompanionError: what is wrong with the picture and what to do about it.
        """

    def photo(self, photo_id: str) -> bytes:
        """The JPEG of a photograph with what was recognised drawn on it.

        Raises:
            CompanionError: there is no such photograph (any more).
        """

    def points(self, display: Json, aside: int) -> Json:
        """What a display would score by the rules of the running game, without entering it: `points` (None
        where the game scores no displays) and `columns` {monster: points}.

        Args:
            display: {monster: {"cards": all cards of the column, "jokers": the jokers among them}}.
            aside: jokers without a column.
        """

    def tile_points(self, player: str, tiles: Json) -> Json:
        """What tiles {symbol: how many} would score for a player of Bugs & Co, without entering them:
        `points` with the trophy, `trophy`, `symbols` {symbol: points}.

        Raises:
            CompanionError: they are no tiles, or that player plays no Bugs & Co.
        """

    def why(self, n: int | None) -> Json:
        """Writes the evidence of an entry of the log (None: the last seconds) into the data folder: `file`,
        `pictures` (how many), `sound` (whether there is any).

        Raises:
            CompanionError: there is no game, or it cannot be written.
        """

    def evidence(self, name: str) -> bytes:
        """A file that `why` has written; the referee's only.

        Raises:
            CompanionError: it is not kept any more.
        """

    def join_url(self) -> str:
        """The address under which phones reach the pages, e.g. `http://192.168.1.20:8080/`."""

    def pin_ok(self, pin: str) -> bool:
        """Whether this is the referee's PIN. If the empty PIN is right, everybody at the table decides."""

/* Scoring a display: take its picture, put right what was misread, see the points, confirm. Or count by hand. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { allows, offered, same } from "../lib/offers.js";
import { remember, remembered } from "../lib/phone_storage.js";
import { post, snapshotNow } from "../lib/requests.js";
import { hasGame } from "../lib/snapshot.js";
import { _, ngettext } from "../lib/translation.js";
import { enterOrAmend } from "../ui/commands.js";
import { icon, sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { openCamera, sendPicture, photoForm } from "../photo/photo_upload.js";
import {
  acceptAll,
  assignColumns,
  displayOf,
  doubtTexts,
  jokersAside,
  openPlaces,
} from "../games/seven_merry_monsters/display_columns.js";
import {
  annotatedPhoto,
  columnEditor,
  countForm,
} from "../games/seven_merry_monsters/display_reading.js";

/** @type {{ player: string | null, reading: DisplayReading | null, hand: HandCount | null, progress: number | null,
           error: string, points: DisplayPoints | number | null, asked: number }} */
const view = {
  player: boot.player ?? null,
  reading: null,
  hand: null,
  progress: null,
  error: "",
  points: null,
  asked: 0,
};
const entry = Number(new URLSearchParams(location.search).get("entry")) || null;
/** The reading that was entered, with its photograph, on the phone that entered it.
    @type {{ game: number | null, n: number, reading: DisplayReading } | null} */
const kept = remembered("reading", null);
queueMicrotask(openAgain); // once the page can be drawn

/** An entered display opens again: as it was read, or counted. */
async function openAgain() {
  if (entry === null) return;
  const found = boot.snapshot.log.find((one) => one.n === entry) ?? (await fetchEntry(entry));
  if (!found?.event || view.reading || view.hand) return;
  const { display, aside = 0 } = found.event;
  const wasRead = kept && kept.game === boot.snapshot.game?.id && kept.n === entry;
  if (wasRead && same(displayOf(kept.reading.cards), display)) view.reading = kept.reading;
  else view.hand = { display: structuredClone(display ?? {}), aside };
  updatePoints();
}

/** @param {number} n
    @returns {Promise<LogEntry | undefined>} */
async function fetchEntry(n) {
  const reply = await fetch(`/api/log?before=${n + 1}`).then((response) => response.json(), () => null);
  return reply?.entries?.at(-1);
}

/** @param {string} name */
const mayEnter = (name) => referee || boot.me === name;

/** @param {Snapshot} s */
function scanOffers(s) {
  return offered(s).filter((offer) => offer.event === "display_scanned");
}

/** @param {Snapshot} s */
function page(s) {
  if (!hasGame(s)) return h("p", { class: "lead" }, _("Nobody is playing."));
  if (scanOffers(s).length === 0 && entry === null)
    return h(
      "p",
      { class: "lead" },
      _("This game follows every card as it is played: there is nothing to read from a photo now."),
    );
  if (!view.player) return playerChoice(s);
  if (!mayEnter(view.player))
    return h(
      "p",
      { class: "lead" },
      _("Only the referee and %(name)s can do that.", { name: view.player }),
      " ",
      h("a", { href: "/join" }, _("Join")),
    );
  if (view.reading) return [readingView(view.reading), otherCorrections()];
  if (view.hand)
    return [
      countForm(view.hand, monsters(s), { points: view.points, changed: updatePoints }),
      otherCorrections(),
    ];
  return photoForm(view, formTexts(), { send, byHand: startByHand });
}

/** The way to what else may be corrected about an entered display. */
function otherCorrections() {
  return (
    entry !== null &&
    h("p", {}, h("a", { class: "plain", href: `/history?correct=${entry}` }, _("Something else was wrong")))
  );
}

/** @param {GameSnapshot} s
    @returns {string[]} */
function monsters(s) {
  return s.game.settings.monsters ?? ["red", "orange", "yellow", "green", "blue", "purple", "pink"];
}

/** @param {GameSnapshot} s */
function playerChoice(s) {
  return [
    h("p", { class: "lead" }, _("Whose display?")),
    h(
      "ul",
      { class: "choices" },
      s.game.players.map((seat) => {
        const offered = scanOffers(s).some((offer) => allows(offer.fields.player, seat.name));
        const read = Object.keys(s.state.display?.[seat.name] ?? {}).length > 0;
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: "choice",
              disabled: !offered || !mayEnter(seat.name),
              onclick: () => choosePlayer(seat.name),
            },
            sign(s.game.players, seat.name),
            h("span", {}, seat.name, read && h("small", {}, _("read already; a new photo replaces it"))),
          ),
        );
      }),
    ),
  ];
}

/** @param {string} name */
function choosePlayer(name) {
  view.player = name;
  redraw();
}

const formTexts = () => ({
  advice: _("Lay the columns apart, hold the phone flat above them, all cards in the picture."),
  photo: _("Photo of the display"),
  picture: _("Picture of the display"),
});

/** @param {FileEvent} event */
async function send(event) {
  const reading = await sendPicture(event, view, redraw);
  if (reading === null) return;
  view.reading = assignColumns(reading);
  view.points = reading.score;
  updatePoints();
  redraw();
}

function startByHand() {
  view.hand = { display: {}, aside: 0 };
  view.points = null;
  redraw();
}

/** @param {DisplayReading} reading */
function readingView(reading) {
  const unsure = openPlaces(reading).length;
  return [
    annotatedPhoto(reading, changed),
    h(
      "div",
      { class: unsure > 0 ? "verdict unsure" : "lead", role: "status" },
      unsure > 0 && icon("unsure"),
      h("p", {}, reading.cards.length > 0 ? advice(unsure, reading.cards.length) : _("I see no card.")),
    ),
    reading.cards.length === 0 && doubtTexts(reading).map((text) => h("p", { class: "note" }, text)),
    unsure > 0 &&
      h("button", { type: "button", class: "secondary", onclick: () => accept(reading) }, _("The count is right")),
    columnEditor(reading, view.points, changed),
  ];
}

/** @param {DisplayReading} reading */
function accept(reading) {
  acceptAll(reading);
  changed();
}

/** @param {number} unsure
    @param {number} seen */
function advice(unsure, seen) {
  return unsure > 0
    ? ngettext(
        "I am not sure of %(n)s place. Tap it to say what lies there.",
        "I am not sure of %(n)s places. Tap them to say what lies there.",
        unsure,
      )
    : ngettext(
        "I see %(n)s card. Tap a card to correct it.",
        "I see %(n)s cards. Tap a card to correct it.",
        seen,
      );
}

function changed() {
  updatePoints();
  redraw();
}

/** Asks the rules what the display as it stands is worth; only the latest answer counts. */
async function updatePoints() {
  const request = ++view.asked;
  redraw();
  /** @type {Reply<DisplayPoints>} */
  const reply = await post("/api/points", now());
  if (request !== view.asked) return;
  view.points = reply.ok ? reply : null;
  redraw();
}

function now() {
  if (view.hand)
    return {
      display: Object.fromEntries(Object.entries(view.hand.display).filter(([, column]) => column.cards > 0)),
      aside: view.hand.aside,
    };
  const cards = view.reading?.cards ?? [];
  return { display: displayOf(cards), aside: jokersAside(cards) };
}

async function confirm() {
  const { display, aside } = now();
  const event = { event: "display_scanned", player: view.player ?? undefined, display, ...(aside > 0 ? { aside } : {}) };
  /** @type {Reply<{ n: number }>} */
  const reply = await enterOrAmend(event, entry);
  if (!reply.ok) return;
  if (view.reading) remember("reading", { game: boot.snapshot.game?.id, n: entry ?? reply.n, reading: view.reading });
  const left = await unreadPlayers();
  if (left.length > 0) {
    notice(_("%(name)s is read.", { name: view.player }));
    Object.assign(view, { player: null, reading: null, hand: null, points: null });
    redraw();
  } else {
    location.assign("/");
  }
}

/** Whose displays are still to be read in this round. */
async function unreadPlayers() {
  const s = await snapshotNow();
  if (entry !== null || !s || !hasGame(s) || s.phase !== "scan") return [];
  const unread = s.game.players
    .map((seat) => seat.name)
    .filter((name) => Object.keys(s.state.display?.[name] ?? {}).length === 0);
  // When nobody has been read, a new round has begun.
  return unread.length === s.game.players.length ? [] : unread.filter(mayEnter);
}

/** @param {Snapshot} s
    @returns {Action[]} */
function actions(s) {
  if (
    !s.game ||
    (scanOffers(s).length === 0 && entry === null) ||
    !view.player ||
    !mayEnter(view.player) ||
    view.progress !== null
  )
    return [];
  if (view.reading || view.hand) {
    const points = typeof view.points === "object" ? (view.points?.points ?? null) : null;
    return [
      { label: _("Again"), quiet: true, run: restart },
      {
        label: points === null ? _("Enter it") : ngettext("Enter %(n)s point", "Enter %(n)s points", points),
        disabled: view.reading !== null && openPlaces(view.reading).length > 0,
        run: confirm,
      },
    ];
  }
  return [{ label: _("Photograph %(name)s's display", { name: view.player }), run: () => openCamera() }];
}

function restart() {
  Object.assign(view, { reading: null, hand: null, points: null, error: "" });
  redraw();
}

const redraw = shell(
  (s) => (view.player && s.game ? _("%(name)s's display", { name: view.player }) : _("Score from a photo")),
  page,
  actions,
);

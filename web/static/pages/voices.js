/* Voices: a player says what the page shows, the table's microphone listens; kept if it helps. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { listening, refreshSeats, seatLesson, seatSteps, whenSeatsChange } from "./parts/seats.js";

const EVERY_MS = 350;

let voices = boot.voices;
let player = "";

/** @type {Record<string, string>} */
const FINDINGS = {
  heard: _("Heard."),
  again: _("That was too short or too long: again, please."),
  noisy: _("The room is too loud: again, nearer to the microphone."),
};

/** @param {Snapshot} snapshot */
function view(snapshot) {
  if (!referee) return h("p", { class: "quiet" }, _("Only the referee has voices taught."));
  if (voices.lesson) return lesson(voices.lesson);
  if (listening()) return seatLesson();
  return [outcome(), seatSteps(snapshot), teachForm(snapshot), knownVoices()];
}

/** @param {LessonState} options */
function lesson({ player, word, said, of, finding }) {
  return h(
    "section",
    {},
    h("h2", {}, player),
    h("p", {}, _("Say it towards the table's microphone, as you do in a game:")),
    h("p", { class: "say", role: "status" }, word || "…"),
    h("progress", { max: String(of), value: String(said), "aria-label": _("Words said") }),
    h("p", { class: "quiet", role: "status" }, FINDINGS[finding ?? ""] ?? _("%(said)s of %(of)s", { said, of })),
    h("button", { type: "button", class: "secondary", onclick: () => request("stop", {}) }, _("Stop, keep nothing")),
  );
}

function outcome() {
  if (!voices.outcome) return null;
  const { player, helps, text } = voices.outcome;
  return h(
    "section",
    { role: "status" },
    h("h2", {}, helps ? _("%(player)s is learnt", { player }) : _("%(player)s is not kept", { player })),
    h("p", {}, text),
  );
}

/** @param {Snapshot} snapshot */
function teachForm(snapshot) {
  const seats = (snapshot.game?.players ?? []).map(({ name }) => name);
  return h(
    "section",
    {},
    h("h2", {}, _("Teach a voice")),
    h("p", { class: "quiet" }, _("About two minutes. No sound is kept, and nothing leaves this table.")),
    h("label", { for: "player" }, _("Player")),
    h("input", { id: "player", list: "players", maxlength: "40", autocomplete: "off", value: player, oninput: typed }),
    h("datalist", { id: "players" }, [...new Set([...seats, ...voices.taught])].map((name) => h("option", { key: name, value: name }))),
    h("button", { type: "button", class: "primary", onclick: () => request("begin", { player }) }, _("Listen to me")),
  );
}

function knownVoices() {
  if (voices.taught.length === 0) return null;
  return h(
    "section",
    {},
    h("h2", {}, _("Known voices")),
    h(
      "ul",
      { class: "sources" },
      voices.taught.map((name) =>
        h(
          "li",
          { key: name },
          h("strong", {}, name),
          h("button", { type: "button", class: "secondary", onclick: () => request("forget", { player: name }) }, _("Forget %(name)s", { name })),
        ),
      ),
    ),
  );
}

/** @param {ControlEvent} event */
function typed(event) {
  player = event.target.value;
}

/** @param {string} what
    @param {object} data */
async function request(what, data) {
  const reply = await post(`/api/voices/${what}`, data);
  if (!reply.ok) notice(reply.text || reply.code);
  await refresh();
}

async function refresh() {
  try {
    const response = await fetch("/api/voices", { cache: "no-store" });
    if (response.ok) {
      voices = await response.json();
      redraw();
    }
  } catch {
    // The connection's own line says that the table does not answer.
  }
}

async function poll() {
  if (!document.hidden && voices.lesson) await refresh();
  if (!document.hidden && listening()) await refreshSeats();
  setTimeout(poll, EVERY_MS);
}

const redraw = shell(_("Voices"), view);
whenSeatsChange(redraw);
if (referee) setTimeout(poll, EVERY_MS);

/* Seats: each player says the own name once; an array of microphones finds from where. */

import { boot } from "../../lib/boot.js";
import { h } from "../../lib/dom.js";
import { post } from "../../lib/requests.js";
import { _ } from "../../lib/translation.js";
import { notice } from "../../ui/notice.js";

let seats = boot.seats;
let redraw = () => {};

/** @type {Record<string, string>} */
const FINDINGS = {
  again: _("That was too short or too long: again, please."),
  noisy: _("That came from several directions: again, when it is quieter."),
};

/** Calls a function after each change.
    @param {() => void} run */
export function whenSeatsChange(run) {
  redraw = run;
}

/** Whether somebody is to say the own name now. */
export function listening() {
  return seats.player !== "";
}

/** What is shown while a name is listened for. */
export function seatLesson() {
  return h(
    "section",
    {},
    h("h2", {}, _("Seats")),
    h("p", {}, _("From your seat, as loud as in a game: say your name.")),
    h("p", { class: "say" }, seats.player),
    h("p", { class: "quiet", role: "status" }, FINDINGS[seats.finding ?? ""] ?? _("Listening …")),
    h("button", { type: "button", class: "secondary", onclick: () => request("stop", {}) }, _("Stop, keep nothing")),
  );
}

/** One step a player; nothing if the microphone tells no directions.
    @param {Snapshot} snapshot */
export function seatSteps(snapshot) {
  if (!seats.array) return null;
  const known = seats.known.map((one) => one.player);
  const playing = (snapshot.game?.players ?? []).map(({ name }) => name);
  const names = [...new Set([...playing, ...known])];
  return h(
    "section",
    {},
    h("h2", {}, _("Seats")),
    h("p", { class: "quiet" }, _("The microphone tells from which seat somebody speaks. Each player says the own name once; do it again if you change seats or move the microphone.")),
    names.length === 0 && h("p", {}, _("Start a game first: then its players are listed here.")),
    h("ul", { class: "sources" }, names.map((name) => step(name, known.includes(name), playing.includes(name)))),
  );
}

/** @param {string} name
    @param {boolean} known
    @param {boolean} playing */
function step(name, known, playing) {
  const label = known ? _("%(name)s: say it again", { name }) : _("%(name)s: say your name", { name });
  return h(
    "li",
    { key: name },
    h("span", {}, h("strong", {}, name), " ", h("span", { class: "quiet" }, known ? _("seat known") : _("seat not known"))),
    h("button", { type: "button", class: known ? "secondary" : "primary", onclick: () => request("begin", { player: name }) }, label),
    known && !playing && h("button", { type: "button", class: "secondary", onclick: () => request("forget", { player: name }) }, _("Forget the seat of %(name)s", { name })),
  );
}

/** @param {string} what
    @param {object} data */
async function request(what, data) {
  const reply = await post(`/api/seats/${what}`, data);
  if (!reply.ok) notice(reply.text || reply.code);
  await refreshSeats();
}

/** Asks the service for the seats; while it is asked, it listens. */
export async function refreshSeats() {
  const before = seats.player;
  try {
    const response = await fetch("/api/seats", { cache: "no-store" });
    if (!response.ok) return;
    seats = await response.json();
    if (before && !seats.player && seats.known.some((one) => one.player === before)) {
      notice(_("The seat of %(name)s is known.", { name: before }));
    }
    redraw();
  } catch {
    // The connection's own line says that the table does not answer.
  }
}

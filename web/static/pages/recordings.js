/* Recorded evenings: the switch that records this one, and every evening with its size and a way to delete it. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";

const EVERY_MS = 3000;
const BYTES_IN_MB = 1e6;

const spoken = document.documentElement.lang;
const language = navigator.languages.find((one) => one.split("-")[0] === spoken) ?? spoken;
const moment = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

let state = boot.recordings;
let busy = false;

function view() {
  if (!referee) return h("p", { class: "quiet" }, _("Only the referee records evenings."));
  return [recorder(), evenings()];
}

function recorder() {
  return h(
    "section",
    {},
    h("p", {}, _("Pictures, sound, button presses and what phones send are written to this machine's disk, to find out later what went wrong. Nothing leaves this machine.")),
    h(
      "button",
      {
        type: "button",
        class: state.on ? "secondary" : "primary",
        disabled: busy,
        "aria-pressed": String(state.on),
        onclick: () => request(state.on ? "stop" : "start", {}),
      },
      state.on ? _("End the recording") : _("Record this evening"),
    ),
  );
}

function evenings() {
  if (state.evenings.length === 0) return h("p", { class: "quiet" }, _("No evening has been recorded."));
  return h(
    "section",
    {},
    h("h2", {}, _("Recorded evenings")),
    h("ul", { class: "sources" }, state.evenings.map(evening)),
    h("p", { class: "quiet" }, _("They are in %(folder)s.", { folder: state.folder })),
  );
}

/** @param {EveningFacts} one */
function evening(one) {
  const facts = { minutes: Math.round(one.seconds / 60), size: Math.max(1, Math.round(one.bytes / BYTES_IN_MB)) };
  return h(
    "li",
    { key: one.name },
    h(
      "div",
      {},
      h("strong", {}, moment.format(new Date(one.began))),
      h("p", { class: "quiet" }, _("%(minutes)s min, %(size)s MB", facts), one.running && [", ", _("is being recorded")]),
      one.frames_lost > 0 && h("p", { class: "quiet" }, _("%(n)s pictures are missing", { n: one.frames_lost })),
    ),
    h(
      "button",
      { type: "button", class: "secondary", disabled: busy, onclick: () => request("forget", { name: one.name }) },
      _("Delete"),
    ),
  );
}

/** @param {string} what
    @param {object} data */
async function request(what, data) {
  busy = true;
  redraw();
  /** @type {Reply<RecordedEvenings>} */
  const reply = await post(`/api/recordings/${what}`, data);
  busy = false;
  if (reply.ok) state = reply;
  else notice(reply.text || reply.code);
  redraw();
}

async function poll() {
  if (!document.hidden && !busy) {
    try {
      const response = await fetch("/api/recordings", { cache: "no-store" });
      if (response.ok && !busy) {
        state = await response.json();
        redraw();
      }
    } catch {
      // The connection's own line says that the table does not answer.
    }
  }
  setTimeout(poll, EVERY_MS);
}

const redraw = shell(_("Recorded evenings"), view);
if (referee) setTimeout(poll, EVERY_MS);

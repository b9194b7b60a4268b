/* Commands to the table: shown as sent at once, and their refusal as a notice. */

import { eventHeading } from "../lib/event_texts.js";
import { command } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { notice } from "./notice.js";
import { whileSending } from "./sending.js";

/** @type {Record<string, () => string>} */
const WHAT = {
  undo: () => _("Undo"),
  amend: () => _("the correction"),
  answer: () => _("the answer"),
  position: () => _("how things stand"),
  new_game: () => _("New game"),
  next_game: () => _("Play again"),
  begin_seated: () => _("New game"),
  decline_seated: () => _("Not now"),
  end_game: () => _("End this game"),
};

/** What is sent, in people's words.
    @param {string} name
    @param {any} data */
function whatIsSent(name, data) {
  return name === "event" ? eventHeading(data) : (WHAT[name]?.() ?? _("one moment"));
}

/** Carries out a command, or asks what it would change. Resolves to the reply.
    @template {object} Body
    @param {string} name
    @param {object} [data]
    @returns {Promise<Reply<Body>>} */
export function askTable(name, data = {}) {
  return whileSending(whatIsSent(name, data), (signal) => command(name, data, signal));
}

/** Carries out a command and says so if the answer is no. Resolves to the reply.
    @template {object} Body
    @param {string} name
    @param {object} [data]
    @returns {Promise<Reply<Body>>} */
export async function runCommand(name, data = {}) {
  /** @type {Reply<Body>} */
  const reply = await askTable(name, data);
  if (!reply.ok) notice(reply.text || reply.code);
  return reply;
}

/** Enters an event, or puts it in the place of entry `n` (null: there is none). Resolves to the reply.
    @param {GameEvent} event
    @param {number | null} n
    @returns {Promise<Reply<{ n: number }>>} */
export function enterOrAmend(event, n) {
  return n === null ? runCommand("event", event) : runCommand("amend", { n, event, preview: false });
}

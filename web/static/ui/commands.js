/* Commands to the table whose refusal is shown on the page. */

import { command } from "../lib/requests.js";
import { notice } from "./notice.js";

/** Carries out a command and says so if the answer is no. Resolves to the reply.
    @template {object} Body
    @param {string} name
    @param {object} [data]
    @returns {Promise<Reply<Body>>} */
export async function runCommand(name, data = {}) {
  const reply = await command(name, data);
  if (!reply.ok) notice(reply.text || reply.code);
  return reply;
}

/** Enters an event, or puts it in the place of entry `n` (null: there is none). Resolves to the reply.
    @param {GameEvent} event
    @param {number | null} n */
export function enterOrAmend(event, n) {
  return n === null ? runCommand("event", event) : runCommand("amend", { n, event, preview: false });
}

/* What a display is worth now, asked from the rules once for each display. */

import { post } from "../../lib/requests.js";
import { redrawPage } from "../../lib/live.js";

/** Display as JSON -> its points; null while they are asked for, or if it has none.
    @type {Map<string, DisplayPoints | null>} */
const known = new Map();

/** The points of a player's display as it lies there; null: not known yet, or there is none.
    @param {SevenSnapshot} s
    @param {string} player
    @returns {number | null} */
export function worthNow(s, player) {
  return displayWorth(s, player)?.points ?? null;
}

/** The points of a player's display and of each of its columns; null: not known yet, or there is none. A past game
    brings them along.
    @param {SevenSnapshot} s
    @param {string} player
    @returns {DisplayPoints | null} */
export function displayWorth(s, player) {
  const display = s.state.display?.[player] ?? {};
  const aside = s.state.aside?.[player] ?? 0;
  if (Object.keys(display).length === 0 && aside === 0) return null;
  if (s.worth) return s.worth[player] ?? null;
  const key = JSON.stringify([display, aside]);
  if (!known.has(key)) {
    known.set(key, null);
    ask(key, display, aside);
  }
  return known.get(key) ?? null;
}

/** @param {string} key
    @param {Display} display
    @param {number} aside */
async function ask(key, display, aside) {
  /** @type {Reply<DisplayPoints>} */
  const reply = await post("/api/points", { display, aside });
  if (!reply.ok) return;
  known.set(key, reply);
  redrawPage();
}

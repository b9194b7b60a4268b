/* The values of a game's state in people's words: what a key is called, and what a change of it says. */

import { cardName } from "./cards.js";
import { valueText } from "./event_texts.js";
import { _ } from "./translation.js";

/** @type {Record<string, () => string>} */
const KEYS = {
  phase: () => _("Part of the game"),
  turn: () => _("Whose turn"),
  skipped: () => _("Who skips"),
  leader: () => _("Who leads"),
  round: () => _("Round"),
  trick: () => _("Trick"),
  count: () => _("Number on the pile"),
  stack: () => _("Cards in the stack"),
  pile: () => _("Cards on the pile"),
  box: () => _("Cards in the box"),
  call: () => _("Call for the top card"),
  table: () => _("Cards on the table"),
  display: () => _("Display"),
  aside: () => _("Jokers aside"),
  face_down: () => _("Cards face down"),
  to_place: () => _("Cards to place"),
  round_scores: () => _("Points of the rounds"),
  hand: () => _("Cards in the hand"),
  won: () => _("Cards won"),
  laid: () => _("Cards laid in this turn"),
  draw_pile: () => _("Draw pile"),
  trophy: () => _("Trophy"),
  trophies: () => _("Trophies left"),
  taken: () => _("Tiles taken"),
  counted: () => _("Tiles counted"),
  countdown: () => _("Countdown"),
  cards_left: () => _("Cards on the field"),
  sets: () => _("Sets"),
  monsters: () => _("Monsters"),
  frozen: () => _("Frozen cards"),
  attacked: () => _("Attack used"),
  denied: () => _("Powers lost in this turn"),
  battle: () => _("Fight"),
};
/** What follows from another key, or only keeps an order: not worth a line of its own. */
const SILENT = new Set(["order", "next_number", "level", "must_build", "numbers_seen", "seen", "revealed"]);

/** @param {string} key */
export function keyName(key) {
  return KEYS[key]?.() ?? _(key.replaceAll("_", " "));
}

/** Whether a change of this key is shown.
    @param {PositionChange} change */
export function isShown({ key }) {
  return !SILENT.has(key);
}

/** A value of the state as text; of long lists how many there are.
    @param {JsonValue} value
    @returns {string} */
export function stateValue(value) {
  if (Array.isArray(value)) {
    if (value.length === 0) return _("none");
    return value.length > 6 ? String(value.length) : value.map(stateValue).join(", ");
  }
  if (value === null || typeof value !== "object") return valueText(value);
  if (value.monster !== undefined) return cardName(value);
  if (Array.isArray(value.parts)) return value.parts.join("-");
  if (value.at !== undefined && value.card !== undefined)
    return _("%(card)s at %(place)s", { card: stateValue(value.card), place: value.at.join("/") });
  if (value.player !== undefined && value.card !== undefined)
    return `${value.player}: ${stateValue(value.card)}`;
  if (value.cards !== undefined) return String(value.cards);
  const parts = Object.entries(value).map(([key, part]) => `${_(key.replaceAll("_", " "))} ${stateValue(part)}`);
  return parts.length === 0 ? _("none") : parts.join(", ");
}

/** What was there before and what is there then; of two lists what goes and what comes.
    @param {PositionChange} change
    @returns {[string, string]} */
export function beforeAndAfter({ before, after }) {
  if (!Array.isArray(before) || !Array.isArray(after)) return [stateValue(before), stateValue(after)];
  const [had, has] = [before, after].map((list) => list.map((one) => JSON.stringify(one)));
  const gone = before.filter((_one, n) => !has.includes(had[n]));
  const come = after.filter((_one, n) => !had.includes(has[n]));
  return [
    gone.length > 0 ? stateValue(gone) : "–",
    come.length > 0 ? `+ ${stateValue(come)}` : stateValue(after),
  ];
}

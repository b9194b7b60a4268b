/* The events in people's words: what a button that enters one says, and what a field asks for. */

import { cardName } from "./cards.js";
import { _, listText } from "./translation.js";

/** @type {Record<string, () => string>} */
const ACTIONS = {
  card_played: () => _("plays a card"),
  card_placed: () => _("lays a card into the own display"),
  trick_awarded: () => _("gives the trick away"),
  card_revealed: () => _("turns a card over"),
  display_scanned: () => _("has the display read"),
  heard: () => _("says something"),
  accused: () => _("doubts the call"),
  time_passed: () => _("Time passes"),
  turn_ended: () => _("ends the turn"),
  game_started: () => _("The game starts now"),
  trophy_taken: () => _("takes a trophy"),
  tile_taken: () => _("takes a tile"),
  tile_looked_at: () => _("looks at a kept tile"),
  tile_returned: () => _("puts a kept tile back"),
  tiles_scored: () => _("has the tiles counted"),
  sets_dealt: () => _("starts with sets"),
  search_ended: () => _("declines the third card"),
  traded: () => _("trades sets"),
  power_used: () => _("uses a power"),
  monster_built: () => _("builds a monster"),
  attack_declared: () => _("attacks"),
  dice_thrown: () => _("throws the dice"),
  throwing_ended: () => _("stops throwing"),
  set_taken: () => _("takes a set"),
  monster_chosen: () => _("chooses a monster"),
};

/** Whether an entry is the clock's alone, a number of the countdown: it goes with the move before it.
    @param {LogEntry} entry
    @returns {boolean} */
export function isCountdownTick(entry) {
  return (
    entry.event?.event === "time_passed" &&
    entry.source === "clock" &&
    !entry.rejected &&
    !entry.verdicts?.length
  );
}

/** "plays a card", "builds a monster": what somebody does in an event of this kind.
    @param {string} kind
    @returns {string} */
export function actionText(kind) {
  return ACTIONS[kind]?.() ?? kind.replaceAll("_", " ");
}

/** A whole sentence for an offer: who may do what.
    @param {Pick<EventOffer, "event" | "fields">} offer
    @returns {string} */
export function offerSentence(offer) {
  const names = offer.fields.player?.values;
  const what = actionText(offer.event);
  if (!names) return what.charAt(0).toUpperCase() + what.slice(1) + ".";
  return names.length === 1
    ? _("%(name)s %(deed)s.", { name: names[0], deed: what })
    : _("%(names)s: %(deed)s.", { names: listText(names), deed: what });
}

/** @type {Record<string, () => string>} */
const FIELD_QUESTIONS = {
  player: () => _("Who?"),
  to: () => _("To whom?"),
  with: () => _("With whom?"),
  card: () => _("Which card?"),
  column: () => _("Which column?"),
  value: () => _("Which trophy?"),
  at: () => _("Where?"),
  by: () => _("Who doubts it?"),
  power: () => _("Which power?"),
  parts: () => _("Which monster?"),
  set: () => _("Which set?"),
  dice: () => _("Which dice?"),
  kept: () => _("Which dice stay?"),
  words: () => _("What was said?"),
  gives: () => _("Gives"),
  gets: () => _("Gets"),
  announced: () => _("Announced aloud?"),
  display: () => _("Display"),
  aside: () => _("Jokers aside"),
  face_down: () => _("Face down?"),
  cards: () => _("Cards"),
  tiles: () => _("Tiles"),
  sets: () => _("Sets"),
  rebuilt: () => _("Rebuilt as?"),
  t: () => _("When?"),
  start: () => _("When?"),
  end: () => _("Until when?"),
};

/** @param {string} field
    @returns {string} */
export function fieldQuestion(field) {
  return FIELD_QUESTIONS[field]?.() ?? field.replaceAll("_", " ");
}

/** Any value of a field in people's words.
    @param {JsonValue} value
    @returns {string} */
export function valueText(value) {
  if (value === true) return _("yes");
  if (value === false) return _("no");
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.length === 0 ? _("none") : value.map(valueText).join(", ");
  if (typeof value === "object") {
    if (value.monster !== undefined) return cardName(value);
    return Object.entries(value)
      .map(([key, part]) => `${_(key.replaceAll("_", " "))} ${valueText(part)}`)
      .join(", ");
  }
  return typeof value === "string" ? _(value.replaceAll("_", " ")) : String(value);
}

/** What a house rule is called.
    @param {string} name */
export function settingName(name) {
  const text = _(name.replace(/_s$/, "").replaceAll("_", " "));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A rule's text as players read it: house rules by their names on the page of a new game; whether a rule ends with
    the name of one is of no interest at the table.
    @param {string} text */
export function ruleText(text) {
  return text
    .replace(/ ?\((`\w+`(, )?)+\)/g, "")
    .replace(/`(\w+)`/g, (_whole, name) => _("“%(name)s”", { name: settingName(name) }));
}

/** What a sheet of questions is headed with.
    @param {GameEvent} event
    @returns {string} */
export function eventHeading(event) {
  return event.player
    ? _("%(name)s %(deed)s", { name: event.player, deed: actionText(event.event) })
    : actionText(event.event);
}

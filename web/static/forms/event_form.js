/* Entering any event by tapping: one question after the other, made from the offers. What has one possible value
   and what the table fills in itself (times) is not asked for. */

import { allows, offersOf } from "../lib/offers.js";
import { askFor } from "./field_question.js";

const TIMES = new Set(["t", "start", "end"]);
// The order of the questions: who, what, where; the rest as the offer names it.
const FIRST = ["player", "power", "kept", "at", "parts", "card", "set", "with"];

/** Asks for the fields of an event and hands it to `send`. `fixed`: fields that are known.
    @param {GameSnapshot} snapshot
    @param {string} kind
    @param {Record<string, JsonValue>} fixed
    @param {(event: GameEvent) => void} send */
export function askFields(snapshot, kind, fixed, send) {
  askNextField(snapshot, { event: kind, ...fixed }, offersOf(snapshot, kind), send);
}

/** @param {GameSnapshot} snapshot
    @param {GameEvent} event
    @param {EventOffer[]} offers
    @param {(event: GameEvent) => void} send */
function askNextField(snapshot, event, offers, send) {
  const rest = offers.filter((offer) => fits(offer, event));
  const name = nextField(rest, event);
  if (name === null) {
    send(event);
    return;
  }
  const choices = rest.map((offer) => offer.fields[name]).filter(Boolean);
  /** @param {JsonValue} value */
  const next = (value) => askNextField(snapshot, { ...event, [name]: value }, rest, send);
  askFor(snapshot, event, name, choices, next);
}

/** @param {EventOffer} offer
    @param {GameEvent} event */
function fits(offer, event) {
  return Object.entries(event).every(
    ([name, value]) => name === "event" || allows(offer.fields[name], value),
  );
}

/** The next field that somebody has to be asked about; null when the event is complete.
    @param {EventOffer[]} offers
    @param {GameEvent} event */
function nextField(offers, event) {
  const openFields = new Set();
  for (const offer of offers)
    for (const name of Object.keys(offer.fields))
      if (!(name in event) && !TIMES.has(name) && !(offer.optional ?? []).includes(name)) openFields.add(name);
  return FIRST.find((name) => openFields.has(name)) ?? [...openFields][0] ?? null;
}

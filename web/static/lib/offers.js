/* What may be done now: the snapshot's offers, asked in a few ways. An offer names an event and, for each of
   its fields, what it may be: {kind: "oneof", values}, {kind: "several", values}, {kind: "integer", low, high},
   {kind: "words", right} and a few of the games' own (see forms/field_question.js). */

/** What may be done now, without what becomes possible only when a time has run out.
    @param {Snapshot} snapshot */
export function offered(snapshot) {
  return (snapshot.offers ?? []).filter((offer) => offer.after === undefined || offer.after === null);
}

/** The offers of an event, for one player if named.
    @param {Snapshot} snapshot
    @param {string} event
    @param {string | null} [player] */
export function offersOf(snapshot, event, player) {
  return offered(snapshot).filter(
    (offer) => offer.event === event && (player === undefined || allows(offer.fields.player, player)),
  );
}

const LISTED = new Set(["oneof", "objects"]);

/** Whether a field may have this value; what is not a list of values is left to the referee.
    @param {FieldChoice | undefined} choice
    @param {JsonValue} value
    @returns {boolean} */
export function allows(choice, value) {
  if (choice === undefined) return true;
  return !LISTED.has(choice.kind) || (choice.values ?? []).some((one) => same(one, value));
}

/** All values that a field may have among these offers, each once.
    @param {EventOffer[]} offers
    @param {string} field
    @returns {JsonValue[]} */
export function valuesOf(offers, field) {
  /** @type {JsonValue[]} */
  const found = [];
  for (const offer of offers)
    for (const value of offer.fields[field]?.values ?? [])
      if (!found.some((one) => same(one, value))) found.push(value);
  return found;
}

/** The sequences of words that would be right now, e.g. [["two", "three"]].
    @param {Snapshot} snapshot
    @returns {string[][]} */
export function rightWords(snapshot) {
  /** @type {string[][]} */
  const found = [];
  for (const offer of offersOf(snapshot, "heard"))
    for (const words of offer.fields.words?.right ?? [])
      if (!found.some((one) => same(one, words))) found.push(words);
  return found;
}

/** @param {JsonValue} one
    @param {JsonValue} other */
export function same(one, other) {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** @param {JsonValue} value
    @returns {JsonValue} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value && typeof value === "object")
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, sorted(value[key])]),
    );
  return value;
}

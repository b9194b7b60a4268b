import assert from "node:assert/strict";
import test from "node:test";
import { allows, offered, offersOf, rightWords, same, valuesOf } from "../../../web/static/lib/offers.js";

const oneOf = (...values) => ({ kind: "oneof", values });
const s = {
  offers: [
    { event: "card_played", fields: { player: oneOf("Ida"), card: oneOf("gun") } },
    { event: "card_played", fields: { player: oneOf("Jo"), card: oneOf("gun", "phone") }, after: null },
    { event: "heard", fields: { words: { kind: "words", right: [["two"], ["three"]] } } },
    { event: "heard", fields: { words: { kind: "words", right: [["two"]] } } },
    { event: "time_passed", fields: {}, after: 12 },
  ],
};

test("what becomes possible only later is not on offer", () => {
  assert.deepEqual(
    offered(s).map((offer) => offer.event),
    ["card_played", "card_played", "heard", "heard"],
  );
  assert.deepEqual(offered({}), []);
});

test("offers are those of the event, and of the player if one is named", () => {
  assert.equal(offersOf(s, "card_played").length, 2);
  assert.deepEqual(offersOf(s, "card_played", "Jo"), [s.offers[1]]);
  assert.equal(offersOf(s, "heard", "Jo").length, 2, "an offer without a player is everybody's");
});

test("a list of values excludes others, any other choice is left to the referee", () => {
  assert.equal(allows(oneOf([1, 2]), [1, 2]), true);
  assert.equal(allows(oneOf([1, 2]), [2, 1]), false);
  assert.equal(allows({ kind: "integer", low: 1 }, 99), true);
  assert.equal(allows(undefined, "x"), true);
});

test("values and right words are each given once", () => {
  assert.deepEqual(valuesOf(offersOf(s, "card_played"), "card"), ["gun", "phone"]);
  assert.deepEqual(rightWords(s), [["two"], ["three"]]);
});

test("two values are the same whatever the order of their keys", () => {
  assert.equal(same({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }), true);
  assert.equal(same({ a: 1 }, { a: "1" }), false);
});

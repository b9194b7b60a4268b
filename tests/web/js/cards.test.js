import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./browser.js";

openPage({ words: { green: "vert" } });
const { cardName, cardOfLabel, labelOfCard } = await import("../../../web/static/lib/cards.js");
const { eventHeading, offerSentence, isCountdownTick, valueText } = await import("../../../web/static/lib/event_texts.js");

test("a label and its card are each other's inverse", () => {
  for (const label of ["green 4", "sea monster 12", "joker"]) assert.equal(labelOfCard(cardOfLabel(label)), label);
  assert.deepEqual(cardOfLabel("green 4"), { monster: "green", number: 4 });
  assert.equal(cardOfLabel("twin_phone"), "twin_phone");
  assert.equal(labelOfCard("gun"), "gun");
});

test("cards are named in the language of the page", () => {
  assert.equal(cardName({ monster: "green", number: 4 }), "vert 4");
  assert.equal(cardName({ monster: "green" }), "vert");
  assert.equal(cardName({ monster: "green", part: "eyes" }), "vert eyes");
  assert.equal(cardName("twin_phone"), "twin phone");
});

test("any value is named", () => {
  assert.equal(valueText(true), "yes");
  assert.equal(valueText(null), "–");
  assert.equal(valueText([]), "none");
  assert.equal(valueText([{ monster: "joker" }, "face_down", 3]), "joker, face down, 3");
  assert.equal(valueText({ green: 2 }), "vert 2");
});

test("an offer is a sentence, with its players where it names them", () => {
  const players = (...values) => ({ player: { kind: "oneof", values } });
  assert.equal(offerSentence({ event: "turn_ended", fields: players("Ida") }), "Ida ends the turn.");
  assert.equal(offerSentence({ event: "turn_ended", fields: players("Ida", "Jo") }), "Ida and Jo: ends the turn.");
  assert.equal(offerSentence({ event: "unknown_deed", fields: {} }), "Unknown deed.");
  assert.equal(eventHeading({ event: "attack_declared", player: "Ida" }), "Ida attacks");
});

test("only an accepted tick of the clock without a verdict is the clock's alone", () => {
  const entry = { n: 1, event: { event: "time_passed" }, source: "clock", verdicts: [] };
  assert.equal(isCountdownTick(entry), true);
  assert.equal(isCountdownTick({ ...entry, source: "phone" }), false);
  assert.equal(isCountdownTick({ ...entry, rejected: "too_early" }), false);
  assert.equal(isCountdownTick({ ...entry, verdicts: [{ verdict: "too_late" }] }), false);
});

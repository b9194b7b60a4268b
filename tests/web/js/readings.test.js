import assert from "node:assert/strict";
import test from "node:test";
import { openPage, texts } from "./browser.js";

openPage();
const { byId, mount } = await import("../../../web/static/lib/dom.js");
const display = await import("../../../web/static/games/seven_merry_monsters/display_reading.js");
const tiles = await import("../../../web/static/games/bugs_and_co/tiles.js");

const card = (label, more = {}) => ({ id: label, label, confidence: 0.9, corners: null, ...more });

test("cards belong to their monster's column, jokers to those that the reading counts", () => {
  const reading = display.assignColumns({
    cards: [card("red 1"), card("joker"), card("joker", { monster: "blue" }), card("joker")],
    display: { red: { cards: 2, jokers: 1 }, blue: { cards: 1, jokers: 1 } },
  });
  assert.deepEqual(
    reading.cards.map((one) => one.monster),
    ["red", "red", "blue", null],
  );
  assert.deepEqual(display.displayOf(reading.cards), {
    red: { cards: 2, jokers: 1 },
    blue: { cards: 1, jokers: 1 },
  });
  assert.equal(display.jokersAside(reading.cards), 1);
});

test("a card is doubtful until somebody has corrected it", () => {
  const cards = [
    card("red 1", { confidence: 0.59 }),
    card("red 2", { confidence: 0.6 }),
    card("red 3", { confidence: 0.1, changed: true }),
    card("red 4", { confidence: null }),
  ];
  assert.equal(display.doubtfulCount({ cards }), 1);
});

test("tiles are counted by symbol", () => {
  const counted = tiles.tilesOf([card("ring"), card("crown"), card("ring")]);
  assert.deepEqual(counted, { ring: 2, crown: 1 });
  assert.deepEqual(tiles.withoutZeros({ ring: 0, crown: 1 }), { crown: 1 });
  assert.equal(tiles.tileCount(counted), 3);
});

test("symbols in play come first, then those that were counted or are known otherwise", () => {
  const known = tiles.knownSymbols({ state: { sets: 2 } }, { comet: 1 }, ["comet", "moth"]);
  assert.deepEqual(known, ["spiral", "antenna", "comet", "moth"]);
});

test("doubts are asked about before tiles that are not sure", () => {
  const unsure = card("ring", { confidence: 0.5 });
  const doubt = { id: 9, like: null };
  assert.deepEqual(tiles.openPlaces({ doubts: [doubt], cards: [card("crown"), unsure] }), [doubt, unsure]);
});

test("the points are explained: sets of three, single tiles, the trophy", () => {
  mount(byId("page"), tiles.pointsTable({ ring: 3, crown: 2 }, { points: -1 + 4, trophy: 2, symbols: {} }));
  assert.deepEqual(texts(byId("page"), "dt"), ["1 set of three", "2 other tiles", "Trophy"]);
  assert.deepEqual(texts(byId("page"), "dd"), ["3", "−2", "2"]);
  assert.equal(byId("page").querySelector(".total").textContent, "3points");
});

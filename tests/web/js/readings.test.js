import assert from "node:assert/strict";
import test from "node:test";
import { openPage, press, texts } from "./browser.js";

openPage();
const { byId, mount } = await import("../../../web/static/lib/dom.js");
const display = await import("../../../web/static/games/seven_merry_monsters/display_columns.js");
const { annotatedPhoto } = await import("../../../web/static/games/seven_merry_monsters/display_reading.js");
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

test("a card whose number is not sure counts for its column and is shown without a number", () => {
  const reading = display.assignColumns({
    cards: [card("red", { monster: "red" }), card("red 2", { monster: "red" })],
    display: { red: { cards: 2, jokers: 0 } },
    labels: ["red 1", "red 2"],
    size: [100, 100],
  });
  assert.deepEqual(display.displayOf(reading.cards), { red: { cards: 2, jokers: 0 } });
  assert.deepEqual(reading.cards.map(display.knownCard), [{ monster: "red" }, { monster: "red", number: 2 }]);
});

const place = (id, more = {}) => ({
  id,
  corners: [[0, 0], [9, 0], [9, 9], [0, 9]],
  likely: ["red 2"],
  monster: "red",
  card: null,
  reason: "there may be a card at 5, 5",
  ...more,
});

test("a place is open until somebody has answered it or accepted the count", () => {
  const reading = { cards: [card("red 1"), card("blue 1")], unsure: [], places: [place("a"), place("b", { card: "red 1" })] };
  assert.deepEqual(display.openPlaces(reading).map((one) => one.id), ["a", "b"]);
  display.acceptAll(reading);
  assert.deepEqual(display.openPlaces(reading), []);
  assert.deepEqual(reading.cards.map((one) => one.changed ?? false), [true, false]);
});

test("a place without a card is asked about in two taps, and the card joins its column", () => {
  const reading = {
    cards: [card("red 1", { monster: "red" })],
    labels: ["red 1", "red 2", "joker"],
    size: [100, 100],
    unsure: [],
    places: [place("a")],
  };
  let redrawn = 0;
  mount(byId("page"), annotatedPhoto(reading, () => (redrawn += 1)));
  document.querySelector(".quad.asked").onclick({ currentTarget: document.body, detail: 1 });
  press(document, "red 2");
  assert.equal(redrawn, 1);
  assert.deepEqual(display.openPlaces(reading), []);
  assert.deepEqual(display.displayOf(reading.cards), { red: { cards: 2, jokers: 0 } });
});

test("a place without a card may stay empty", () => {
  const reading = { cards: [], labels: ["red 1"], size: [100, 100], unsure: [], places: [place("a")] };
  mount(byId("page"), annotatedPhoto(reading, () => {}));
  document.querySelector(".quad.asked").onclick({ currentTarget: document.body, detail: 1 });
  press(document, "No card");
  assert.deepEqual([display.openPlaces(reading), reading.cards], [[], []]);
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

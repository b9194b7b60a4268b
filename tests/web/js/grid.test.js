import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./browser.js";

openPage();
const { byId, mount } = await import("../../../web/static/lib/dom.js");
const { gridOfGame, grid, moveFocus } = await import("../../../web/static/games/thirteen_monsters/grid.js");

const page = byId("page");
const count = (selector) => page.querySelectorAll(selector).length;

test("81 cells, without a card in the gap, dice on the frozen ones", () => {
  mount(page, grid({ gap: [[4, 4]], frozen: [{ at: [0, 0] }] }));
  assert.equal(count(".cell"), 81);
  assert.equal(count(".gap"), 1);
  assert.equal(count(".frozen"), 1);
  assert.equal(count("button"), 0);
});

test("places that may be picked are buttons", () => {
  const picked = [];
  mount(page, grid({ places: [[0, 0], [8, 7]], onPick: (at) => picked.push(at) }));
  const buttons = [...page.querySelectorAll("button")];
  assert.deepEqual(
    buttons.map((one) => one.getAttribute("aria-label")),
    ["row 1, column 1", "row 9, column 8"],
  );
  buttons[1].onclick();
  assert.deepEqual(picked, [[8, 7]]);
});

test("a game without offers, such as a past one, is shown with its cards", () => {
  const state = { cards_left: 76, empty: [[4, 4], [0, 0], [0, 1]], seen: [], revealed: [] };
  mount(page, gridOfGame({ game: { id: 1, settings: {} }, state, offers: [] }, null));
  assert.equal(count(".cell"), 81);
  assert.equal(count(".gap"), 3);
  assert.equal(count("button"), 0);
});

test("in a search the places that may be turned over are shown, with what lies open or frozen", () => {
  const offers = [{ event: "card_revealed", fields: { at: { kind: "oneof", values: [[0, 0], [8, 8]] } } }];
  const state = { cards_left: 4, revealed: [[1, 1]], seen: [], frozen: [{ at: [2, 2] }] };
  mount(page, gridOfGame({ game: { id: 1, settings: {} }, state, offers }, () => {}));
  assert.equal(count(".cell:not(.gap)"), 4);
  assert.equal(count("button"), 2);
});

test("arrow keys move to the next place that can be chosen", () => {
  mount(page, grid({ places: [[0, 0], [0, 3], [2, 0]], onPick: () => {} }));
  const [group] = page.querySelectorAll(".grid-nine");
  const [first, right, below] = page.querySelectorAll("button");
  const focused = [];
  for (const one of [first, right, below]) {
    one.dataset ??= {};
    one.dataset.at = one.getAttribute("data-at");
    one.focus = () => focused.push(one);
  }
  const press = (target, key) => moveFocus({ target, key, currentTarget: group, preventDefault: () => {} });
  press(first, "ArrowRight");
  press(first, "ArrowDown");
  press(right, "ArrowUp");
  press(right, "Enter");
  assert.deepEqual(focused, [right, below]);
});

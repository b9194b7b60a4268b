import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./browser.js";

openPage();
const { byId, mount } = await import("../../../web/static/lib/dom.js");
const { freePlaces, lattice } = await import("../../../web/static/games/trio_monsters/lattice.js");

test("round one card lie three places: a triangle that points up has its neighbour below", () => {
  assert.deepEqual(freePlaces([{ at: [0, 0], card: "red" }]), [
    [0, -1],
    [0, 1],
    [1, 0],
  ]);
  assert.deepEqual(freePlaces([{ at: [0, 1], card: "red" }]).at(-1), [-1, 1]);
});

test("a free place beside two cards is given once, a taken one not at all", () => {
  const places = freePlaces([
    { at: [0, 0], card: "red" },
    { at: [0, 2], card: "blue" },
  ]);
  assert.equal(places.filter((at) => `${at}` === "0,1").length, 1);
  assert.equal(
    places.some((at) => ["0,0", "0,2"].includes(`${at}`)),
    false,
  );
});

test("on an empty table the first card may lie in the middle or beside it", () => {
  assert.deepEqual(freePlaces([])[0], [0, 0]);
});

test("the drawing holds all cards and places, four units apart from its edge", () => {
  const picked = [];
  mount(byId("page"), lattice([{ at: [0, 0], card: "red" }], [[0, 1]], (at) => picked.push(at)));
  const [left, top, width, height] = byId("page").firstElementChild.getAttribute("viewBox").split(" ").map(Number);
  assert.deepEqual([left, top, width], [-4, -4, 3 * 32 + 8]);
  assert.ok(Math.abs(height - (32 * Math.sqrt(3) + 8)) < 1e-9);
  const free = byId("page").querySelector(".free");
  assert.equal(free.getAttribute("aria-label"), "row 0, place 1");
  free.onclick();
  let prevented = 0;
  free.onkeydown({ key: "Enter", preventDefault: () => (prevented += 1) });
  free.onkeydown({ key: "Tab", preventDefault: () => (prevented += 1) });
  assert.deepEqual(picked, [
    [0, 1],
    [0, 1],
  ]);
  assert.equal(prevented, 1);
});

test("a colour without a drawing is written", () => {
  mount(byId("page"), lattice([{ at: [0, 0], card: "turquoise" }]));
  assert.equal(byId("page").querySelector("text").textContent, "turquo");
  assert.equal(byId("page").querySelector("image"), null);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { openPage, press, texts } from "./browser.js";

openPage();
const { askFields } = await import("../../../web/static/forms/event_form.js");
const { askFor } = await import("../../../web/static/forms/field_question.js");

let page;
beforeEach(() => {
  page = openPage();
});

const oneOf = (...values) => ({ kind: "oneof", values });
const players = [{ name: "Ida" }, { name: "Jo" }];
const snapshot = (...offers) => ({ game: { name: "any", players, settings: {} }, state: {}, offers });
const title = () => page.querySelector("dialog h2")?.textContent;

test("an event whose fields have one possible value each is sent unasked, without its times", () => {
  const sent = [];
  const fields = { player: oneOf("Ida"), card: oneOf("gun"), t: { kind: "number" } };
  askFields(snapshot({ event: "card_played", fields }), "card_played", {}, (event) => sent.push(event));
  assert.deepEqual(sent, [{ event: "card_played", player: "Ida", card: "gun" }]);
  assert.equal(page.querySelector("dialog"), null);
});

test("each answer narrows the offers; optional fields are not asked for", () => {
  const sent = [];
  const s = snapshot(
    { event: "set_taken", fields: { set: oneOf(1, 2), player: oneOf("Ida") } },
    { event: "set_taken", fields: { set: oneOf(3), player: oneOf("Jo"), with: oneOf("x", "y") }, optional: ["with"] },
  );
  askFields(s, "set_taken", {}, (event) => sent.push(event));
  assert.equal(title(), "takes a set – Who?");
  assert.deepEqual(texts(page, ".choice"), ["Ida", "Jo"]);
  press(page, "Ida");
  assert.equal(title(), "Ida takes a set – Which set?");
  press(page, "2");
  assert.deepEqual(sent, [{ event: "set_taken", player: "Ida", set: 2 }]);
  askFields(s, "set_taken", { player: "Jo" }, (event) => sent.push(event));
  assert.deepEqual(sent[1], { event: "set_taken", player: "Jo", set: 3 });
});

test("several values are chosen by pressing each, not fewer than the least", () => {
  const answers = [];
  const choice = { kind: "several", values: ["Ida", "Jo"] };
  askFor(snapshot(), { event: "accused" }, "by", [choice], (value) => answers.push(value));
  const enter = () => page.querySelector("button.primary");
  assert.equal(enter().disabled, true);
  for (const name of ["Jo", "Ida", "Jo"]) press(page, name);
  assert.equal(enter().textContent, "Ida");
  enter().onclick();
  assert.deepEqual(answers, [["Ida"]]);
});

test("a number starts at its lower bound and stays within both", () => {
  const answers = [];
  askFor(snapshot(), { event: "bid" }, "count", [{ kind: "integer", low: 2, high: 3 }], (n) => answers.push(n));
  press(page, "count: one more");
  const [less, more] = page.querySelectorAll(".stepper button");
  assert.deepEqual([less.disabled, more.disabled], [false, true]);
  press(page, "Enter");
  assert.deepEqual(answers, [3]);
});

test("dice are entered as many as are thrown", () => {
  const answers = [];
  askFor(snapshot(), { event: "dice_thrown" }, "dice", [{ kind: "dice", count: 2 }], (dice) => answers.push(dice));
  press(page, "6");
  assert.equal(page.querySelector("button.primary").disabled, true);
  press(page, "1");
  press(page, "Enter");
  assert.deepEqual(answers, [[6, 1]]);
});

test("monsters are put together part by part until one layer is used up", () => {
  const answers = [];
  const choice = { kind: "monsters", top: [1, 2], eyes: [3], bottom: [4, 5] };
  askFor(snapshot(), { event: "monster_built" }, "parts", [choice], (parts) => answers.push(parts));
  press(page, "2");
  press(page, "4");
  assert.deepEqual(answers, [[[2, 3, 4]]]);
});

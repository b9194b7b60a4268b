import assert from "node:assert/strict";
import test from "node:test";
import { openPage, texts } from "./browser.js";

openPage();
const { byId, mount } = await import("../../../web/static/lib/dom.js");
const { field, readSettings } = await import("../../../web/static/forms/setting_fields.js");
const { ruleText, settingName } = await import("../../../web/static/lib/event_texts.js");

const settings = [
  { name: "hesitation_s", type: "number", default: 2 },
  { name: "rounds", type: "integer or nothing", default: null },
  { name: "sound", type: "list of text", default: ["hmmrrr"] },
  { name: "gap", type: "list", default: [[4, 4]] },
  { name: "symbols", type: "table", default: null, keys: ["ring", "crown"] },
  { name: "language", type: "text", default: "en", choices: ["en", "de"] },
  { name: "first_player", type: "text", default: null },
  { name: "twins", type: "true or false", default: true },
];
const read = (typed) => readSettings(settings, typed);

test("typed text becomes the setting's type", () => {
  assert.deepEqual(
    read({ hesitation_s: "1,5", rounds: "None", sound: "pfft; ha", gap: "[1, 2], [3, 4]", first_player: "7" }),
    {
      settings: { hesitation_s: 1.5, rounds: null, sound: ["pfft", "ha"], gap: [[1, 2], [3, 4]], first_player: "7" },
      errors: {},
    },
  );
  assert.deepEqual(read({ sound: "4, x" }).settings.sound, [4, "x"]);
  assert.deepEqual(read({ symbols: { ring: "3" } }).settings, { symbols: { ring: 3 } });
});

test("what cannot be read is an error of its field, and what was not typed is not sent", () => {
  const { settings: sent, errors } = read({ hesitation_s: "soon", gap: "[1, ", symbols: { ring: "x" }, twins: false });
  assert.deepEqual(sent, { twins: false });
  assert.deepEqual(errors, {
    hesitation_s: "A number, please.",
    gap: "I cannot read that.",
    symbols: "A number, please.",
  });
});

test("a name is written with a capital and without its unit", () => {
  assert.equal(settingName("hesitation_s"), "Hesitation");
  assert.equal(settingName("first_player"), "First player");
});

/** Draws the field and gives it with what it hands to `change`. */
function drawn(name, value) {
  const changes = [];
  const setting = settings.find((one) => one.name === name);
  const options = { value, players: ["Ida", "Jo"], change: (to) => changes.push(to) };
  mount(byId("page"), field(setting, options));
  return { place: byId("page"), changes };
}

test("a switch that is set back to its default is not sent", () => {
  const { place, changes } = drawn("twins", false);
  const [input] = place.querySelectorAll("input");
  assert.equal(input.checked, false);
  input.onchange({ target: { checked: true } });
  input.onchange({ target: { checked: false } });
  assert.deepEqual(changes, [undefined, false]);
});

test("each language is offered by its own name; the first player may be left open", () => {
  assert.deepEqual(texts(drawn("language").place, "option"), ["English", "Deutsch"]);
  const { place, changes } = drawn("first_player");
  assert.deepEqual(texts(place, "option"), ["whoever sits first", "Ida", "Jo"]);
  place.querySelector("select").onchange({ target: { value: "1" } });
  place.querySelector("select").onchange({ target: { value: "-1" } });
  assert.deepEqual(changes, ["Jo", undefined]);
});

test("a table with all fields empty goes back to its default", () => {
  const { place, changes } = drawn("symbols", { ring: "3" });
  const [ring, crown] = place.querySelectorAll("input");
  crown.onchange({ target: { value: " 2 " } });
  ring.onchange({ target: { value: "" } });
  assert.deepEqual(changes, [{ ring: "3", crown: "2" }, undefined]);
});

test("a rule names house rules as the page of a new game does", () => {
  assert.equal(ruleText("It plays as zero, unless the table sets `joker_number`."), "It plays as zero, unless the table sets “Joker number”.");
  assert.equal(ruleText("Until then it is not checked (`numbers`)."), "Until then it is not checked.");
  assert.equal(ruleText("Each second (`countdown`, `countdown_step_s`)."), "Each second.");
});

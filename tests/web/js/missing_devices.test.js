/* A table without a camera or a microphone starts with house rules that suit it. */

import assert from "node:assert/strict";
import test from "node:test";
import { openPage, press, texts } from "./browser.js";

const document = openPage();
const { mount } = await import("../../../web/static/lib/dom.js");
const { missingDevices, settingsWithout } = await import("../../../web/static/forms/missing_devices.js");

const SEVEN = {
  name: "seven_merry_monsters",
  without: { camera: { tracking: "scan" } },
  settings: [{ name: "tracking", type: "text", default: "tricks" }],
};

test("only what is missing changes house rules", () => {
  assert.deepEqual(settingsWithout(SEVEN, {}), { tracking: "scan" });
  assert.deepEqual(settingsWithout(SEVEN, { camera: { up: false } }), { tracking: "scan" });
  assert.deepEqual(settingsWithout(SEVEN, { camera: { up: true } }), {});
  assert.deepEqual(settingsWithout({ ...SEVEN, without: {} }, {}), {});
});

test("the other way is one tap away, and back", () => {
  const page = document.getElementById("page");
  const form = { settings: { tracking: "scan" } };
  const draw = () => mount(page, missingDevices(SEVEN, {}, form, draw));
  draw();
  press(page, "Follow every card");
  assert.deepEqual(form.settings, {});
  assert.deepEqual(texts(page, "button"), ["Score from photos"]);
  press(page, "Score from photos");
  assert.deepEqual(form.settings, { tracking: "scan" });
});

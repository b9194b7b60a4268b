import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./browser.js";

openPage({ boot: { role: "guest" } });
globalThis.localStorage = { getItem: () => null };
const { numberText, latestNews, verdictLook } = await import("../../../web/static/ui/page_parts.js");

const entry = (n, more = {}) => ({ n, event: { event: "x" }, text: `entry ${n}`, verdicts: [], ...more });
const says = (priority, n) => ({ code: "c", text: "said", priority, rhythm: "wrong", n });
const text = (announcement, ...log) => latestNews({ announcement, log })?.text;

test("a note is news until something happens, a finding for two entries more", () => {
  assert.equal(text(says(1, 1), entry(1)), "said");
  assert.equal(text(says(1, 1), entry(1), entry(2)), "entry 2");
  assert.equal(text(says(4, 1), entry(1), entry(2), entry(3)), "said");
  assert.equal(text(says(4, 1), entry(1), entry(4)), "entry 4");
});

test("what was said of a game that has left the table is no news", () => {
  assert.equal(text(says(4, 3)), undefined);
});

test("without an announcement the last entry that stands is shown, its verdict first", () => {
  const verdict = { verdict: "caught", text: "caught!" };
  assert.deepEqual(latestNews({ announcement: null, log: [entry(1, { verdicts: [verdict] }), entry(2, { undone: true })] }), {
    text: "caught!",
    look: "right",
  });
  assert.equal(latestNews({ announcement: null, log: [] }), null);
});

test("a verdict has a look", () => {
  assert.deepEqual(["correct", "too_late", "detached", "wrong_word"].map(verdictLook), ["right", "late", "note", "wrong"]);
});

test("a negative number has a minus sign, not a hyphen", () => {
  assert.equal(numberText(-3), "−3");
  assert.equal(numberText(3), 3);
});

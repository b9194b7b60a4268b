/* A phone that slept does not speak what was announced meanwhile. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { lateMessages } from "../../../web/static/lib/lateness.js";

test("messages in time are spoken", () => {
  const isLate = lateMessages();
  assert.deepEqual([0, 2000, 6000, 10000].map(isLate), [false, false, false, false]);
});

test("after a silence longer than a heartbeat everything that comes at once is late", () => {
  const isLate = lateMessages();
  isLate(0);
  assert.deepEqual([60000, 60010, 60400, 61500].map(isLate), [true, true, true, false]);
});

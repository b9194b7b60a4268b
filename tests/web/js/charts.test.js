/* Axes, labels and medians of the charts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./browser.js";

openPage();
const { leadChart, median, spread, ticks, timeStrips } = await import("../../../web/static/pages/parts/charts.js");

test("an axis has at most six round numbers and ends below its largest value", () => {
  assert.deepEqual(ticks(1), [0, 1]);
  assert.deepEqual(ticks(10), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(43), [0, 10, 20, 30, 40]);
  assert.deepEqual(ticks(1.2, [0.1, 0.2, 0.5]), [0, 0.5, 1]);
});

test("labels keep their order and do not cover each other", () => {
  const found = spread([100, 101, 99, 200]);
  assert.ok(found[2] < found[0] && found[0] < found[1] && found[1] < found[3]);
  const sorted = [...found].sort((one, other) => one - other);
  for (let n = 1; n < sorted.length; n += 1) assert.ok(sorted[n] - sorted[n - 1] >= 19);
});

test("labels at the bottom edge move up together", () => {
  const found = spread([240, 240, 240]);
  assert.ok(Math.max(...found) <= 240);
  assert.equal(new Set(found).size, 3);
});

test("the median of an even number lies between the two in the middle", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
});

test("the chart of an evening says who has how many points", () => {
  const chart = leadChart([
    { label: "One", points: { Ida: 1, Jo: 0 } },
    { label: "Two", points: { Ida: 0, Jo: 3 } },
  ]);
  assert.equal(chart.props["aria-label"], "Jo: 3; Ida: 1");
});

test("the strips of times say the median of each game", () => {
  const chart = timeStrips([{ key: 1, label: "1 May", seconds: [0.5, 0.7, 1.9] }]);
  assert.equal(chart.props["aria-label"], "1 May: 0.7 s");
});

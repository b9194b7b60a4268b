/* The parameters in the address of the overlay. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { overlayOptions } from "../../../web/static/pages/parts/overlay_options.js";

test("without parameters turn and scores stand at the bottom left", () => {
  assert.deepEqual(overlayOptions(""), {
    size: 1,
    at: "bottom-left",
    layout: "row",
    show: new Set(["turn", "scores"]),
    plate: true,
  });
});

test("parameters say what is shown, where and how large", () => {
  assert.deepEqual(overlayOptions("?at=top&layout=column&size=2.5&show=title,time&plate=0"), {
    size: 2.5,
    at: "top",
    layout: "column",
    show: new Set(["title", "time"]),
    plate: false,
  });
});

test("what is misspelt counts as left out", () => {
  const found = overlayOptions("?at=middle&layout=grid&size=99&show=all,scores");
  assert.deepEqual([found.at, found.layout, found.size], ["bottom-left", "row", 1]);
  assert.deepEqual(found.show, new Set(["scores"]));
});

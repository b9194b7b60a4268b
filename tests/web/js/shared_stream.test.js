/* All tabs of a browser share one event stream. */

import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./browser.js";

const document = openPage();
Object.defineProperty(document, "hidden", { value: false, configurable: true });

/** @type {Stream[]} */
const streams = [];
class Stream {
  static CLOSED = 2;
  constructor() {
    this.readyState = 1;
    this.beats = [];
    streams.push(this);
  }
  addEventListener(_kind, run) {
    this.beats.push(run);
  }
  close() {
    this.readyState = 2;
  }
}
globalThis.EventSource = Stream;
const Channel = globalThis.BroadcastChannel;
globalThis.BroadcastChannel = class extends Channel {
  constructor(name) {
    super(name);
    this.unref();
  }
};
const { SharedStream } = await import("../../../web/static/lib/shared_stream.js");

const open = () => streams.filter((one) => one.readyState !== 2);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function tab() {
  const heard = [];
  const stream = new SharedStream("/events", {
    message: (data, own) => heard.push([data, own]),
    beat: () => heard.push(["beat"]),
    joined: () => heard.push(["joined"]),
    failed: () => {},
  });
  return { heard, stream };
}

test("the first tab opens the stream, later ones hear through it, and one takes over", async (t) => {
  const [one, two, three] = [tab(), tab(), tab()];
  t.after(() => [one, two, three].forEach(({ stream }) => stream.leave()));
  one.stream.start();
  await wait(200);
  assert.equal(open().length, 1);
  two.stream.start();
  three.stream.start();
  await wait(200);
  assert.equal(open().length, 1);
  open()[0].onmessage({ data: "first" });
  open()[0].beats[0]();
  await wait(20);
  const all = [one, two, three];
  const leads = (what) => all.filter(({ heard }) => heard.some(([data, own]) => data === what && own));
  assert.deepEqual(all.map(({ heard }) => heard.filter(([what]) => what !== "joined").map(([what]) => what)), [
    ["first", "beat"],
    ["first", "beat"],
    ["first", "beat"],
  ]);
  assert.equal(leads("first").length, 1);
  leads("first")[0].stream.leave();
  await wait(300);
  assert.equal(open().length, 1);
  open()[0].onmessage({ data: "second" });
  await wait(20);
  assert.equal(leads("second").length, 1);
  assert.equal(all.filter(({ heard }) => heard.some(([what]) => what === "second")).length, 3, "whoever left hears too");
});

test("of two tabs that both lead one gives way", async (t) => {
  const [one, two] = [tab(), tab()];
  t.after(() => [one, two].forEach(({ stream }) => stream.leave()));
  one.stream.listen();
  two.stream.listen();
  await wait(100);
  assert.equal(open().length, 1);
});

/* A command is sent again with the same key until it is answered. */

import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "./browser.js";

openPage();
const { command } = await import("../../../web/static/lib/requests.js");

/** Answers each request with the next of these; null: no answer.
    @returns the keys that were sent */
function table(...answers) {
  const keys = [];
  globalThis.fetch = async (_path, { headers }) => {
    keys.push(headers["Idempotency-Key"]);
    const answer = answers.shift();
    if (!answer) throw new TypeError("network");
    return { json: async () => answer };
  };
  return keys;
}

test("without an answer a command is sent again with its key", async () => {
  const keys = table(null, { ok: true, n: 1 });
  assert.deepEqual(await command("undo"), { ok: true, n: 1 });
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
});

test("a refusal is an answer, and each command has a key of its own", async () => {
  const keys = table({ ok: false, code: "meanwhile" }, { ok: true });
  assert.equal((await command("undo")).code, "meanwhile");
  await command("undo");
  assert.equal(new Set(keys).size, 2);
});

test("whoever gives up gets no answer", async () => {
  table(null, null, null);
  const stop = new AbortController();
  const sent = command("undo", {}, stop.signal);
  stop.abort();
  assert.equal((await sent).code, "no_answer");
});

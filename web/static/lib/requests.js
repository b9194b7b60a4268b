/* Sending: every change goes through POST and comes back as {ok: true, ...} or {ok: false, code, text}. */

import { _ } from "./translation.js";

const ANSWER_MS = 5000; // how long one attempt of a command may take
const AGAIN_MS = 1000;
const GIVE_UP_MS = 30000;
const OTHER_MS = 30000; // what is no command is not sent again

/** Posts JSON; never throws.
    @template {object} Body
    @param {string} path
    @param {object} data
    @param {string} [key] a command that is sent again with its key counts once
    @param {AbortSignal} [signal]
    @returns {Promise<Reply<Body>>} */
export async function post(path, data, key = "", signal = AbortSignal.timeout(OTHER_MS)) {
  try {
    const response = await fetch(path, {
      signal,
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key && { "Idempotency-Key": key }) },
      body: JSON.stringify(data),
      cache: "no-store",
    });
    return await response.json();
  } catch {
    return {
      ok: false,
      code: "no_answer",
      text: _("The table does not answer. Is this phone still in its network?"),
    };
  }
}

/** Sends a command until it is answered: again after a while without an answer, with the same key, so that it counts
    once however often it arrives.
    @template {object} Body
    @param {string} name
    @param {object} [data]
    @param {AbortSignal} [signal] ends the attempts
    @returns {Promise<Reply<Body>>} */
export async function command(name, data = {}, signal = new AbortController().signal) {
  const key = newKey();
  const last = performance.now() + GIVE_UP_MS;
  for (;;) {
    /** @type {Reply<Body>} */
    const reply = await limited(signal, (attempt) => post(`/api/command/${name}`, data, key, attempt));
    if (reply.ok || reply.code !== "no_answer" || signal.aborted || performance.now() > last) return reply;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Runs one attempt, which ends with the other signal or when it has taken too long.
    @template T
    @param {AbortSignal} signal
    @param {(attempt: AbortSignal) => Promise<T>} run
    @returns {Promise<T>} */
async function limited(signal, run) {
  const attempt = new AbortController();
  const end = () => attempt.abort();
  const timer = setTimeout(end, ANSWER_MS);
  signal.addEventListener("abort", end);
  try {
    return await run(attempt.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** 128 random bits. `crypto.randomUUID` exists on https pages only. */
function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const ASK_MS = 4000; // how long the answer to a question for the snapshot may take
const LEAST_WAIT_S = 3;

/** The snapshot as it is now, null if the table does not answer.
    @returns {Promise<Snapshot | null>} */
export async function snapshotNow() {
  return (await askSnapshot("")).snapshot;
}

/** The role of this phone as the table knows it now; null if the table does not answer.
    @returns {Promise<string | null>} */
export async function roleNow() {
  try {
    const response = await fetch("/api/pairing/role", { cache: "no-store", signal: AbortSignal.timeout(ASK_MS) });
    return (await response.json()).role ?? null;
  } catch {
    return null;
  }
}

/** Asks for the snapshot.
    @param {string} known the `etag` of the last answer
    @returns {Promise<Asked>} */
export async function askSnapshot(known) {
  /** @type {Asked} */
  const asked = { answered: false, snapshot: null, etag: known, waitS: LEAST_WAIT_S };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), ASK_MS);
  try {
    const response = await fetch("/state.json", {
      cache: "no-store",
      headers: known ? { "If-None-Match": known } : {},
      signal: stop.signal,
    });
    asked.waitS = Number(response.headers.get("Retry-After")) || LEAST_WAIT_S;
    if (response.ok) asked.snapshot = await response.json();
    if (response.ok) asked.etag = response.headers.get("ETag") ?? "";
    asked.answered = response.ok || response.status === 304;
  } catch {
    // No answer: the caller asks again.
  } finally {
    clearTimeout(timer);
  }
  return asked;
}

/** What a picture may be. With these names a phone from Apple converts its HEIC pictures; with `image/*` it may not. */
export const PICTURES = "image/jpeg,image/png,image/webp";

/** Uploads a photograph of a player's display; `onProgress` gets 0 to 1. Never throws.
    @param {string | null} player
    @param {File} file
    @param {(part: number) => void} onProgress
    @returns {Promise<Reply<{ reading: any }>>} */
export function upload(player, file, onProgress) {
  return send("/api/photo", { player, picture: file }, onProgress);
}

/** Posts a form with a picture; `onProgress` gets 0 to 1. Never throws.
    @template {object} Body
    @param {string} path
    @param {Record<string, string | number | Blob | null>} fields
    @param {(part: number) => void} onProgress
    @returns {Promise<Reply<Body>>} */
export function send(path, fields, onProgress) {
  return new Promise((resolve) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value instanceof Blob ? value : String(value));
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.responseType = "json";
    request.timeout = 120000;
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onload = () =>
      resolve(request.response ?? { ok: false, code: "no_reply", text: _("I could not read that picture.") });
    request.onerror = request.ontimeout = () =>
      resolve({
        ok: false,
        code: "no_answer",
        text: _("The picture did not arrive. Is this phone still in the table's network?"),
      });
    request.send(form);
  });
}

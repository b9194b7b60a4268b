/* Sending: every change goes through POST and comes back as {ok: true, ...} or {ok: false, code, text}. */

import { _ } from "./translation.js";

/** Posts JSON; never throws.
    @template {object} Body
    @param {string} path
    @param {object} data
    @param {string} [key] a command that is sent again with its key counts once
    @returns {Promise<Reply<Body>>} */
export async function post(path, data, key = "") {
  try {
    const response = await fetch(path, {
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

/** @template {object} Body
    @param {string} name
    @param {object} [data]
    @returns {Promise<Reply<Body>>} */
export function command(name, data = {}) {
  return post(`/api/command/${name}`, data);
}

/** The snapshot as it is now, null if the table does not answer.
    @returns {Promise<Snapshot | null>} */
export async function snapshotNow() {
  try {
    return await (await fetch("/state.json", { cache: "no-store" })).json();
  } catch {
    return null;
  }
}

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

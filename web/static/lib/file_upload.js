/* Sends a file in pieces: each request is small, progress is known, and a piece that was lost is sent again. */

import { post } from "./requests.js";

const PIECE_BYTES = 768 * 1024;
const ATTEMPTS = 4;

/** Never throws.
    @param {UploadPiece["kind"]} kind
    @param {Blob} file
    @param {(share: number) => void} onProgress gets 0 to 1
    @returns {Promise<Reply<UploadProgress>>} */
export async function uploadFile(kind, file, onProgress) {
  /** @type {Reply<UploadProgress>} */
  let reply = { ok: true, size: 0 };
  for (let offset = 0; offset < Math.max(file.size, 1); offset += PIECE_BYTES) {
    const data = await base64(file.slice(offset, offset + PIECE_BYTES));
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      reply = await post("/api/upload", { kind, offset, data });
      if (reply.ok || reply.code !== "no_answer") break;
    }
    if (!reply.ok) return reply;
    onProgress(Math.min(1, (offset + PIECE_BYTES) / Math.max(file.size, 1)));
  }
  return reply;
}

/** @param {Blob} piece
    @returns {Promise<string>} */
async function base64(piece) {
  const bytes = new Uint8Array(await piece.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

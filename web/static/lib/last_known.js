/* What this phone knew last of the table. While the table does not answer, a page that the browser has kept begins
   with it, and says of what time it is. */

import { remember, remembered } from "./phone_storage.js";

const WRITE_MS = 1000; // at most one write in so long

/** When the service worker kept this page, in milliseconds since 1970; 0: the table has just sent it. */
export const keptAt = Number(document.documentElement.dataset.kept) || 0;

let heardAt = keptAt || Date.now();
/** @type {Snapshot | null} */
let unwritten = null;

/** The snapshot of the page, or the one that this phone remembers if that is newer.
    @param {Snapshot} snapshot
    @returns {Snapshot} */
export function lastKnown(snapshot) {
  const last = remembered("last", /** @type {{ at: number, snapshot: Snapshot } | null} */ (null));
  const newer = last && (keptAt ? last.at > keptAt : last.snapshot.seq > snapshot.seq);
  if (!newer) return snapshot;
  heardAt = last.at;
  return last.snapshot;
}

/** The table has been heard: what is shown is true now. */
export function heardNow() {
  heardAt = Date.now();
}

/** Remembers a snapshot for later.
    @param {Snapshot} snapshot */
export function rememberSnapshot(snapshot) {
  if (!unwritten) setTimeout(write, WRITE_MS);
  unwritten = snapshot;
}

function write() {
  if (unwritten) remember("last", { at: heardAt, snapshot: unwritten });
  unwritten = null;
}
globalThis.addEventListener?.("pagehide", write);

/** When the table was heard last: the time, with the day if that is not today. */
export function heardTime() {
  const at = new Date(heardAt);
  const today = at.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const form = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(document.documentElement.lang || "en", form).format(at);
}

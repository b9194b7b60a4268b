/* The live snapshot: server-sent events, shared by all tabs of a browser, and asking every few seconds where a stream
   cannot be had.

   subscribe(boot.snapshot, draw)     draw(snapshot, link) is called at once and on every change;
                                      link is "live", "lost", or how often this page asks, in seconds */

import { boot } from "./boot.js";
import { keepPagesSoon } from "./keep_pages.js";
import { heardNow, keptAt, rememberSnapshot } from "./last_known.js";
import { lateMessages } from "./lateness.js";
import { speakAnnouncement } from "./phone_voice.js";
import { remember, remembered } from "./phone_storage.js";
import { askSnapshot, roleNow, snapshotNow } from "./requests.js";
import { SharedStream } from "./shared_stream.js";

const SILENT_MS = 4000; // the server beats every two seconds
const CHECK_MS = 500;
const GRACE_MS = 1500; // a shorter interruption is not shown
const HIDDEN_MS = 60000; // a page in the background for longer closes its stream
const RELOAD_MS = 30000; // a page that was kept is not loaded again sooner

/** Draws every snapshot, and again when the connection is lost or restored.
    @param {Snapshot} snapshot
    @param {(s: Snapshot, link: Connection) => void} draw */
function drawing(snapshot, draw) {
  /** @type {Connection} */
  let link = keptAt ? "lost" : "live";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lostTimer;

  /** @param {Connection} state */
  function setLink(state) {
    clearTimeout(lostTimer);
    lostTimer = undefined;
    if (state !== link) {
      link = state;
      draw(snapshot, link);
    }
  }

  redraw = () => draw(snapshot, link);
  return {
    setLink,
    /** @param {Snapshot} next
        @param {Connection} state */
    show(next, state) {
      clearTimeout(lostTimer);
      lostTimer = undefined;
      snapshot = next;
      link = state;
      snapshotTime = performance.now();
      draw(snapshot, link);
    },
    /** The stream has an error: unless it returns at once the connection is shown as lost. */
    lostSoon() {
      lostTimer ??= setTimeout(() => setLink("lost"), GRACE_MS);
    },
  };
}

/** Draws the snapshot now and whenever the server sends another one.
    @param {Snapshot} snapshot
    @param {(s: Snapshot, link: Connection) => void} draw */
export function subscribe(snapshot, draw) {
  const { show, setLink, lostSoon } = drawing(snapshot, draw);
  const isLate = lateMessages();
  let lastMessage = performance.now();
  let silentMs = SILENT_MS;
  const stream = new SharedStream("/events", {
    message(data, own) {
      lastMessage = performance.now();
      /** @type {StreamMessage} */
      const message = JSON.parse(data);
      tableAnswers(own ? message.snapshot : null);
      show(message.snapshot, message.every ?? "live");
      silentMs = SILENT_MS + 1000 * (message.every ?? 0);
      if (!isLate(lastMessage) && own) speakAnnouncement(message.announcements);
    },
    beat() {
      isLate((lastMessage = performance.now()));
      heardNow();
      setLink("live");
    },
    async joined() {
      const now = await snapshotNow();
      if (now) show(now, "live");
    },
    failed(refused) {
      if (refused) poll();
      else lostSoon();
    },
  });

  let etag = "";
  /** @type {Snapshot | null} */
  let latest = null;
  /** Without a stream: asks for the snapshot as often as the table says, and each time whether there is a stream now. */
  async function poll() {
    const asked = await askSnapshot(etag);
    if (!stream.isRefused()) return;
    etag = asked.etag;
    latest = asked.snapshot ?? latest;
    if (asked.answered) stream.share(JSON.stringify({ snapshot: latest, announcements: [], every: asked.waitS }));
    else setLink("lost");
    setTimeout(() => {
      lastMessage = performance.now();
      if (stream.isRefused()) stream.listen();
    }, asked.waitS * 1000);
  }

  const isSilent = () => performance.now() - lastMessage > silentMs;
  setInterval(() => {
    if (document.hidden || stream.isRefused() || !isSilent()) return;
    setLink("lost");
    lastMessage = performance.now();
    stream.listen();
  }, CHECK_MS);
  followVisibility(stream, isSilent);
  draw(snapshot, keptAt ? "lost" : "live");
  stream.start();
  bridgeAbsence();
}

/** A message has come. A page that was kept, with its scripts, may be older than the table: it is loaded again.
    @param {Snapshot | null} snapshot to be remembered, if this tab is the one that does so */
function tableAnswers(snapshot) {
  heardNow();
  if (snapshot) rememberSnapshot(snapshot);
  if (!keptAt || Date.now() - remembered("reloaded", 0) < RELOAD_MS) return;
  remember("reloaded", Date.now());
  location.reload();
}

/** Has pages kept for later, and checks one that the browser brings back: the phone may have another role now. */
function bridgeAbsence() {
  keepPagesSoon();
  const check = async () => {
    const role = await roleNow();
    if (role && role !== boot.role) location.reload();
  };
  /** @type {any} */
  const [visit] = performance.getEntriesByType?.("navigation") ?? [];
  if (visit?.type === "back_forward") check();
  window.addEventListener("pageshow", (event) => event.persisted && check());
}

/** A page in the background gives its stream up after a while, and takes it up again when it is looked at.
    @param {SharedStream} stream
    @param {() => boolean} isSilent */
function followVisibility(stream, isSilent) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => stream.leave(), HIDDEN_MS);
    else if (isSilent()) stream.listen();
  });
  window.addEventListener("pagehide", () => stream.leave());
  window.addEventListener("pageshow", (event) => event.persisted && stream.listen());
}

/** @type {() => void} */
let redraw = () => {};

/** Draws the page again as it is, once something that it shows has been loaded. */
export function redrawPage() {
  redraw();
}

let snapshotTime = performance.now();

/** Seconds since the present snapshot arrived: deadlines count from there. */
export function secondsSinceSnapshot() {
  return (performance.now() - snapshotTime) / 1000;
}

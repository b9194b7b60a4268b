/* The live snapshot: server-sent events, and asking every few seconds where a stream cannot be had.

   subscribe(boot.snapshot, draw)     draw(snapshot, link) is called at once and on every change;
                                      link is "live" or "lost" */

import { lateMessages } from "./lateness.js";
import { speakAnnouncement } from "./phone_voice.js";

const TIMEOUT_MS = 25000; // the server beats every ten seconds
const POLL_MS = 3000;
const GRACE_MS = 1500; // a shorter interruption is not shown
const HIDDEN_MS = 60000; // a page in the background for longer closes its stream

/** Draws every snapshot, and again when the connection is lost or restored.
    @param {Snapshot} snapshot
    @param {(s: Snapshot, link: Connection) => void} draw */
function drawing(snapshot, draw) {
  /** @type {Connection} */
  let link = "live";
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
    /** @param {Snapshot} next */
    show(next) {
      clearTimeout(lostTimer);
      lostTimer = undefined;
      snapshot = next;
      link = "live";
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
  /** @type {EventSource | null} */
  let source = null;
  let lastMessage = performance.now();
  const isLate = lateMessages();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let hiddenTimer;

  function listen() {
    source?.close();
    source = new EventSource("/events");
    lastMessage = performance.now();
    source.onmessage = (event) => {
      lastMessage = performance.now();
      const message = JSON.parse(event.data);
      show(message.snapshot);
      if (!isLate(lastMessage)) speakAnnouncement(message.announcements);
    };
    source.addEventListener("heartbeat", () => {
      isLate((lastMessage = performance.now()));
      setLink("live");
    });
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) setTimeout(poll, POLL_MS);
      else lostSoon();
    };
  }

  async function poll() {
    if (source && source.readyState !== EventSource.CLOSED) return;
    try {
      const response = await fetch("/state.json", { cache: "no-store" });
      if (response.ok) show(await response.json());
      listen();
    } catch {
      setLink("lost");
      setTimeout(poll, POLL_MS);
    }
  }

  setInterval(() => {
    if (!document.hidden && performance.now() - lastMessage > TIMEOUT_MS) {
      setLink("lost");
      listen();
    }
  }, 5000);

  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer);
    if (document.hidden) hiddenTimer = setTimeout(() => source?.close(), HIDDEN_MS);
    else if (source?.readyState === EventSource.CLOSED || performance.now() - lastMessage > TIMEOUT_MS) listen();
  });
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => event.persisted && listen());

  draw(snapshot, "live");
  listen();
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

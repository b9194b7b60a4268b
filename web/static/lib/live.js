/* The live snapshot: server-sent events, and asking every few seconds where a stream cannot be had.

   const table = live(boot.snapshot, draw)     draw(snapshot, link) is called at once and on every change
   link is "live" or "lost" */

import { announce } from "./phone_voice.js";

const SILENCE_MS = 25000; // the server beats every ten seconds
const POLL_MS = 3000;
const PATIENCE_MS = 1500; // a short gap is nobody's business
const POCKET_MS = 60000;

/** @param {Snapshot} snapshot
    @param {(s: Snapshot, link: Link) => void} draw */
export function live(snapshot, draw) {
  /** @type {Link} */
  let link = "live";
  /** @type {EventSource | null} */
  let source = null;
  let heard = performance.now();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pocket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let doubt;

  /** @param {Snapshot} next */
  function show(next) {
    snapshot = next;
    link = "live";
    clearTimeout(doubt);
    doubt = undefined;
    arrived = performance.now();
    draw(snapshot, link);
  }

  /** @param {Link} state */
  function setLink(state) {
    clearTimeout(doubt);
    doubt = undefined;
    if (state !== link) {
      link = state;
      draw(snapshot, link);
    }
  }

  function listen() {
    source?.close();
    source = new EventSource("/events");
    heard = performance.now();
    source.onmessage = (event) => {
      heard = performance.now();
      const message = JSON.parse(event.data);
      show(message.snapshot);
      announce(message.announcements);
    };
    source.addEventListener("heartbeat", () => {
      heard = performance.now();
      setLink("live");
    });
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) setTimeout(poll, POLL_MS);
      else doubt = doubt || setTimeout(() => setLink("lost"), PATIENCE_MS);
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
    if (!document.hidden && performance.now() - heard > SILENCE_MS) {
      setLink("lost");
      listen();
    }
  }, 5000);

  document.addEventListener("visibilitychange", () => {
    clearTimeout(pocket);
    if (document.hidden) pocket = setTimeout(() => source?.close(), POCKET_MS);
    else if (source?.readyState === EventSource.CLOSED || performance.now() - heard > SILENCE_MS) listen();
  });
  window.addEventListener("pagehide", () => source?.close());
  window.addEventListener("pageshow", (event) => event.persisted && listen());

  draw(snapshot, link);
  listen();
}

let arrived = performance.now();

/** Seconds since the present snapshot arrived: deadlines count from there. */
export function age() {
  return (performance.now() - arrived) / 1000;
}

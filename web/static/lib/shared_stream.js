/* One event stream for all tabs of a browser: it opens six connections to a server at most, and a seventh tab would
   never load. One tab leads: it holds the stream and passes every message on by a BroadcastChannel. The others take
   over when it closes or falls silent. Where there is no BroadcastChannel each tab has a stream of its own.

   Messages between tabs: {kind: "who"} asks whether a tab leads, {kind: "leads", id} answers, {kind: "gone"} says that it
   no longer does, {kind: "message", data} and {kind: "beat"} come from the server. */

const ANSWER_MS = 150; // how long a new tab waits for one that leads
const JITTER_MS = 100; // so that of several tabs one takes over

/** @param {string} address
    @param {StreamHandlers} on
    @returns {SharedStream} */
export function sharedStream(address, on) {
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(`companion ${address}`) : null;
  const id = Math.random();
  /** @type {EventSource | null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let claim;

  /** @param {object} message */
  const tell = (message) => channel?.postMessage(message);

  /** Opens the stream: this tab leads. */
  function listen() {
    clearTimeout(claim);
    claim = undefined;
    source?.close();
    const own = new EventSource(address);
    source = own;
    own.onmessage = (event) => {
      tell({ kind: "message", data: event.data });
      on.message(event.data, true);
    };
    own.addEventListener("heartbeat", () => {
      tell({ kind: "beat" });
      on.beat();
    });
    own.onerror = () => source === own && on.failed(isRefused());
    tell({ kind: "leads", id });
  }

  function follow() {
    clearTimeout(claim);
    source?.close();
    source = null;
  }

  /** Two tabs may both think that they lead, after one slept: the lower id wins.
      @param {number} other */
  function otherLeads(other) {
    if (source && other > id) {
      tell({ kind: "leads", id });
      return;
    }
    const isNew = claim !== undefined;
    claim = undefined;
    follow();
    if (isNew) on.joined();
  }

  /** @param {number} after */
  function claimIn(after) {
    clearTimeout(claim);
    claim = setTimeout(listen, after);
  }

  /** The server had too many streams, or does not answer. */
  function isRefused() {
    return source?.readyState === EventSource.CLOSED;
  }

  if (channel)
    channel.onmessage = ({ data: message }) => {
      if (message.kind === "who" && source) tell({ kind: "leads", id });
      else if (message.kind === "leads") otherLeads(message.id);
      else if (source) return;
      else if (message.kind === "message") on.message(message.data, false);
      else if (message.kind === "beat") on.beat();
      else if (message.kind === "gone" && !document.hidden) claimIn(Math.random() * JITTER_MS);
    };

  return {
    listen,
    isRefused,
    start() {
      if (!channel) listen();
      else {
        tell({ kind: "who" });
        claimIn(ANSWER_MS);
      }
    },
    leave() {
      if (source) tell({ kind: "gone" });
      follow();
    },
    /** @param {string} data */
    share(data) {
      tell({ kind: "message", data });
      on.message(data, true);
    },
  };
}

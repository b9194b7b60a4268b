/* One event stream for all tabs of a browser: it opens six connections to a server at most, and a seventh tab would
   never load. One tab leads: it holds the stream and passes every message on by a BroadcastChannel. The others take
   over when it closes or falls silent. Where there is no BroadcastChannel each tab has a stream of its own.

   Messages between tabs: {kind: "who"} asks whether a tab leads, {kind: "leads", id} answers, {kind: "gone"} says that it
   no longer does, {kind: "message", data} and {kind: "beat"} come from the server. */

const ANSWER_MS = 150; // how long a new tab waits for one that leads
const JITTER_MS = 100; // so that of several tabs one takes over

/** The stream of one tab. It begins with `start`. */
export class SharedStream {
  /** @type {BroadcastChannel | null} */
  #channel = null;
  #id = Math.random();
  /** @type {EventSource | null} */
  #source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #claim;

  /** @param {string} address
      @param {StreamHandlers} on */
  constructor(address, on) {
    this.address = address;
    this.on = on;
    if (!("BroadcastChannel" in globalThis)) return;
    this.#channel = new BroadcastChannel(`companion ${address}`);
    this.#channel.onmessage = ({ data }) => this.#heard(data);
  }

  /** Asks whether another tab leads, and opens the stream if none does. */
  start() {
    if (!this.#channel) this.listen();
    else {
      this.#tell({ kind: "who" });
      this.#claimIn(ANSWER_MS);
    }
  }

  /** Opens the stream: this tab leads. */
  listen() {
    this.#follow();
    const own = new EventSource(this.address);
    this.#source = own;
    own.onmessage = (event) => this.share(event.data);
    own.addEventListener("heartbeat", () => {
      this.#tell({ kind: "beat" });
      this.on.beat();
    });
    own.onerror = () => this.#source === own && this.on.failed(this.isRefused());
    this.#tell({ kind: "leads", id: this.#id });
  }

  /** Hands a message to all tabs.
      @param {string} data */
  share(data) {
    this.#tell({ kind: "message", data });
    this.on.message(data, true);
  }

  /** This tab needs no stream any more. */
  leave() {
    if (this.#source) this.#tell({ kind: "gone" });
    this.#follow();
  }

  /** Whether the stream of this tab does not come back by itself: the server had too many. */
  isRefused() {
    return this.#source?.readyState === EventSource.CLOSED;
  }

  /** @param {any} message */
  #heard(message) {
    if (message.kind === "who" && this.#source) this.#tell({ kind: "leads", id: this.#id });
    else if (message.kind === "leads") this.#otherLeads(message.id);
    else if (this.#source) return;
    else if (message.kind === "message") this.on.message(message.data, false);
    else if (message.kind === "beat") this.on.beat();
    else if (message.kind === "gone" && !document.hidden) this.#claimIn(Math.random() * JITTER_MS);
  }

  /** Two tabs may both think that they lead, after one slept: the lower id wins.
      @param {number} other */
  #otherLeads(other) {
    if (this.#source && other > this.#id) {
      this.#tell({ kind: "leads", id: this.#id });
      return;
    }
    const isNew = this.#claim !== undefined;
    this.#follow();
    if (isNew) this.on.joined();
  }

  #follow() {
    clearTimeout(this.#claim);
    this.#claim = undefined;
    this.#source?.close();
    this.#source = null;
  }

  /** @param {number} after */
  #claimIn(after) {
    clearTimeout(this.#claim);
    this.#claim = setTimeout(() => this.listen(), after);
  }

  /** @param {object} message */
  #tell(message) {
    this.#channel?.postMessage(message);
  }
}

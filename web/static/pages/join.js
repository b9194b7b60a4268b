/* Join: whose phone this is, and the referee's code. A code behind the address's # is entered by itself,
   and the table shown: so the machine itself opens the pages. With ?new a game is set up after the code. */

import { boot } from "../lib/boot.js";
import { byId, h, mount } from "../lib/dom.js";
import { subscribe } from "../lib/live.js";
import { post } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { sign } from "../ui/icons.js";
import { bar } from "./parts/page_frame.js";
import { connectionLine, recordingBadge } from "../ui/page_parts.js";
import { turnLine } from "./parts/turn_line.js";

const place = byId("join");
let snapshot = boot.snapshot;
/** @type {Connection} */
let link = "live";
let me = boot.me;
let role = boot.role;
let errorText = "";
let ownerText = "";
const next = new URLSearchParams(location.search).has("new") ? "/new" : null;

/** @param {string} code
    @param {string | null} then */
async function enter(code, then) {
  /** @type {Reply<{ role: Boot["role"] }>} */
  const reply = await post("/api/role", { code });
  if (reply.ok && then) {
    location.replace(then);
    return;
  }
  errorText = reply.ok ? "" : reply.text;
  if (reply.ok) role = reply.role;
  draw();
}

/** Waits for a press on the companion, for a minute. */
async function askForPress() {
  const asked = await post("/api/pairing/ask", {});
  errorText = asked.ok ? _("Press the referee's button on the companion now.") : asked.text;
  draw();
  for (let seconds = 0; asked.ok && seconds < 60 && role !== "referee"; seconds += 2) {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    try {
      role = (await (await fetch("/api/pairing/role", { cache: "no-store" })).json()).role;
    } catch {
      continue; // the table does not answer: asked again
    }
  }
  if (role === "referee" && next) location.replace(next);
  errorText = "";
  draw();
}

async function leaveRole() {
  /** @type {Reply<{ role: Boot["role"] }>} */
  const reply = await post("/api/leave", {});
  if (reply.ok) role = reply.role;
  draw();
}

/** @param {string | null} player */
async function choose(player) {
  /** @type {Reply<{ me: string | null }>} */
  const reply = await post("/api/me", { player });
  if (reply.ok) me = reply.me;
  ownerText = reply.ok ? "" : reply.text;
  draw();
}

function phoneOwner() {
  const seats = snapshot.game?.players ?? [];
  if (seats.length === 0) return null;
  return h(
    "section",
    {},
    h("h2", {}, _("Whose phone is this?")),
    h(
      "div",
      { class: "row chips" },
      seats.map((seat) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "aria-pressed": String(me === seat.name),
            onclick: () => choose(seat.name),
          },
          sign(seats, seat.name),
          seat.name,
        ),
      ),
      h(
        "button",
        { type: "button", class: "chip", "aria-pressed": String(!me), onclick: () => choose(null) },
        _("Somebody who watches"),
      ),
    ),
    ownerText && h("p", { class: "wrong-here", role: "alert" }, ownerText),
  );
}

function refereeForm() {
  if (boot.open) return h("p", { class: "quiet" }, _("At this table every phone decides."));
  if (role === "referee")
    return h(
      "section",
      {},
      h("h2", {}, _("This phone is the referee's.")),
      h("button", { type: "button", class: "secondary", onclick: leaveRole }, _("Stop being the referee")),
    );
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        enter(String(new FormData(event.target).get("code")), next);
      },
    },
    h("h2", {}, next ? _("The referee starts a game") : _("Referee")),
    h(
      "div",
      { class: "row" },
      h("input", {
        type: "text",
        name: "code",
        inputmode: "numeric",
        autocomplete: "off",
        required: true,
        "aria-label": _("Code"),
        placeholder: _("Code"),
        "aria-describedby": "code-wrong",
      }),
      h("button", { class: "secondary" }, _("Become the referee")),
    ),
    h("button", { type: "button", class: "plain", onclick: askForPress }, _("Ask for a press on the companion")),
    h("p", { id: "code-wrong", class: "wrong-here", role: "alert" }, errorText),
    h(
      "p",
      { class: "quiet" },
      _(
        "A referee's phone shows a code under Phones; so does `companion pair` on the machine. Guests watch and may correct their own display.",
      ),
    ),
  );
}

function draw() {
  mount(
    place,
    turnLine(snapshot),
    connectionLine(link),
    recordingBadge(snapshot),
    phoneOwner(),
    refereeForm(),
    bar([]),
  );
}

subscribe(snapshot, (now, state) => {
  snapshot = now;
  link = state;
  draw();
});
const code = new URLSearchParams(location.hash.slice(1)).get("code");
if (code) {
  history.replaceState(null, "", location.pathname);
  enter(code, "/");
}

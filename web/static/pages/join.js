/* Join: whose phone this is, and the referee's PIN. A PIN behind the address's # is entered by itself,
   and the table shown: so the machine itself opens the pages. With ?new a game is set up after the PIN. */

import { boot } from "../lib/boot.js";
import { byId, h, mount } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { sign } from "../ui/icons.js";
import { bar } from "../ui/page_frame.js";
import { recordingBadge } from "../ui/page_parts.js";

const place = byId("join");
const seats = boot.snapshot.game?.players ?? [];
let me = boot.me;
let role = boot.role;
let errorText = "";
const next = new URLSearchParams(location.search).has("new") ? "/new" : null;

/** @param {string} pin
    @param {string | null} then */
async function enter(pin, then) {
  /** @type {Reply<{ role: Boot["role"] }>} */
  const reply = await post("/api/role", { pin });
  if (reply.ok && then) {
    location.replace(then);
    return;
  }
  errorText = reply.ok ? "" : reply.text;
  if (reply.ok) role = reply.role;
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
  draw();
}

function phoneOwner() {
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
  );
}

function refereeForm() {
  if (boot.open) return h("p", { class: "quiet" }, _("This table has no PIN: every phone decides."));
  if (role === "referee")
    return h(
      "section",
      {},
      h("h2", {}, _("This phone is the referee's.")),
      h("button", { type: "button", class: "secondary", onclick: leaveRole }, _("Give the whistle back")),
    );
  return h(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        enter(String(new FormData(event.target).get("pin")), next);
      },
    },
    h("h2", {}, next ? _("The referee starts a game") : _("Referee")),
    h(
      "div",
      { class: "row" },
      h("input", {
        type: "password",
        name: "pin",
        inputmode: "numeric",
        autocomplete: "off",
        required: true,
        "aria-label": _("PIN"),
        placeholder: _("PIN"),
        "aria-describedby": "pin-wrong",
      }),
      h("button", { class: "secondary" }, _("Take the whistle")),
    ),
    h("p", { id: "pin-wrong", class: "wrong-here", role: "alert" }, errorText),
    h(
      "p",
      { class: "quiet" },
      _("The PIN stands where the companion was started. Guests watch and may correct their own display."),
    ),
  );
}

function draw() {
  mount(place, recordingBadge(boot.snapshot), phoneOwner(), refereeForm(), bar([]));
}

draw();
const pin = new URLSearchParams(location.hash.slice(1)).get("pin");
if (pin) {
  history.replaceState(null, "", location.pathname);
  enter(pin, "/");
}

/* Phones: who is the referee, which phone is whose, and a code that lets one more decide. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { _ } from "../lib/translation.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";

let phones = boot.phones?.phones ?? [];
/** @type {PairingCode | null} */
let code = null;

function view() {
  if (!referee) return h("p", { class: "quiet" }, _("Only the referee sees the phones."));
  return [pairing(), h("ul", { class: "sources" }, phones.map(phone))];
}

function pairing() {
  return h(
    "section",
    {},
    code &&
      h(
        "p",
        { class: "lead", role: "status" },
        h("strong", {}, code.code),
        " ",
        _("for one phone, valid for %(n)s minutes", { n: Math.round(code.seconds / 60) }),
      ),
    h("button", { type: "button", class: "secondary", onclick: showCode }, _("Show a code for one more referee")),
  );
}

/** @param {PairedPhone} one */
function phone(one) {
  const name = one.player ? _("%(name)s's phone", { name: one.player }) : _("Phone %(n)s", { n: one.number });
  return h(
    "li",
    { key: one.number },
    h(
      "div",
      {},
      h("strong", {}, name),
      h("p", { class: "quiet" }, one.name, one.referee && [", ", _("decides")], one.this && [", ", _("this one")]),
    ),
    h("button", { type: "button", class: "secondary", onclick: () => revoke(one.number) }, _("Forget")),
  );
}

async function showCode() {
  /** @type {Reply<PairingCode>} */
  const reply = await post("/api/pairing/code", {});
  if (reply.ok) code = reply;
  else notice(reply.text);
  redraw();
}

/** @param {number} number */
async function revoke(number) {
  /** @type {Reply<PairedPhones>} */
  const reply = await post("/api/phones/revoke", { number });
  if (reply.ok) phones = reply.phones;
  else notice(reply.text);
  redraw();
}

const redraw = shell(_("Phones"), view);

/* How others join, in a corner of the table view: the QR code with its address, and the code that makes a phone the
   referee's while one asks for it. */

import { boot, referee } from "../../lib/boot.js";
import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";

/** Only a table view that is a referee's itself may show a code.
    @type {PairingCode | null} */
let code = null;
/** The announcement that was answered with a code. */
let answered = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {() => void} redraw */
export function joinBlock(redraw) {
  const address = boot.join_url.replace(/^https?:\/\//, "").replace(/\/$/, "");
  return h(
    "aside",
    { class: "join-block", "aria-label": _("Join") },
    h(
      "div",
      { class: "join-text" },
      code && [
        h("p", { role: "status" }, _("Code for the referee's phone")),
        h("strong", { class: "pairing-code" }, `${code.code.slice(0, 3)} ${code.code.slice(3)}`),
      ],
      h("p", { class: "join-address" }, h("span", { class: "quiet" }, _("Join")), " ", h("span", {}, address)),
      referee &&
        !boot.open &&
        !code &&
        h("button", { type: "button", class: "plain", onclick: () => showCode(redraw) }, _("Show a code")),
    ),
    h("img", { src: "/qr.svg", width: "240", height: "240", alt: _("QR code to join") }),
    boot.wireless?.hotspot && [
      h("p", { class: "join-address" }, h("span", { class: "quiet" }, _("Wi-Fi")), " ", h("span", {}, boot.wireless.hotspot.name)),
      h("img", { src: "/wifi.svg", width: "240", height: "240", alt: _("QR code of the wireless network") }),
    ],
  );
}

/** A phone that asks to be the referee's gets a code to look at; it goes when it was used.
    @param {Snapshot} s
    @param {() => void} redraw */
export function followPairing(s, redraw) {
  const said = s.announcement;
  if (said?.code === "phone_paired") code = null;
  const asks = said?.code === "phone_asks" ? `${said.text} ${s.seq}` : "";
  const isNew = asks !== "" && asks !== answered;
  answered = asks;
  if (isNew && referee && !boot.open) showCode(redraw);
}

/** @param {() => void} redraw */
async function showCode(redraw) {
  const answer = await fetch("/api/pairing/shown", { cache: "no-store" });
  if (!answer.ok) return;
  /** @type {PairingCode} */
  const shown = await answer.json();
  if (!shown.code) return; // too many wrong ones: none until its time is over
  code = shown;
  clearTimeout(timer);
  timer = setTimeout(() => {
    code = null;
    redraw();
  }, shown.seconds * 1000);
  redraw();
}

/* Tests of the devices, for the pages *Devices* and *Settings*: press each button, let each output give a sign, watch
   the microphone, read what the doctor found. */

import { boot } from "../../lib/boot.js";
import { h } from "../../lib/dom.js";
import { post } from "../../lib/requests.js";
import { _ } from "../../lib/translation.js";
import { icon } from "../../ui/icons.js";
import { notice } from "../../ui/notice.js";

const EVERY_MS = 500;
const FRESH_S = 2;
const QUIETEST = -75;

/** @type {DeviceState} */
let devices = boot.devices ?? { findings: [], buttons: [], outputs: [], level: null };
/** Draws the page again. */
let redraw = () => {};
/** Whether the microphone hears the buzzer, in words; "busy" while it listens.
    @type {string | null} */
let buzzerTest = null;

/** @type {Record<string, string>} */
const FINDINGS = {
  silent: _("Nothing at all: is the microphone switched on?"),
  clipping: _("Too loud: turn the microphone down or move it away."),
  noisy: _("The room is loud: move the microphone to the middle of the table."),
  too_quiet: _("Too soft: turn the microphone up or move it nearer."),
};

/** @type {Record<string, string>} */
const OUTPUTS = { buzzer: _("Buzzer"), lamps: _("Lamps"), voice: _("Voice") };

/** @param {string} key
    @param {boolean} good
    @param {string} title
    @param {string} text
    @param {Child} [extra] */
function row(key, good, title, text, extra = null) {
  return h(
    "li",
    { key, class: good ? "right" : "wrong" },
    icon(good ? "right" : "wrong"),
    h("div", {}, h("strong", {}, title), text && h("p", { class: "quiet" }, text)),
    extra,
  );
}

/** Each button, and when it was pressed. */
export function buttonTest() {
  if (devices.buttons.length === 0)
    return h("section", {}, h("h2", {}, _("Buttons")), h("p", { class: "quiet" }, _("None are wired: the phones have them.")));
  return h(
    "section",
    {},
    h("h2", {}, _("Press each button")),
    h(
      "ul",
      { class: "sources" },
      devices.buttons.map(({ name, gpio, ago }) =>
        row(
          name,
          ago !== null,
          ago !== null && ago < FRESH_S ? _("%(name)s: now!", { name }) : name,
          ago === null ? _("not pressed yet, GPIO %(gpio)s", { gpio }) : _("%(s)s s ago", { s: Math.round(ago) }),
        ),
      ),
    ),
  );
}

/** A key for each output that lets it give a sign.
    @param {string[]} [names] only these */
export function outputTest(names = devices.outputs) {
  const there = devices.outputs.filter((name) => names.includes(name));
  return h(
    "section",
    {},
    h("h2", {}, _("Let them give a sign")),
    there.length === 0
      ? h("p", { class: "quiet" }, _("No buzzer, no lamps, no voice: a phone can speak."))
      : h(
          "div",
          { class: "side-by-side" },
          there.map((name) =>
            h("button", { type: "button", class: "secondary", key: name, onclick: () => tryOutput(name) }, OUTPUTS[name] ?? name),
          ),
        ),
  );
}

/** The level of the microphone, and whether it hears the buzzer. */
export function microphoneTest() {
  const { level } = devices;
  const share = level ? Math.max(0, Math.min(1, 1 - level.now / QUIETEST)) : 0;
  return h(
    "section",
    {},
    h("h2", {}, _("Microphone")),
    h("meter", { class: "level", min: "0", max: "1", low: "0.45", high: "0.97", optimum: "0.8", value: String(share), "aria-label": _("Level") }),
    h(
      "p",
      { class: "quiet", role: "status" },
      level === null
        ? _("There is no sound from the microphone.")
        : FINDINGS[level.finding ?? ""] ||
            _("Background %(background)s dB, loudest %(loud)s dB. Say something.", {
              background: Math.round(level.background),
              loud: Math.round(level.loudest),
            }),
    ),
    devices.outputs.some((name) => name === "buzzer" || name === "voice") &&
      h("button", { type: "button", class: "secondary", disabled: buzzerTest === "busy", onclick: testBuzzer }, _("Does it hear the buzzer?")),
    buzzerTest && buzzerTest !== "busy" && h("p", { role: "status" }, buzzerTest),
  );
}

/** What the doctor found. */
export function deviceFindings() {
  return h(
    "section",
    {},
    h("h2", {}, _("What was found")),
    h(
      "ul",
      { class: "sources" },
      devices.findings.map(({ name, there, text }) => row(name, there, name, text)),
    ),
  );
}

/** @param {string} name */
async function tryOutput(name) {
  const reply = await post("/api/devices/try", { name });
  if (!reply.ok) notice(reply.text || reply.code);
}

async function testBuzzer() {
  buzzerTest = "busy";
  redraw();
  /** @type {Reply<{ heard: boolean, rise: number }>} */
  const reply = await post("/api/devices/loop", {});
  buzzerTest = !reply.ok
    ? reply.text || reply.code
    : reply.heard
      ? _("Yes, %(rise)s dB above the background.", { rise: reply.rise })
      : _("No. Turn the microphone up, or move it nearer to the buzzer.");
  redraw();
}

/** Asks for the state of the devices again and again while `wanted()` says so.
    @param {() => void} draw draws the page again
    @param {() => boolean} wanted */
export function watchDevices(draw, wanted) {
  redraw = draw;
  setTimeout(() => poll(wanted), EVERY_MS);
}

/** @param {() => boolean} wanted */
async function poll(wanted) {
  if (!document.hidden && wanted()) {
    try {
      const response = await fetch("/api/devices", { cache: "no-store" });
      if (response.ok) {
        devices = await response.json();
        redraw();
      }
    } catch {
      // The connection's own line says that the table does not answer.
    }
  }
  setTimeout(() => poll(wanted), EVERY_MS);
}

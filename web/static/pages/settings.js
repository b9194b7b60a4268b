/* Settings: the configuration as a form. Changed values are checked, shown as changed lines of the file, written, and
   the companion starts again with them; then the devices can be tried here. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { post } from "../lib/requests.js";
import { _, ngettext } from "../lib/translation.js";
import { cameraPicture, refreshPicture } from "../photo/live_picture.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { buttonTest, microphoneTest, outputTest, watchDevices } from "./parts/device_tests.js";
import { settingField } from "./parts/setting_controls.js";
import { GROUPS } from "./parts/setting_texts.js";
import { waitForRestart } from "./parts/restart.js";

let state = boot.settings;
/** New values by key.
    @type {Record<string, JsonValue>} */
let edits = {};
/** What is wrong with them, by key.
    @type {Record<string, string>} */
let problems = {};
/** The changed lines that are to be confirmed.
    @type {readonly string[] | null} */
let lines = null;
let waiting = false;
/** Which groups are open.
    @type {Record<string, boolean>} */
const open = {};

/** @type {Record<string, (s: Snapshot) => Child>} */
const TESTS = {
  camera: (s) => s.sources.camera?.up && [h("h3", {}, _("What the camera sees")), cameraPicture(null, [])],
  microphone: microphoneTest,
  buttons: buttonTest,
  outputs: () => outputTest(),
};

/** @param {Snapshot} s */
function view(s) {
  if (!referee || !state) return h("p", { class: "quiet" }, _("Only the referee sees the settings."));
  if (waiting) return h("p", { role: "status" }, _("The companion starts again. That takes a few seconds."));
  if (lines) return confirmation(lines);
  const shown = new Set(GROUPS.flatMap((one) => one.keys));
  const others = state.fields.filter((one) => !shown.has(one.key)).map((one) => one.key);
  return [
    h("p", { class: "lead" }, _("Everything that can be set is in %(file)s, with its comments.", { file: state.file })),
    problems[""] && h("p", { class: "wrong-here", role: "alert" }, problems[""]),
    GROUPS.map((one) => group(one.name, one.title, one.keys, s)),
    group("others", _("All other settings"), others, s),
    state.previous && h("button", { type: "button", class: "secondary", onclick: putBack }, _("Put the earlier settings back")),
  ];
}

/** @param {string} name
    @param {string} title
    @param {string[]} keys
    @param {Snapshot} s */
function group(name, title, keys, s) {
  const changed = keys.filter((key) => key in edits).length;
  const wrong = keys.some((key) => problems[key]);
  return h(
    "details",
    { class: "options settings", key: name, open: open[name] === true, ontoggle: (/** @type {any} */ event) => unfold(name, event.target.open) },
    h("summary", { onclick: (/** @type {Event} */ event) => fold(event, name) }, h("span", {}, title), changed > 0 && h("small", {}, ngettext("%(n)s change", "%(n)s changes", changed))),
    (open[name] || wrong) && [keys.map(fieldOf), name in TESTS && h("div", { class: "tests" }, TESTS[name](s))],
  );
}

/** The browser says later that it has opened a group; a new picture of the camera in between would close it again.
    @param {Event} event
    @param {string} name */
function fold(event, name) {
  event.preventDefault();
  unfold(name, open[name] !== true);
}

/** @param {string} name
    @param {boolean} isOpen */
function unfold(name, isOpen) {
  if (open[name] === isOpen) return;
  open[name] = isOpen;
  redraw();
}

/** @param {string} key */
function fieldOf(key) {
  const field = state?.fields.find((one) => one.key === key);
  if (!field) return null;
  const value = key in edits ? (edits[key] ?? field.default) : field.value;
  return settingField(field, value, problems[key] ?? "", (next) => edit(field, next));
}

/** @param {SettingField} field
    @param {JsonValue} value */
function edit(field, value) {
  delete problems[field.key];
  const same = JSON.stringify(value ?? field.default) === JSON.stringify(field.value);
  if (same && field.kind !== "secret") delete edits[field.key];
  else edits[field.key] = value;
  redraw();
}

/** @param {readonly string[]} changed */
function confirmation(changed) {
  return [
    h("p", { class: "lead" }, _("These lines of the file change:")),
    h(
      "ul",
      { class: "diff" },
      changed.map((line, at) =>
        h("li", { key: at, class: { "+": "comes", "-": "goes", "@": "place" }[line[0]] ?? "stays" }, h("code", {}, line)),
      ),
    ),
    state?.playing && h("p", {}, _("The game on the table goes on after the restart.")),
  ];
}

/** @param {Snapshot} _s
    @returns {(Action | false)[]} */
function actions(_s) {
  if (!referee || !state || waiting) return [];
  if (lines)
    return [
      { label: _("Change more"), quiet: true, run: () => { lines = null; redraw(); } },
      { label: _("Save and restart"), run: save },
    ];
  return [{ label: _("See the changes"), disabled: Object.keys(edits).length === 0, run: check }];
}

async function check() {
  /** @type {Reply<SettingsCheck>} */
  const reply = await post("/api/settings/check", { values: edits, version: state?.version });
  if (!reply.ok) return notice(reply.text || reply.code);
  problems = Object.fromEntries(reply.problems.map((one) => [one.key, one.text]));
  lines = reply.problems.length > 0 ? null : reply.lines;
  for (const one of GROUPS) if (one.keys.some((key) => problems[key])) open[one.name] = true;
  if (Object.keys(problems).some((key) => key && !GROUPS.some((one) => one.keys.includes(key)))) open.others = true;
  redraw();
}

function save() {
  return restartAfter("/api/settings/save", { values: edits, version: state?.version });
}

function putBack() {
  return restartAfter("/api/settings/back", {});
}

/** @param {string} path
    @param {object} data */
async function restartAfter(path, data) {
  waiting = true;
  redraw();
  /** @type {Reply<Restarting>} */
  const reply = await post(path, data);
  const found = reply.ok ? await waitForRestart(reply.run) : null;
  waiting = false;
  if (!reply.ok) notice(reply.text || reply.code);
  else if (!found) notice(_("The companion has not started again. Load the page in a minute."));
  else {
    state = found;
    edits = {};
    lines = null;
    notice(_("The new settings are in force. Try the devices here."));
  }
  redraw();
}

const redraw = shell(_("Settings"), view, actions);
if (referee) {
  watchDevices(redraw, () => Boolean(open.microphone || open.buttons || open.outputs) && !waiting && !lines);
  refreshPicture(() => open.camera && !waiting && !lines, redraw);
}

/* This machine: its state in words, a backup and its restoring, a report for somebody who helps. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { uploadFile } from "../lib/file_upload.js";
import { post } from "../lib/requests.js";
import { _, listText, ngettext } from "../lib/translation.js";
import { icon } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "./parts/page_frame.js";
import { waitForRestart } from "./parts/restart.js";

const moment = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
const FOLLOW_MS = 2000;
/** What became of an update.
    @type {Record<string, string>} */
const RESULTS = {
  done: _("The latest update is installed."),
  current: _("There is no newer version."),
  went_back: _("The new version did not work: the one before is installed again."),
  failed: _("The latest update failed."),
};
let state = boot.machine;
/** What is going on, in words; "" nothing. */
let busy = "";
/** What the backup holds that was sent.
    @type {BackupContents | null} */
let backup = null;
/** Why the backup cannot be restored. */
let refused = "";

function view() {
  if (!referee || !state) return h("p", { class: "quiet" }, _("Only the referee sees the state of this machine."));
  if (busy) return h("p", { role: "status" }, busy);
  if (backup) return contents(backup);
  return [health(state), updating(state.updates, state.version), keeping(state), help()];
}

/** @param {MachineState} now */
function health(now) {
  return h(
    "section",
    {},
    h("h2", {}, _("How it is")),
    h(
      "ul",
      { class: "sources" },
      now.health.map(({ name, there, text }) =>
        h(
          "li",
          { key: name, class: there ? "right" : "wrong" },
          icon(there ? "right" : "wrong"),
          h("div", {}, h("strong", {}, name), h("p", { class: "quiet" }, text)),
        ),
      ),
    ),
    h("p", { class: "links" }, h("a", { href: "/devices" }, _("Devices")), h("a", { href: "/settings" }, _("Settings"))),
  );
}

/** @param {UpdateState} updates
    @param {string} version */
function updating({ available, from_file: fromFile, versions, result, why }, version) {
  if (!available) return null;
  const before = versions.filter((one) => one !== version);
  return h(
    "section",
    {},
    h("h2", {}, _("Version %(version)s", { version })),
    result === "running"
      ? h("p", { role: "status" }, _("The machine is being updated. That takes some minutes; the pages are away for a while."))
      : [
          result && h("p", { class: "quiet", role: "status" }, RESULTS[result], why && ` (${why})`),
          h("button", { type: "button", class: "secondary", onclick: () => update("update") }, _("Look for a newer version and install it")),
          fromFile &&
            h(
              "label",
              { class: "file-button secondary" },
              _("Install a version from this phone"),
              h("input", { type: "file", class: "unseen", accept: ".update", onchange: (event) => install(event.target.files[0]) }),
            ),
          before.length > 0 &&
            h("button", { type: "button", class: "secondary", onclick: () => update("back") }, _("Go back to the version before")),
        ],
  );
}

/** @param {UpdateRequest["action"]} action */
async function update(action) {
  const reply = await post("/api/update", { action });
  if (!reply.ok) return notice(reply.text || reply.code);
  follow();
}

/** Sends a version and has it installed; the machine checks who has signed it.
    @param {File | undefined} file */
async function install(file) {
  if (!file) return;
  const sent = await uploadFile("update", file, (share) => {
    busy = _("The version is being sent: %(n)s percent", { n: Math.round(share * 100) });
    redraw();
  });
  busy = "";
  redraw();
  if (!sent.ok) return notice(sent.text || sent.code);
  await update("install");
}

/** Asks for the state until the update is over; while the service starts again nothing answers. */
async function follow() {
  do {
    try {
      const response = await fetch("/api/machine", { cache: "no-store", signal: AbortSignal.timeout(5000) });
      if (response.ok) state = await response.json();
    } catch {
      // It starts again.
    }
    redraw();
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
  } while (state?.updates.result === "running");
}

/** @param {MachineState} now */
function keeping({ restored }) {
  return h(
    "section",
    {},
    h("h2", {}, _("Backup")),
    h("p", {}, _("A backup holds games, decks and settings. With it they move to another card or another machine.")),
    h("p", {}, h("a", { class: "secondary", href: "/backup.zip", download: "" }, _("Download a backup"))),
    h(
      "label",
      { class: "file-button secondary" },
      _("Restore a backup"),
      h("input", { type: "file", class: "unseen", accept: ".zip,application/zip", onchange: (event) => send(event.target.files[0]) }),
    ),
    refused && h("p", { class: "wrong-here", role: "alert" }, refused),
    restored && h("p", { class: "quiet" }, outcome(restored)),
  );
}

/** @param {RestoreResult} restored */
function outcome(restored) {
  if (!restored.done) return _("The latest backup was not restored: %(why)s", { why: restored.why });
  return restored.before
    ? _("The latest backup was restored. What was there before is kept in %(folder)s; delete it on the page Stored data.", { folder: restored.before })
    : _("The latest backup was restored.");
}

function help() {
  return h(
    "section",
    {},
    h("h2", {}, _("If something does not work")),
    h("p", {}, _("The report holds versions, findings, settings and the log. It holds no names, no sound, no pictures and no passwords.")),
    h("p", {}, h("a", { class: "secondary", href: "/report.zip", download: "" }, _("Download a report"))),
    !state?.updates.available && h("p", { class: "quiet" }, _("Version %(version)s", { version: state?.version })),
  );
}

/** @param {BackupContents} found */
function contents(found) {
  return [
    h("p", { class: "lead" }, _("Made on %(day)s by version %(version)s.", { day: moment.format(new Date(found.made)), version: found.version })),
    h(
      "ul",
      {},
      h("li", {}, ngettext("%(n)s game", "%(n)s games", found.games)),
      found.players.length > 0 && h("li", {}, listText([...found.players])),
      found.last_game && h("li", {}, _("latest game: %(day)s", { day: moment.format(new Date(found.last_game)) })),
      found.decks.length > 0 && h("li", {}, _("decks: %(names)s", { names: listText([...found.decks]) })),
      found.settings && h("li", {}, _("the settings")),
    ),
    h("p", {}, _("It replaces the games, decks and settings of this machine, which are kept beside them. The companion starts again.")),
  ];
}

/** @returns {(Action | false)[]} */
function actions() {
  if (!backup || busy) return [];
  return [
    { label: _("Keep what is here"), quiet: true, run: () => { backup = null; redraw(); } },
    { label: _("Restore it"), run: restore },
  ];
}

/** @param {File | undefined} file */
async function send(file) {
  if (!file) return;
  refused = "";
  const show = (/** @type {number} */ share) => {
    busy = _("The backup is being sent: %(n)s percent", { n: Math.round(share * 100) });
    redraw();
  };
  show(0);
  const sent = await uploadFile("backup", file, show);
  busy = sent.ok ? _("The backup is being checked.") : "";
  redraw();
  /** @type {Reply<BackupContents>} */
  const reply = sent.ok ? await post("/api/restore/examine", {}) : sent;
  busy = "";
  if (reply.ok) backup = reply;
  else refused = reply.text || reply.code;
  redraw();
}

async function restore() {
  busy = _("The companion starts again. That takes a few seconds.");
  redraw();
  /** @type {Reply<Restarting>} */
  const reply = await post("/api/restore", {});
  const again = reply.ok && (await waitForRestart(reply.run));
  if (again) return location.reload();
  busy = "";
  backup = null;
  notice(reply.ok ? _("The companion has not started again. Load the page in a minute.") : reply.text || reply.code);
  redraw();
}

const redraw = shell(_("This machine"), view, actions);

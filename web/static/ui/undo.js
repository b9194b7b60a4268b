/* Undo: what it takes back is said, in the player's language, before it does so. */

import { h } from "../lib/dom.js";
import { eventHeading, isCountdownTick } from "../lib/event_texts.js";
import { _ } from "../lib/translation.js";
import { runCommand } from "./commands.js";
import { choose } from "./sheet.js";

/** The entry that an undo takes back: the latest that counts, while a game is on without the clock's countdown.
    @param {Snapshot} s
    @returns {LogEntry | null} */
export function undoable(s) {
  const found = [...(s.log ?? [])]
    .reverse()
    .find(
      (entry) =>
        !entry.undone &&
        !entry.rejected &&
        entry.event?.event !== "undone" &&
        (s.winner.length > 0 || !isCountdownTick(entry)),
    );
  return found ?? null;
}

/** What an entry was, as one line.
    @param {LogEntry} entry */
export function entryText(entry) {
  return (entry.text || eventHeading(entry.event)).split("\n")[0];
}

/** Asks before the entry is taken back, with what else followed from it.
    @param {LogEntry} entry */
export function confirmUndo(entry) {
  const followed = [
    ...(entry.text ?? "").split("\n").slice(1),
    ...(entry.verdicts ?? []).map((one) => one.text),
  ].filter(Boolean);
  choose(
    _("Take back: %(what)s?", { what: entryText(entry).replace(/\.$/, "") }),
    [
      { label: _("Take it back"), run: () => runCommand("undo", { n: entry.n }) },
      { label: _("Leave it"), run: () => {} },
    ],
    undefined,
    [...new Set(followed)].map((text) => h("p", { class: "quiet" }, text)),
  );
}

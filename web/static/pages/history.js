/* History: every event of the game with its verdicts and their reasons, by round and trick; what was wrong can be put
   right. A snapshot holds the latest hundred entries; earlier ones are asked for. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { isCountdownTick } from "../lib/event_texts.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { sign } from "../ui/icons.js";
import { shell } from "./parts/page_frame.js";
import { sheet } from "../ui/sheet.js";
import { correctEntry, entryLines, mayCorrect, openCorrections, ruleIds, rulesBehind } from "../forms/corrections.js";
import { remarks } from "./parts/entry_remarks.js";

/** Entries before those of the snapshot, and the snapshot that they belong to.
    @type {{ entries: LogEntry[], seq: number, wanted: boolean }} */
const earlier = { entries: [], seq: -1, wanted: false };

/** @param {Snapshot} s */
function view(s) {
  if (!hasGame(s))
    return h("p", { class: "lead" }, _("Nobody is playing."), " ", h("a", { href: "/past" }, _("Past games")));
  const first = s.log[0]?.n ?? 1;
  if (earlier.wanted && earlier.seq !== s.seq) fetchEarlier(s.seq, first);
  const entries = shownEntries([...earlier.entries.filter((entry) => entry.n < first), ...s.log]).reverse();
  if (entries.length === 0) return h("p", { class: "lead" }, _("Nothing has happened yet."));
  return [
    h("p", { class: "lead" }, referee ? _("The latest first. Tap an entry to put it right.") : _("The latest first.")),
    parts(entries).map((part) => [
      part.title && h("h2", { key: `part-${part.key}` }, part.title),
      h(
        "ol",
        { class: "log", key: `log-${part.key}` },
        part.entries.map((entry) =>
          h("li", { key: entry.n, class: entry.undone ? "undone" : null }, entryLine(s, entry)),
        ),
      ),
    ]),
    first > 1 &&
      !earlier.wanted &&
      h(
        "button",
        { type: "button", class: "secondary wide", onclick: () => showEarlier() },
        _("Show all %(n)s entries", { n: s.log.at(-1)?.n }),
      ),
  ];
}

function showEarlier() {
  earlier.wanted = true;
  redraw();
}

/** @param {number} seq
    @param {number} first */
async function fetchEarlier(seq, first) {
  earlier.seq = seq;
  const reply = await fetch(`/api/log?before=${first}`).then((response) => response.json(), () => null);
  if (!reply?.ok || earlier.seq !== seq) return;
  earlier.entries = reply.entries;
  redraw();
}

/** The entries by round and trick, in their order.
    @param {LogEntry[]} entries
    @returns {{ key: string, title: string, entries: LogEntry[] }[]} */
function parts(entries) {
  /** @type {{ key: string, title: string, entries: LogEntry[] }[]} */
  const found = [];
  for (const entry of entries) {
    const title = partTitle(entry);
    if (found.at(-1)?.title !== title) found.push({ key: `${title}-${entry.n}`, title, entries: [] });
    found.at(-1)?.entries.push(entry);
  }
  return found;
}

/** @param {LogEntry} entry */
function partTitle({ round, trick }) {
  if (round === null || round === undefined) return "";
  return trick
    ? _("Round %(round)s, trick %(trick)s", { round, trick })
    : _("Round %(n)s", { n: round });
}

/** Without the numbers of a countdown, and of several moves taken back one after the other the latest.
    @param {LogEntry[]} log */
function shownEntries(log) {
  const shown = log.filter((entry) => !isCountdownTick(entry));
  /** @param {LogEntry | undefined} entry */
  const isUndo = (entry) => entry?.event?.event === "undone" && !entry.rejected;
  return shown.filter((entry, i) => !(isUndo(entry) && isUndo(shown[i + 1])));
}

/** @param {GameSnapshot} s
    @param {LogEntry} entry */
function entryLine(s, entry) {
  const content = [
    h("span", { class: "n" }, entry.n),
    h(
      "span",
      { class: "what" },
      entry.event?.player && sign(s.game.players, entry.event.player),
      h("span", { class: "story" }, entryLines(entry).map((line) => h("span", {}, line))),
      remarks(entry),
    ),
  ];
  if (mayCorrect(s, entry))
    return h("button", { type: "button", class: "entry", onclick: () => correctEntry(s, entry) }, content);
  if (ruleIds(entry).length > 0)
    return h(
      "button",
      { type: "button", class: "entry", onclick: () => sheet(entryLines(entry)[0], () => rulesBehind(entry)) },
      content,
    );
  return h("div", { class: "entry" }, content);
}

/** Opens the reason, or the corrections, of the entry that the address names. */
function openNamed() {
  const wanted = new URLSearchParams(location.search);
  const s = boot.snapshot;
  const entry = s.log.find((one) => one.n === Number(wanted.get("why") ?? wanted.get("correct")));
  if (!entry || !hasGame(s)) return;
  if (wanted.has("why")) sheet(entryLines(entry)[0], () => [remarks(entry), rulesBehind(entry)]);
  else if (mayCorrect(s, entry)) openCorrections(s, entry, /** @type {GameEvent} */ (entry.event));
}

const redraw = shell(_("History"), view);
queueMicrotask(openNamed); // once the page is drawn

/* History: every event with its verdicts and their reasons; what was wrong can be put right, with a preview. */

import { boot, referee } from "../lib/boot.js";
import { h } from "../lib/dom.js";
import { actionText, fieldQuestion, isCountdownTick, valueText } from "../lib/event_texts.js";
import { post } from "../lib/requests.js";
import { hasGame } from "../lib/snapshot.js";
import { _, listText, ngettext } from "../lib/translation.js";
import { askTable, runCommand } from "../ui/commands.js";
import { icon, sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { shell } from "../ui/page_frame.js";
import { verdictLook } from "../ui/page_parts.js";
import { ruleTexts } from "../ui/rule_texts.js";
import { choose, sheet } from "../ui/sheet.js";
import { playItSo, refusedMove } from "../forms/position_preview.js";
import { editable, editField } from "../forms/field_change.js";

const READINGS = new Set(["display_scanned", "tiles_scored"]);
const BOOKKEEPING = new Set(["undone", "amended", "overruled"]);

/** @param {Snapshot} s */
function view(s) {
  if (!hasGame(s))
    return h(
      "p",
      { class: "lead" },
      _("Nobody is playing."),
      " ",
      h("a", { href: "/past" }, _("Past games")),
    );
  const entries = shownEntries(s.log).reverse();
  if (entries.length === 0) return h("p", { class: "lead" }, _("Nothing has happened yet."));
  return [
    h(
      "p",
      { class: "lead" },
      referee ? _("The latest first. Tap an entry to put it right.") : _("The latest first."),
    ),
    h(
      "ol",
      { class: "log" },
      entries.map((entry) =>
        h("li", { key: entry.n, class: entry.undone ? "undone" : null }, entryLine(s, entry)),
      ),
    ),
  ];
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
      h("span", { class: "story" }, lines(entry).map((line) => h("span", {}, line))),
      entry.undone && h("small", { class: "quiet" }, _("taken back")),
      entry.agreed && h("small", { class: "quiet" }, _("the table counts it: entry %(n)s", { n: entry.agreed })),
      entry.overruled && h("small", { class: "quiet" }, _("the table agreed otherwise")),
      entry.dropped &&
        entry.dropped.length > 0 &&
        h(
          "small",
          { class: "quiet" },
          _("no longer fit: %(which)s", { which: listText(entry.dropped.map((one) => String(one.n))) }),
        ),
      entry.rejected &&
        h(
          "small",
          { class: "verdict unsure" },
          icon("unsure"),
          h(
            "span",
            {},
            _("not accepted: %(why)s", { why: entry.why ?? entry.rejected.replaceAll("_", " ") }),
          ),
        ),
      (entry.verdicts ?? []).map((verdict) =>
        h(
          "small",
          { class: `verdict ${verdictLook(verdict.verdict)}` },
          icon(verdictLook(verdict.verdict) === "note" ? "right" : verdictLook(verdict.verdict)),
          h(
            "span",
            {},
            verdict.text || `${verdict.player}: ${verdict.verdict.replaceAll("_", " ")}`,
          ),
        ),
      ),
    ),
  ];
  const { event } = entry;
  const ownReading = event !== null && READINGS.has(event.event) && event.player === boot.me;
  const bookkeeping = event !== null && BOOKKEEPING.has(event.event);
  const mayAgree = referee && event !== null && refusedMove(s, entry);
  const mayCorrect = mayAgree || ((referee || ownReading) && !entry.undone && event && !bookkeeping);
  if (!mayCorrect && ruleIds(entry).length > 0)
    return h(
      "button",
      { type: "button", class: "entry", onclick: () => sheet(lines(entry)[0], () => behind(entry)) },
      content,
    );
  return mayCorrect
    ? h("button", { type: "button", class: "entry", onclick: () => openCorrections(s, entry, event) }, content)
    : h("div", { class: "entry" }, content);
}

/** Ids of the rules behind an entry, its verdicts and its refusal.
    @param {LogEntry} entry */
function ruleIds(entry) {
  const found = [...(entry.verdicts ?? []).map((one) => one.rule), entry.rule, ...(entry.rules ?? [])];
  return found.filter((id) => id !== undefined && id !== "");
}

/** The rules behind an entry, with their texts.
    @param {LogEntry} entry */
function behind(entry) {
  return ruleTexts(ruleIds(entry));
}

/** What the entry meant, sentence by sentence.
    @param {LogEntry} entry */
function lines(entry) {
  return (entry.text || summary(entry.event)).split("\n");
}

/** @param {GameEvent | null} event */
function summary(event) {
  if (!event) return _("a line that could not be read");
  return [event.player, actionText(event.event)].filter(Boolean).join(" ");
}

/** @param {GameSnapshot} s
    @param {LogEntry} entry
    @param {GameEvent} event */
function openCorrections(s, entry, event) {
  choose(
    lines(entry)[0],
    [
      referee &&
        refusedMove(s, entry) && {
          label: _("We play it so"),
          note: _("the table counts it; first you see what would change"),
          run: () => playItSo(s, entry.n),
        },
      referee &&
        !entry.overruled &&
        (entry.verdicts ?? []).length > 0 && {
          label: _("The table agrees otherwise"),
          note: _("the verdict is set aside"),
          run: () => runCommand("overrule", { n: entry.n }),
        },
      ...editable(event).map((name) => ({
        label: _("Change: %(what)s", { what: fieldTitle(name) }),
        note: valueNote(name, event[name]),
        run: () => editField(s, event, name, (changed) => previewChange(s, entry, changed)),
      })),
      READINGS.has(event.event) && {
        label: _("Read it again"),
        note: _("from a new photo"),
        run: () =>
          location.assign(`/photo?player=${encodeURIComponent(event.player ?? "")}&entry=${entry.n}`),
      },
      referee && {
        label: _("Keep the evidence"),
        note: _("pictures and sound of these seconds, as a file"),
        run: () => keepEvidence(entry.n),
      },
      referee && {
        label: _("Take it out"),
        note: _("as if it had not happened"),
        run: () => previewChange(s, entry, null),
      },
    ].filter(Boolean),
    undefined,
    behind(entry),
  );
}

/** @param {number} n */
async function keepEvidence(n) {
  /** @type {Reply<{ file: string }>} */
  const reply = await post("/api/why", { n });
  notice(reply.ok ? _("Kept in %(file)s.", { file: reply.file }) : reply.text || reply.code);
  if (reply.ok) location.assign(`/evidence/${encodeURIComponent(reply.file.split("/").pop() ?? "")}`);
}

/** What a field is now; a moment is told in seconds since the game began.
    @param {string} name
    @param {JsonValue} value */
function valueNote(name, value) {
  const moment = ["t", "start", "end"].includes(name) && typeof value === "number";
  return moment ? _("second %(n)s of the game", { n: value.toFixed(1) }) : valueText(value);
}

/** @param {string} name */
function fieldTitle(name) {
  return fieldQuestion(name).replace(/\?$/, "").toLowerCase();
}

/** The scores now and after a correction.
    @param {GameSnapshot} s
    @param {Record<string, number>} after */
function scorePreview(s, after) {
  return h(
    "table",
    { class: "preview" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, h("span", { class: "unseen" }, _("Player"))),
        h("th", { scope: "col" }, _("now")),
        h("th", { scope: "col" }, _("then")),
      ),
    ),
    h(
      "tbody",
      {},
      s.game.players.map(({ name }) => {
        const changed = after[name] !== s.scores[name];
        return h(
          "tr",
          { class: changed ? "changed" : null },
          h("th", { scope: "row" }, sign(s.game.players, name), name),
          h("td", {}, s.scores[name] ?? "–"),
          h("td", {}, after[name] ?? "–"),
        );
      }),
    ),
  );
}

/** Shows what the correction would change before it is confirmed.
    @param {GameSnapshot} s
    @param {LogEntry} entry
    @param {GameEvent | null} event */
async function previewChange(s, entry, event) {
  /** @type {Reply<AmendPreview>} */
  const reply = await askTable("amend", { n: entry.n, event, preview: true });
  if (!reply.ok) {
    notice(reply.text || reply.code);
    return;
  }
  const { scores: after, dropped, winner } = reply;
  sheet(_("What would change"), (close) => [
    scorePreview(s, after),
    winner.length > 0 &&
      h(
        "p",
        {},
        ngettext("%(names)s would win.", "%(names)s would win together.", winner.length, {
          names: listText(winner),
        }),
      ),
    dropped.length > 0 && [
      h(
        "p",
        {},
        ngettext("%(n)s later entry no longer fits:", "%(n)s later entries no longer fit:", dropped.length),
      ),
      h(
        "ul",
        { class: "dropped" },
        dropped.map((one) => h("li", {}, `${one.n}. ${one.text} ${one.why}`)),
      ),
    ],
    h(
      "button",
      {
        type: "button",
        class: "primary",
        onclick: () => {
          close();
          runCommand("amend", { n: entry.n, event, preview: false });
        },
      },
      event === null ? _("Take it out") : _("Change it"),
    ),
  ]);
}

shell(_("History"), view);

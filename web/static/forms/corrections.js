/* Correcting an entry of the log: a card is picked at once, everything else is chosen; a preview says what changes. */

import { boot, referee } from "../lib/boot.js";
import { cardOfLabel, labelOfCard } from "../lib/cards.js";
import { h } from "../lib/dom.js";
import { actionText, fieldQuestion, valueText } from "../lib/event_texts.js";
import { post } from "../lib/requests.js";
import { _, listText, ngettext } from "../lib/translation.js";
import { pickCard } from "../ui/card_picker.js";
import { askTable, runCommand } from "../ui/commands.js";
import { sign } from "../ui/icons.js";
import { notice } from "../ui/notice.js";
import { ruleTexts } from "../ui/rule_texts.js";
import { choose, sheet } from "../ui/sheet.js";
import { gameOf } from "../games/index.js";
import { editable, editField } from "./field_change.js";
import { playItSo, refusedMove } from "./position_preview.js";

const READINGS = new Set(["display_scanned", "tiles_scored"]);
const BOOKKEEPING = new Set(["undone", "amended", "overruled"]);

/** Whether this phone may correct an entry.
    @param {GameSnapshot} s
    @param {LogEntry} entry */
export function mayCorrect(s, entry) {
  const { event } = entry;
  if (event === null || !event.event) return false;
  if (referee && refusedMove(s, entry)) return true;
  const own = READINGS.has(event.event) && event.player === boot.me;
  return (referee || own) && !entry.undone && !BOOKKEEPING.has(event.event);
}

/** Corrects an entry: of a played card the card is picked at once, a display opens again, anything else is chosen.
    @param {GameSnapshot} s
    @param {LogEntry} entry */
export function correctEntry(s, entry) {
  const event = /** @type {GameEvent} */ (entry.event);
  if (!entry.rejected && READINGS.has(event.event)) openReading(entry);
  else if (!entry.rejected && referee && event.card !== undefined && gameOf(s).cards(s).length > 0)
    pickCard({
      title: entryLines(entry)[0],
      labels: gameOf(s).cards(s),
      likely: [labelOfCard(event.card)],
      extras: [
        { label: _("Something else was wrong"), run: () => openCorrections(s, entry, event) },
        { label: _("Take it out"), run: () => previewChange(s, entry, null) },
      ],
      below: rulesBehind(entry),
      onPick: (label) =>
        previewChange(s, entry, { ...event, card: typeof event.card === "string" ? label : cardOfLabel(label) }),
    });
  else openCorrections(s, entry, event);
}

/** The page on which a reading is entered, with this one.
    @param {LogEntry} entry */
function openReading({ n, event }) {
  location.assign(`/photo?player=${encodeURIComponent(event?.player ?? "")}&entry=${n}`);
}

/** What the entry meant, sentence by sentence.
    @param {LogEntry} entry */
export function entryLines(entry) {
  return (entry.text || summary(entry.event)).split("\n");
}

/** @param {GameEvent | null} event */
function summary(event) {
  if (!event?.event) return _("a line that could not be read");
  return [event.player, actionText(event.event)].filter(Boolean).join(" ");
}

/** The rules behind an entry, with their texts.
    @param {LogEntry} entry */
export function rulesBehind(entry) {
  return ruleTexts(ruleIds(entry));
}

/** Ids of the rules behind an entry, its verdicts and its refusal.
    @param {LogEntry} entry */
export function ruleIds(entry) {
  const found = [...(entry.verdicts ?? []).map((one) => one.rule), entry.rule, ...(entry.rules ?? [])];
  return found.filter((id) => id !== undefined && id !== "");
}

/** @param {GameSnapshot} s
    @param {LogEntry} entry
    @param {GameEvent} event */
export function openCorrections(s, entry, event) {
  choose(
    entryLines(entry)[0],
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
        run: () => editField(s, entry.n, event, name, (changed) => previewChange(s, entry, changed)),
      })),
      READINGS.has(event.event) && {
        label: _("Open it again"),
        note: _("with its cards, or from a new photo"),
        run: () => openReading(entry),
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
    rulesBehind(entry),
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
  /** @type {Correction} */
  const correction = { n: entry.n, event };
  /** @type {Reply<AmendPreview>} */
  const reply = await askTable("amend", { ...correction, preview: true });
  if (!reply.ok) notice(reply.text || reply.code);
  else if (reply.dropped.length === 0) showPreview(s, correction, reply);
  else askHowItWentOn(s, correction, reply);
}

/** Later entries would no longer fit: what happened at the table is asked, once.
    @param {GameSnapshot} s
    @param {Correction} correction
    @param {AmendPreview} judged the preview with everything judged again */
async function askHowItWentOn(s, correction, judged) {
  /** @type {Correction} */
  const asEntered = { ...correction, rest: "as_entered" };
  /** @type {Reply<AmendPreview>} */
  const kept = await askTable("amend", { ...asEntered, preview: true });
  if (!kept.ok || kept.dropped.length >= judged.dropped.length) {
    showPreview(s, correction, judged);
    return;
  }
  const [first] = judged.dropped;
  choose(_("How did it go on at the table?"), [
    {
      label: _("As entered: %(what)s", { what: String(first.text ?? "").split("\n")[0] }),
      note: _("everything that was entered after it stays"),
      run: () => showPreview(s, asEntered, kept),
    },
    {
      label: _("Otherwise: %(why)s", { why: String(first.why ?? "") }),
      note: ngettext("%(n)s later entry has to be entered anew", "%(n)s later entries have to be entered anew", judged.dropped.length),
      run: () => showPreview(s, correction, judged),
    },
  ]);
}

/** @param {GameSnapshot} s
    @param {Correction} correction
    @param {AmendPreview} preview */
function showPreview(s, correction, { scores: after, dropped, winner }) {
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
          runCommand("amend", { ...correction, preview: false });
        },
      },
      correction.event === null ? _("Take it out") : _("Change it"),
    ),
  ]);
}

/* What came of an entry of a log: refusals, verdicts, and whether it still counts. */

import { h } from "../../lib/dom.js";
import { _, listText } from "../../lib/translation.js";
import { icon } from "../../ui/icons.js";
import { verdictLook } from "../../ui/page_parts.js";

/** What came of an entry.
    @param {LogEntry} entry */
export function remarks(entry) {
  const dropped = (entry.dropped ?? []).map((one) => String(one.n));
  return [
    entry.undone && h("small", { class: "quiet" }, _("taken back")),
    entry.agreed && h("small", { class: "quiet" }, _("the table counts it: entry %(n)s", { n: entry.agreed })),
    entry.overruled && h("small", { class: "quiet" }, _("the table agreed otherwise")),
    dropped.length > 0 && h("small", { class: "quiet" }, _("no longer fit: %(which)s", { which: listText(dropped) })),
    entry.rejected &&
      h(
        "small",
        { class: "verdict unsure" },
        icon("unsure"),
        h("span", {}, _("not accepted: %(why)s", { why: entry.why ?? entry.rejected.replaceAll("_", " ") })),
      ),
    (entry.verdicts ?? []).map((verdict) =>
      h(
        "small",
        { class: `verdict ${verdictLook(verdict.verdict)}` },
        icon(verdictLook(verdict.verdict) === "note" ? "right" : verdictLook(verdict.verdict)),
        h("span", {}, verdict.text || `${verdict.player}: ${verdict.verdict.replaceAll("_", " ")}`),
      ),
    ),
  ];
}

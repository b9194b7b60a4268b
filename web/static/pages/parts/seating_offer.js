/* The game that a tournament has planned for this table: begun with one tap, or declined. */

import { h } from "../../lib/dom.js";
import { _, listText } from "../../lib/translation.js";
import { runCommand } from "../../ui/commands.js";

/** The offer; null without one. The names came from the hub, so they are only shown as text.
    @param {Snapshot} s
    @param {boolean} referee */
export function seatingOffer(s, referee) {
  const planned = s.seating;
  if (!planned) return null;
  const seating = planned.id;
  return h(
    "section",
    { class: "seating-offer", "aria-labelledby": "seating-title", key: `seating-${seating}` },
    h("p", { class: "quiet" }, _("%(tournament)s, round %(n)s", { tournament: planned.tournament, n: planned.round })),
    h("h2", { id: "seating-title" }, planned.title),
    h("p", {}, listText([...planned.players])),
    planned.declined && h("p", { class: "quiet" }, _("Declined")),
    referee &&
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { type: "button", class: "primary", onclick: () => runCommand("begin_seated", { seating }) },
          _("Begin this game"),
        ),
        !planned.declined &&
          h(
            "button",
            { type: "button", class: "secondary", onclick: () => runCommand("decline_seated", { seating }) },
            _("Not now"),
          ),
      ),
  );
}

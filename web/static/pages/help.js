/* What may I do now? The same offers that the referee judges by, as sentences. */

import { h } from "../lib/dom.js";
import { actionText } from "../lib/event_texts.js";
import { offered } from "../lib/offers.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/translation.js";
import { sign } from "../ui/icons.js";
import { shell } from "../ui/page_frame.js";
import { gameOf } from "../games/index.js";

/** @param {Snapshot} s */
function view(s) {
  if (!hasGame(s)) return h("p", { class: "lead" }, _("Nobody is playing. The referee starts a game."));
  if (s.winner.length > 0) return h("p", { class: "lead" }, _("The game is over."));
  const offers = offered(s).filter(isShown);
  const everyone = offers.filter((offer) => !offer.fields.player);
  return [
    h("p", { class: "lead" }, gameOf(s).task(s)),
    h(
      "ul",
      { class: "deeds" },
      s.game.players.map((seat) => {
        const possible = onePerEvent(offers.filter((offer) => offer.fields.player?.values?.includes(seat.name)));
        return h(
          "li",
          { key: seat.name, class: possible.length > 0 ? null : "idle" },
          sign(s.game.players, seat.name),
          h(
            "div",
            {},
            h("strong", {}, seat.name),
            possible.length > 0 ? h("ul", {}, possible.map(actionLine)) : h("p", { class: "quiet" }, _("waits")),
          ),
        );
      }),
    ),
    everyone.length > 0 &&
      h("section", {}, h("h2", {}, _("Anybody")), h("ul", { class: "deeds-all" }, onePerEvent(everyone).map(actionLine))),
  ];
}

/** Time passes by itself, and talk that is nobody's call is no deed.
    @param {EventOffer} offer */
function isShown(offer) {
  if (offer.event === "time_passed") return false;
  return offer.event !== "heard" || (offer.fields.words?.right ?? []).length > 0;
}

/** @param {EventOffer[]} offers */
function onePerEvent(offers) {
  /** @type {Map<string, EventOffer>} */
  const found = new Map();
  for (const offer of offers) if (!found.has(offer.event)) found.set(offer.event, offer);
  return [...found.values()];
}

/** @param {EventOffer} offer */
function actionLine(offer) {
  return h("li", {}, actionText(offer.event), offer.rule && h("small", { class: "quiet" }, offer.rule));
}

shell(_("What may I do now?"), view);

/* What may I do now? The same offers that the referee judges by, as sentences. */

import { h } from "../lib/dom.js";
import { deed } from "../lib/event_texts.js";
import { offered } from "../lib/offers.js";
import { hasGame } from "../lib/snapshot.js";
import { _ } from "../lib/words.js";
import { sign } from "../ui/icons.js";
import { shell } from "../ui/page_frame.js";
import { gameOf } from "../games/index.js";

/** @param {Snapshot} s */
function view(s) {
  if (!hasGame(s)) return h("p", { class: "lead" }, _("Nobody is playing. The referee starts a game."));
  if (s.winner.length > 0) return h("p", { class: "lead" }, _("The game is over."));
  const offers = offered(s).filter(worthSaying);
  const everyone = offers.filter((offer) => !offer.fields.player);
  return [
    h("p", { class: "lead" }, gameOf(s).task(s)),
    h(
      "ul",
      { class: "deeds" },
      s.game.players.map((seat) => {
        const deeds = kinds(offers.filter((offer) => offer.fields.player?.values?.includes(seat.name)));
        return h(
          "li",
          { key: seat.name, class: deeds.length > 0 ? null : "idle" },
          sign(s.game.players, seat.name),
          h(
            "div",
            {},
            h("strong", {}, seat.name),
            deeds.length > 0 ? h("ul", {}, deeds.map(line)) : h("p", { class: "quiet" }, _("waits")),
          ),
        );
      }),
    ),
    everyone.length > 0 &&
      h("section", {}, h("h2", {}, _("Anybody")), h("ul", { class: "deeds-all" }, kinds(everyone).map(line))),
  ];
}

/** Time passes by itself, and talk that is nobody's call is no deed.
    @param {Offer} offer */
function worthSaying(offer) {
  if (offer.event === "time_passed") return false;
  return offer.event !== "heard" || (offer.fields.words?.right ?? []).length > 0;
}

/** @param {Offer[]} offers */
function kinds(offers) {
  /** @type {Map<string, Offer>} */
  const found = new Map();
  for (const offer of offers) if (!found.has(offer.event)) found.set(offer.event, offer);
  return [...found.values()];
}

/** @param {Offer} offer */
function line(offer) {
  return h("li", {}, deed(offer.event), offer.rule && h("small", { class: "quiet" }, offer.rule));
}

shell(_("What may I do now?"), view);

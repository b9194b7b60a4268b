/* What is said about a deck that is being learned: how far it is, what to do next, what its check has found. */

import { h } from "../../lib/dom.js";
import { _, listText, ngettext } from "../../lib/translation.js";

/** How many cards are learned.
    @param {EnrolmentState} state */
export function progress({ labels, missing }) {
  const learned = labels.filter((one) => one.looks > 0).length;
  return h(
    "p",
    { class: "lead", role: "status" },
    labels.length > 0 && missing.length > 0
      ? _("%(n)s of %(of)s cards learned.", { n: learned, of: labels.length })
      : ngettext("%(n)s card learned.", "%(n)s cards learned.", learned),
    missing.length > 0 && missing.length <= 6 && ` ${_("Missing: %(names)s.", { names: listText(missing) })}`,
  );
}

/** How far the recognition of the deck's cards is refined; nothing where there is nothing to say.
    @param {EnrolmentState} state */
export function refinement({ refinement: found, deck }) {
  if (!found || (found.status === "refined" && deck === null)) return null;
  const { step, steps } = found;
  const texts = {
    waiting: _("In a minute I begin to learn to tell these cards apart. You may go on."),
    paused: _("When no game is on the table I learn to tell these cards apart."),
    running:
      steps > 0
        ? _("I am learning to tell these cards apart: %(n)s of %(of)s steps.", { n: step, of: steps })
        : _("I am learning to tell these cards apart."),
    refined: _("I have learned to tell these cards apart."),
    failed: _("Learning to tell these cards apart failed; the log says why. The deck works without it."),
  };
  return h(
    "p",
    { class: "quiet", role: "status" },
    deck === null && `${found.deck}: `,
    texts[found.status],
    found.status === "running" && h("progress", { max: String(steps || 1), value: String(step) }),
  );
}

/** Whether that changes by itself.
    @param {EnrolmentState | undefined} state */
export function isRefining(state) {
  return ["waiting", "paused", "running"].includes(state?.refinement?.status ?? "");
}

/** How a card in the picture is drawn: right, known, unsure or open.
    @param {FoundCard} card */
export function cardState(card) {
  if (card.label) return "right";
  return card.guess ? "known" : card.problem ? "unsure" : "open";
}

/** What is wrong with the picture of a card, in a word or two; nothing if it can be learned well.
    @param {FoundCard} card */
export function problemWord({ problem }) {
  const words = {
    cut_off: _("cut off"),
    unclear: _("unclear"),
    burnt: _("reflection"),
    small: _("too small"),
    blurred: _("blurred"),
  };
  return problem && words[problem];
}

/** The same as a sentence that says what to do.
    @param {FoundCard} card */
export function problemText({ problem }) {
  const texts = {
    cut_off: _("It is cut off by the picture's edge. Move it into the picture."),
    unclear: _("Its outline cannot be seen. Lay it apart from the others, on a ground of another colour."),
    burnt: _("A lamp is mirrored in it. Turn the card or the lamp, and look again."),
    small: _("It is too small in the picture. Bring the camera nearer."),
    blurred: _("It is blurred. Hold the camera still, and look again."),
  };
  return problem && texts[problem];
}

/** Whether a card of the picture can be learned at all.
    @param {FoundCard} card */
export function isLearnable({ problem }) {
  return problem !== "cut_off" && problem !== "unclear";
}

/** Whether a card of the picture waits for its name.
    @param {FoundCard} card */
export function isOpen(card) {
  return !card.label && !card.guess && isLearnable(card);
}

/** What to do next with the cards in the picture.
    @param {FoundCard[]} found */
export function advice(found) {
  if (found.length === 0)
    return _("I see no card. They must lie apart, wholly in the picture, on a ground of another colour.");
  const open = found.filter(isOpen).length;
  if (found.some((card) => card.problem === "small"))
    return _("The cards are too small in the picture. Bring the camera nearer, or take a photo with the phone.");
  if (open > 0) return ngettext("Tap the card to name it.", "Tap a card to name it: %(n)s to go.", open);
  const refused = found.find((card) => !isLearnable(card));
  if (refused) return `${_("Card %(n)s", { n: refused.id + 1 })}: ${problemText(refused)}`;
  if (found.some((card) => card.guess && card.new && !card.label))
    return _("I know these. Another look in other light makes me surer.");
  return _("All of them are learned. Lay down the next ones.");
}

/** What the check of a deck has found.
    @param {DeckProblems} check */
export function findings({ alike, misread, plain, missing, weak, without_detail: withoutDetail }) {
  const notes = [
    missing.length > 8
      ? ngettext("%(n)s card is missing.", "%(n)s cards are missing.", missing.length)
      : missing.length > 0 && _("Missing: %(names)s.", { names: listText(missing) }),
    ...alike.map(([one, other]) => _("%(one)s and %(other)s look too much alike.", { one, other })),
    ...misread.map(([label, , other]) =>
      _("A look of %(label)s looks more like %(other)s. Forget it and learn it anew.", { label, other }),
    ),
    withoutDetail.length > 0 &&
      _("Learned by an earlier version that kept less of a card, better learned again: %(names)s.", {
        names: listText(withoutDetail),
      }),
    plain.length > 0 && _("Too plain to be known once covered: %(names)s.", { names: listText(plain) }),
    weak.length > 0 && _("Learned from poor pictures: %(names)s.", { names: listText(weak) }),
  ].filter(Boolean);
  return h(
    "div",
    { class: notes.length ? "verdict unsure" : "verdict right", role: "status" },
    h("div", {}, notes.length ? notes.map((text) => h("p", {}, text)) : h("p", {}, _("The deck is sound."))),
  );
}

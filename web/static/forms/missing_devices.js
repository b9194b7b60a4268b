/* A new game at a table without camera or microphone: house rules that suit it, and the way back with one tap. */

import { h } from "../lib/dom.js";
import { same } from "../lib/offers.js";
import { _ } from "../lib/translation.js";

/** Setting -> value -> what it means for the table, and what the other value is called.
    @type {Record<string, Record<string, () => [string, string]>>} */
const CHOICES = {
  tracking: {
    scan: () => [
      _("No camera: after each round the displays are photographed with a phone, or counted."),
      _("Follow every card"),
    ],
    tricks: () => [_("Every card is entered by tapping."), _("Score from photos")],
  },
  countdown: {
    companion: () => [_("No microphone: the companion counts down."), _("We count aloud")],
    heard: () => [_("The players count aloud; a phone is tapped for it."), _("The companion counts")],
  },
};

/** House rules to start with where sources are not there.
    @param {PlayableGame} game
    @param {Record<string, SourceState>} sources
    @returns {Record<string, JsonValue>} */
export function settingsWithout(game, sources) {
  const missing = Object.entries(game.without ?? {}).filter(([source]) => !sources[source]?.up);
  return Object.assign({}, ...missing.map(([, settings]) => settings));
}

/** What a missing device means for this game.
    @param {PlayableGame} game
    @param {Record<string, SourceState>} sources
    @param {{ settings: Record<string, JsonValue> }} form
    @param {() => void} redraw */
export function missingDevices(game, sources, form, redraw) {
  return Object.entries(settingsWithout(game, sources)).map(([name, value]) => {
    const usual = game.settings.find((setting) => setting.name === name)?.default;
    const now = form.settings[name] ?? usual;
    const other = same(now, value) ? usual : value;
    const texts = CHOICES[name]?.[String(now)]?.();
    return (
      texts &&
      h(
        "p",
        { class: "without-device", key: `without-${name}` },
        texts[0],
        " ",
        h(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => {
              if (same(other, usual)) delete form.settings[name];
              else form.settings[name] = other;
              redraw();
            },
          },
          texts[1],
        ),
      )
    );
  });
}

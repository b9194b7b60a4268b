/* Who was too slow, where no microphone hears the calls. */

import { h } from "../../lib/dom.js";
import { _ } from "../../lib/translation.js";
import { runCommand } from "../../ui/commands.js";

/** Without a microphone the table says who was too slow; where the players are timed all the same, the way back.
    @param {NastySnapshot} s
    @param {string} name who is to act
    @param {boolean} due whether there is a limit now */
export function timingKeys(s, name, due) {
  if (s.sources?.microphone?.up) return null;
  if (s.paused === "microphone")
    return (
      due &&
      h(
        "button",
        { type: "button", class: "secondary wide", onclick: () => runCommand("too_slow") },
        _("%(name)s was too slow", { name }),
      )
    );
  return (
    s.paused === null &&
    h(
      "button",
      { type: "button", class: "plain", onclick: () => runCommand("stop_timing") },
      _("Do not time the players"),
    )
  );
}

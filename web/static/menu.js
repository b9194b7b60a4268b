/* The menu: every other page, and what only the referee may do. */

import { _ } from "./words.js";
import { choose } from "./sheet.js";
import { offered } from "./offers.js";
import { ask } from "./send.js";
import { canSpeak, setSpeaks, speaks } from "./voice.js";

export function menu(s, ctx) {
  const go = (path) => () => location.assign(path);
  const reads = offered(s).some((offer) => offer.event === "display_scanned");
  choose(
    s.game?.title ?? _("Menu"),
    [
      s.game && { label: _("What may I do now?"), run: go("/help") },
      s.game && {
        label: _("History"),
        note: _("every verdict with its reason; put something right"),
        run: go("/history"),
      },
      reads && { label: _("Score from a photo"), run: go("/photo") },
      {
        label: _("Join"),
        note: ctx.referee
          ? _("the code for other phones")
          : _("the code for other phones, and the referee's PIN"),
        run: go("/join"),
      },
      { label: _("Table view"), note: _("large, for a tablet everybody can see"), run: go("/table") },
      canSpeak && {
        label: speaks() ? _("Let this phone be silent") : _("This phone speaks"),
        note: _("for a table without a loudspeaker"),
        run: () => setSpeaks(!speaks()),
      },
      ctx.referee && { label: _("Learn cards"), note: _("show the camera a deck"), run: go("/enrol") },
      { label: _("Set-up"), note: _("camera, microphone, buttons"), run: go("/setup") },
      ctx.referee && {
        label: _("Devices"),
        note: _("press each button, try buzzer and microphone"),
        run: go("/devices"),
      },
      ctx.referee && { label: _("Voices"), note: _("teach the ears a player's voice"), run: go("/voices") },
      ctx.referee && { label: _("New game"), run: go("/new") },
      ctx.referee &&
        s.game &&
        s.winner.length === 0 && { label: _("End this game"), run: () => confirmEnd() },
    ].filter(Boolean),
  );
}

function confirmEnd() {
  choose(_("End this game without a winner?"), [
    { label: _("End it"), note: _("it stays in the night's history"), run: () => ask("end_game") },
    { label: _("Play on"), run: () => {} },
  ]);
}

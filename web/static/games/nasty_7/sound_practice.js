/* Say it three times: an invented sound is made again, to be known better in other mouths. */

import { h } from "../../lib/dom.js";
import { post } from "../../lib/requests.js";
import { _ } from "../../lib/translation.js";
import { notice } from "../../ui/notice.js";
import { sheet } from "../../ui/sheet.js";

const EVERY_MS = 350;

/** Opens the sheet that listens; it closes when the sound has been made often enough. */
export async function practiseSound() {
  /** @type {Reply<{ left: number, of: number }>} */
  const begun = await post("/api/sound/begin", {});
  if (!begun.ok) return notice(begun.text || begun.code);
  /** @type {{ left: number, of: number }} */
  let now = begun;
  const open = sheet(
    _("Say it three times"),
    () => [
      h("p", { class: "lead" }, _("Make the sound again, as it was made first. The clock waits meanwhile.")),
      h("progress", { max: String(now.of), value: String(now.of - now.left), "aria-label": _("Heard") }),
      h("p", { class: "quiet", role: "status" }, _("%(said)s of %(of)s", { said: now.of - now.left, of: now.of })),
    ],
    () => {
      clearInterval(timer);
      if (now.left > 0) post("/api/sound/stop", {});
    },
  );
  const timer = setInterval(async () => {
    try {
      const reply = await fetch("/api/sound", { cache: "no-store" });
      if (reply.ok) now = await reply.json();
    } catch {
      return; // the connection's own line says that the table does not answer
    }
    if (now.left === 0) {
      open.close();
      notice(_("I know it now."));
    } else open.redraw();
  }, EVERY_MS);
}

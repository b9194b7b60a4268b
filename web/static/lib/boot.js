/* What the server put into the page: who this phone is, and the first snapshot. */

import { lastKnown } from "./last_known.js";

/** @type {Boot} */
export const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
if (boot.snapshot) boot.snapshot = lastKnown(boot.snapshot);
export const referee = boot.role === "referee";

/* What the server put into the page: who this phone is, and the first snapshot. */

/** @type {Boot} */
export const boot = JSON.parse(document.getElementById("boot")?.textContent ?? "{}");
export const referee = boot.role === "referee";

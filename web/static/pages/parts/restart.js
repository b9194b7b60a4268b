/* Waiting until the companion has started again. */

const EVERY_MS = 1000;
const GIVE_UP_MS = 90000;

/** Asks for the settings until another run of the service answers; null: none did in time.
    @param {string} run the run that ends
    @returns {Promise<OwnerSettings | null>} */
export async function waitForRestart(run) {
  const last = performance.now() + GIVE_UP_MS;
  while (performance.now() < last) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    try {
      const response = await fetch("/api/settings", { cache: "no-store", signal: AbortSignal.timeout(5000) });
      const found = response.ok ? await response.json() : null;
      if (found && found.run !== run) return found;
    } catch {
      // It is not there yet.
    }
  }
  return null;
}

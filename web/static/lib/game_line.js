/* A game as one line of text: header and position, to be copied to another table. */

/** @param {GameSnapshot} s
    @returns {string} */
export function gameLine(s) {
  const { name, players, settings } = s.game;
  return JSON.stringify({ game: name, players: players.map((seat) => seat.name), settings, state: s.state });
}

/** The game in a line of text, null if the text is none.
    @param {string} text
    @returns {{ game: string, players: string[], settings: Record<string, JsonValue>,
                position: Record<string, JsonValue> } | null} */
export function readGameLine(text) {
  try {
    const { game, players, settings, state } = JSON.parse(text.trim());
    const whole = typeof game === "string" && Array.isArray(players) && isObject(state);
    return whole ? { game, players: players.map(String), settings: settings ?? {}, position: state } : null;
  } catch {
    return null;
  }
}

/** @param {JsonValue} value */
function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

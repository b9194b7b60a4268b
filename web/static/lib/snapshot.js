/* Asking a snapshot. */

/** Whether a game is on the table.
    @param {Snapshot} s
    @returns {s is GameSnapshot} */
export function hasGame(s) {
  return s.game !== null;
}

-- Version 3: standings are summed from hall_placing alone, by an index.

ALTER TABLE hall_placing ADD COLUMN name TEXT NOT NULL DEFAULT '';     -- as in hall_result
ALTER TABLE hall_placing ADD COLUMN evening TEXT NOT NULL DEFAULT '';  -- as in hall_result
ALTER TABLE hall_placing ADD COLUMN counts INTEGER NOT NULL DEFAULT 0; -- decided and not left out

UPDATE hall_placing SET
    name = (SELECT r.name FROM hall_result r
            WHERE r.table_name = hall_placing.table_name AND r.game = hall_placing.game),
    evening = (SELECT r.evening FROM hall_result r
               WHERE r.table_name = hall_placing.table_name AND r.game = hall_placing.game),
    counts = (SELECT r.decided * (1 - r.left_out) FROM hall_result r
              WHERE r.table_name = hall_placing.table_name AND r.game = hall_placing.game);

CREATE INDEX hall_placing_standings ON hall_placing (counts, player, evening, name, points, won);
CREATE INDEX hall_result_latest ON hall_result (ended);
CREATE INDEX hall_result_rated ON hall_result (name, received);

CREATE TABLE hub_secret (
    secret TEXT NOT NULL          -- signs the session of the organiser's browser
);

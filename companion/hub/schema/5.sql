-- Version 5: what a table forgets is forgotten here, too.

ALTER TABLE hall_table ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;    -- how many series the table has had
ALTER TABLE hall_table ADD COLUMN former TEXT NOT NULL DEFAULT '[]';   -- its earlier series, JSON

-- In which series of its table the row was written.
ALTER TABLE hall_game ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hall_event ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hall_result ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

CREATE TABLE hall_forgotten (
    table_name TEXT NOT NULL,
    game       TEXT NOT NULL,
    PRIMARY KEY (table_name, game)
);

-- Version 2: what the table was asked. Nothing is changed or deleted.

CREATE TABLE question (
    id     INTEGER PRIMARY KEY,
    game   INTEGER NOT NULL REFERENCES game (id),
    at     TEXT NOT NULL,
    n      INTEGER NOT NULL,                       -- number of the log's last entry before the answer
    t      REAL NOT NULL,                          -- time of the game when it was closed
    source TEXT NOT NULL,                          -- the sense that was not sure
    code   TEXT NOT NULL,
    player TEXT,
    about  TEXT NOT NULL,                          -- what lasts and was asked about; may be empty
    answer TEXT,                                   -- null: the table played on, or it was withdrawn
    events INTEGER NOT NULL                        -- entries that it made, from number n + 1 on
) STRICT;

CREATE INDEX question_of_game ON question (game);

CREATE TRIGGER question_is_not_changed BEFORE UPDATE ON question BEGIN
    SELECT RAISE (ABORT, 'the journal is append-only');
END;

CREATE TRIGGER question_is_not_deleted BEFORE DELETE ON question BEGIN
    SELECT RAISE (ABORT, 'the journal is append-only');
END;

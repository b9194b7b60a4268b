-- Version 1. Times of day are UTC, ISO 8601; times of a game are its own seconds. JSON is stored as text.

CREATE TABLE night (
    id      INTEGER PRIMARY KEY,
    started TEXT NOT NULL
) STRICT;

CREATE TABLE game (
    id       INTEGER PRIMARY KEY,
    key      TEXT NOT NULL UNIQUE,                 -- stable for ever: other programs remember the game by it
    night    INTEGER NOT NULL REFERENCES night (id),
    name     TEXT NOT NULL,
    players  TEXT NOT NULL CHECK (json_valid(players)),
    settings TEXT NOT NULL CHECK (json_valid(settings)),
    started  TEXT NOT NULL,
    ended    TEXT,                                 -- null: the game is still on the table
    scores   TEXT CHECK (scores IS NULL OR json_valid(scores)),
    winner   TEXT CHECK (winner IS NULL OR json_valid(winner))
) STRICT;

-- One line for each event that the referee judged, in the order of judging; nothing is changed or deleted.
CREATE TABLE line (
    seq    INTEGER PRIMARY KEY AUTOINCREMENT,
    game   INTEGER NOT NULL REFERENCES game (id),
    n      INTEGER NOT NULL CHECK (n > 0),
    t      REAL NOT NULL,                          -- time of the game when it was judged
    at     TEXT NOT NULL,
    source TEXT NOT NULL,                          -- camera, microphone, buttons, phone, clock
    event  TEXT NOT NULL CHECK (json_valid(event)),
    code   TEXT,                                   -- why it was rejected; null: accepted
    UNIQUE (game, n)
) STRICT;

CREATE TRIGGER line_is_not_changed BEFORE UPDATE ON line BEGIN
    SELECT RAISE (ABORT, 'the journal is append-only');
END;

CREATE TRIGGER line_is_not_deleted BEFORE DELETE ON line BEGIN
    SELECT RAISE (ABORT, 'the journal is append-only');
END;

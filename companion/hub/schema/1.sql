-- Version 1. The same SQL for SQLite and PostgreSQL. Times are UTC, ISO 8601; JSON is stored as text; 0 and 1 are
-- false and true.

CREATE TABLE hall_table (
    name    TEXT PRIMARY KEY,
    online  INTEGER NOT NULL,
    version TEXT NOT NULL,
    series  TEXT NOT NULL,       -- of the table's message numbers
    number  BIGINT NOT NULL,     -- every message up to this one of the series is stored
    head    BIGINT NOT NULL,     -- latest message of the series that is known to exist
    state   TEXT NOT NULL,       -- latest TableState; empty: none yet
    seen    TEXT NOT NULL        -- time of the hub
);

CREATE TABLE hall_game (
    table_name TEXT NOT NULL,
    game       TEXT NOT NULL,
    name       TEXT NOT NULL,
    players    TEXT NOT NULL,
    settings   TEXT NOT NULL,
    started    TEXT NOT NULL,
    PRIMARY KEY (table_name, game)
);

CREATE TABLE hall_event (
    table_name TEXT NOT NULL,
    game       TEXT NOT NULL,
    sequence   BIGINT NOT NULL,
    t          DOUBLE PRECISION NOT NULL,
    at         TEXT NOT NULL,
    source     TEXT NOT NULL,
    event      TEXT NOT NULL,
    code       TEXT,
    PRIMARY KEY (table_name, game, sequence)
);

CREATE TABLE hall_result (
    table_name TEXT NOT NULL,
    game       TEXT NOT NULL,
    sequence   BIGINT NOT NULL,
    name       TEXT NOT NULL,
    started    TEXT NOT NULL,
    ended      TEXT NOT NULL,
    received   TEXT NOT NULL,    -- time of the hub
    evening    TEXT NOT NULL,    -- date on which the evening began
    decided    INTEGER NOT NULL, -- it has a winner
    left_out   INTEGER NOT NULL, -- the organiser does not count it
    PRIMARY KEY (table_name, game)
);

CREATE TABLE hall_placing (
    table_name TEXT NOT NULL,
    game       TEXT NOT NULL,
    player     TEXT NOT NULL,
    seat       INTEGER NOT NULL,
    score      BIGINT,
    place      INTEGER NOT NULL,
    points     INTEGER NOT NULL, -- one for each player finished above
    won        INTEGER NOT NULL,
    PRIMARY KEY (table_name, game, player)
);

CREATE INDEX hall_result_evening ON hall_result (evening);
CREATE INDEX hall_placing_player ON hall_placing (player);

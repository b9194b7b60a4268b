-- Version 2: tournaments. Lists of players and places are JSON; entrants are numbered within their tournament.

CREATE TABLE tournament (
    id      TEXT PRIMARY KEY,
    plan    TEXT NOT NULL,        -- TournamentPlan
    phase   TEXT NOT NULL,        -- registration, closed, running, finished
    created TEXT NOT NULL
);

CREATE TABLE tournament_entrant (
    tournament TEXT NOT NULL,
    number     INTEGER NOT NULL,
    name       TEXT NOT NULL,
    folded     TEXT NOT NULL,     -- the name as it is compared
    pin        TEXT NOT NULL,     -- hash of the PIN; empty: none
    token      TEXT NOT NULL,     -- hash of the secret in the cookie of the player's phone; empty: none
    withdrawn  INTEGER NOT NULL,
    PRIMARY KEY (tournament, number),
    UNIQUE (tournament, folded)
);

CREATE TABLE tournament_round (
    tournament TEXT NOT NULL,
    number     INTEGER NOT NULL,
    stage      TEXT NOT NULL,
    game       TEXT NOT NULL,
    started    TEXT NOT NULL,
    byes       TEXT NOT NULL,
    absent     TEXT NOT NULL,
    PRIMARY KEY (tournament, number)
);

CREATE TABLE tournament_table (
    tournament TEXT NOT NULL,
    round      INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    seating    TEXT NOT NULL,     -- id of the seating and of its game
    version    INTEGER NOT NULL,  -- of the seating
    place      TEXT NOT NULL,     -- name of the table with a companion, or #1
    players    TEXT NOT NULL,
    ranks      TEXT NOT NULL,     -- player -> place in the game; empty: no result
    source     TEXT NOT NULL,     -- table, organiser or empty
    sequence   BIGINT NOT NULL,   -- of the result that counts
    PRIMARY KEY (tournament, round, number)
);

CREATE INDEX tournament_table_place ON tournament_table (place);

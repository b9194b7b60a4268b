-- Version 4: a chain of checksums over everything above, so that damage is found. Nothing is changed or deleted.

CREATE TABLE seal (
    id     INTEGER PRIMARY KEY,
    kind   TEXT NOT NULL,                          -- night, game, result, line, question
    row    INTEGER NOT NULL,                       -- number of the row in its table
    digest BLOB NOT NULL,                          -- of the row's values
    link   BLOB NOT NULL                           -- of the link before it and of this seal
) STRICT;

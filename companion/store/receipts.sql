-- Version 3: replies to commands, so that a command that is sent again counts once.

CREATE TABLE receipt (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    key    TEXT NOT NULL UNIQUE,                   -- the command's Idempotency-Key
    digest TEXT NOT NULL,                          -- of the command and who sent it
    reply  TEXT NOT NULL CHECK (json_valid(reply))
) STRICT;

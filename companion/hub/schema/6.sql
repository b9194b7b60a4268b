-- Version 6: a player whose name a table has forgotten is forgotten in tournaments, too.

ALTER TABLE tournament_entrant ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0; -- another name stands for the own

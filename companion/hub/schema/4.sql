-- Version 4: which messages have arrived after a gap, so that only the missing ones are asked for.

ALTER TABLE hall_table ADD COLUMN beyond TEXT NOT NULL DEFAULT '[]';  -- ranges of numbers, as JSON

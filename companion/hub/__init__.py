"""The hub of a café or a league: many tables, one list of standings."""

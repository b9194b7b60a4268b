"""The catalogues: `<language>/LC_MESSAGES/companion.po`, compiled beside it, for the table and its pages."""

"""Announcements of the table: codes with parameters, and the sentences, rhythms and speech made from them."""

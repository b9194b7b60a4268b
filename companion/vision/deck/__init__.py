"""Enrolled decks: the file, enrolling from pictures, checking, editing, sharing."""

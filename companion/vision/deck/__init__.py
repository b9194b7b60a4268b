"""Enrolled decks: loading, enrolling, checking, editing, sharing."""

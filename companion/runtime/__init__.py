"""The service: built from its configuration, started, watched and stopped."""

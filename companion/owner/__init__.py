"""What the owner of a machine does from a phone: settings, restoring, updates, reports."""

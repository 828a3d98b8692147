"""What the judge's page asks for: the audit trail, the diagnostics, the position to be set."""

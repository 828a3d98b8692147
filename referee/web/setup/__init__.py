"""The first run: the venue's settings, and what each step of setting up finds."""

"""Property groups: what a user sets."""

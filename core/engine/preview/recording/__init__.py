"""A simulation recorded as a motion."""

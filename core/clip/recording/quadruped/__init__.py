"""Recorded motion of four-legged bodies."""

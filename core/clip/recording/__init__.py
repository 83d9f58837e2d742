"""Recorded motion, analyzed into styles."""

"""Footsteps on stepping stones."""

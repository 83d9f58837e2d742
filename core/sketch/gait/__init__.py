"""Gaits: which foot is on the ground when."""

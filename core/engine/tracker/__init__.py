"""Simulated walks in the plane of their path that follow a walk by its phase (Abe 2011)."""

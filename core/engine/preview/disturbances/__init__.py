"""Pushes and projectiles on a simulated body."""

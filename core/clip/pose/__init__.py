"""Poses and sequences of poses."""

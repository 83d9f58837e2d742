"""Poses of styles, key poses and sequences of poses."""

"""Rotations, headings and curves."""

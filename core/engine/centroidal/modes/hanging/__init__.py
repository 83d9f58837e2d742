"""Swinging from bar to bar."""

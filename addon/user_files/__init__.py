"""Styles and presets in the user's folder."""

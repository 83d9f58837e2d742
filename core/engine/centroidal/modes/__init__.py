"""Modes of locomotion: what each sketches and tracks."""

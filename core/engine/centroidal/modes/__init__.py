"""Modes of locomotion: what each sketches, and how plan and full body follow it."""

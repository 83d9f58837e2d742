"""Motions that a network predicts from sketches (Kwon et al. 2020, section 7)."""

"""Footsteps as objects in the scene: shown, edited, solved again."""

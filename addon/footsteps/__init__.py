"""Footsteps as objects in the scene: display, edits and the solution that follows them."""

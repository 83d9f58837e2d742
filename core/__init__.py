"""The headless core: a task in, a motion out; usable without Blender."""

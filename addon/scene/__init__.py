"""Blender's scene read into a task."""

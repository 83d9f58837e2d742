"""Planning processes beside Blender: batch jobs and live drives."""

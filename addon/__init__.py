"""Between Blender's scene and the core: registration, properties, reading, baking, jobs."""

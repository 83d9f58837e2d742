"""Connection between Blender and the core: properties, scene reading, jobs, baking."""

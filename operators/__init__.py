"""One thing each: read the scene, call the core, write the result."""

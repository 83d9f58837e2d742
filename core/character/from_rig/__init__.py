"""Characters from the rest pose of a rig."""

"""Actions, channels, keyframes, curves and rotations: animation data without a plan."""

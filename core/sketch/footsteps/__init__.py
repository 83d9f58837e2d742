"""Places and times of footsteps."""

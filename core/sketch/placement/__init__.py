"""How one foot stands on the ground."""

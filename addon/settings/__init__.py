"""Property groups: the settings of the user."""

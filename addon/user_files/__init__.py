"""Files in the user's folder: styles and presets."""

"""Level 2: contact forces, and the center of mass and orientation that follow from them."""

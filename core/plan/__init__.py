"""Level 2: contact forces, and the centre of mass and orientation that follow from them."""

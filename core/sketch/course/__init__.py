"""The course of the body along its path: the pendulum on a cart."""

"""Contact phases of a simulated biped: their transitions, and what decides on them."""

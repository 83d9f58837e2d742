"""Which bones are legs, arms, spine and head."""

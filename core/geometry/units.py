"""Physical constants, and the size of a human."""

from __future__ import annotations

# Gravity on earth [m/s^2], of recorded clips and of scenes without gravity
STANDARD_GRAVITY = 9.81
# Leg length of a human from hip to sole [m], that of the body `humanoid`
HUMAN_LEG_LENGTH = 0.93

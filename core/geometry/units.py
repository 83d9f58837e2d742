"""Physical constants."""

from __future__ import annotations

# Gravity on earth [m/s^2], of recorded clips and of scenes without gravity
STANDARD_GRAVITY = 9.81

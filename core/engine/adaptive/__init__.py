"""The adaptive engine: torque-driven walking over uneven ground (Wu and Popović 2010)."""

"""Entry of the adaptive engine in the list of engines."""

from __future__ import annotations

from ..base import EngineInfo
from .movement_choice import find_drive_problem, list_shipped_names
from .speeds import compute_drive_speeds, compute_natural_speed, find_speed_range
from .trained_body import find_size

INFO = EngineInfo(
    "adaptive",
    "Adaptive",
    "Simulated: a torque-driven body on two legs that fits its steps to uneven ground, and may "
    "fall. Of styles, only the upper body is used",
    features=frozenset({"facing", "facing_offset", "pushes", "upper_style"}),
    package=__package__ or "",
    driver="AdaptiveDriver",
    is_simulated=True,
    compute_drive_speeds=lambda body, gravity: compute_drive_speeds(find_size(body), gravity),
    compute_natural_speed=lambda body, gravity: compute_natural_speed(find_size(body), gravity),
    find_speed_range=find_speed_range,
    find_drive_problem=lambda: find_drive_problem(list_shipped_names()),
)

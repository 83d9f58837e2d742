"""Name, features and driver of the simulated engine."""

from __future__ import annotations

from ..base import EngineInfo
from .drive_speeds import compute_drive_speeds

INFO = EngineInfo(
    "preview",
    "Simulated",
    "Simulated: a body on two legs finds its steps by itself, stumbles when hit, and may fall. "
    "Styles are not used",
    features=frozenset(
        {
            "facing_offset",
            "forbidden_areas",
            "friction",
            "hop",
            "jumps",
            "projectiles",
            "pushes",
        }
    ),
    package=__package__ or "",
    driver="PreviewDriver",
    jumps_while_moving=True,
    is_simulated=True,
    compute_drive_speeds=compute_drive_speeds,
)

"""What the simulated engine is and honours."""

from __future__ import annotations

from ..base import EngineInfo

FEATURES = frozenset(
    {
        "facing_offset",
        "forbidden_areas",
        "friction",
        "hop",
        "jumps",
        "projectiles",
        "pushes",
    }
)
INFO = EngineInfo(
    "preview",
    "Simulated",
    "Simulated: a body on two legs finds its steps by itself, stumbles when hit, and may fall. "
    "Styles are not used",
    features=FEATURES,
    package=__package__ or "",
    jumps_while_moving=True,
)

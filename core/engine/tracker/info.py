"""Entry of the tracker in the list of engines."""

from __future__ import annotations

from ..base import EngineInfo

INFO = EngineInfo(
    "tracker",
    "Side View",
    "Simulated in the plane of a straight path; a push makes it early or late, not stiff",
    features=frozenset(
        {"style", "mixed_styles", "upper_style", "knobs", "pushes", "yielding_ground"}
    ),
    package=__package__ or "",
    driver="TrackerDriver",
    drives_straight=True,
    is_planar=True,
)

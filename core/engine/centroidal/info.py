"""What the planned engine is and honours."""

from __future__ import annotations

from ..base import EngineInfo
from ..features import ALL_FEATURES

# pushes, jumps and others may still be refused for a body or a combination that cannot have them
FEATURES = ALL_FEATURES - {"projectiles", "hop"}
INFO = EngineInfo(
    "centroidal",
    "Planned",
    "Planned in a style: footsteps, forces and poses",
    features=FEATURES,
    package=__package__ or "",
    can_edit_footsteps=True,
)

"""Entry of the planned engine in the list of engines."""

from __future__ import annotations

from ..base import EngineInfo
from ..features import ALL_FEATURES
from .friction import USABLE_FRICTION_SHARE

INFO = EngineInfo(
    "centroidal",
    "Planned",
    "Planned in a style: footsteps, forces and poses",
    features=ALL_FEATURES - {"projectiles", "hop", "yielding_ground"},
    package=__package__ or "",
    driver="CentroidalDriver",
    can_edit_footsteps=True,
    friction_share=USABLE_FRICTION_SHARE,
)

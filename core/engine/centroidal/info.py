"""Entry of the planned engine in the list of engines."""

from __future__ import annotations

from ...plan.weights import USABLE_FRICTION_SHARE
from ..base import EngineInfo
from ..features import ALL_FEATURES

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

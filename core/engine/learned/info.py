"""Entry of the learned engine in the list of engines."""

from __future__ import annotations

from ..base import EngineInfo
from ..shared.contact_forces import FRICTION_SHARE

INFO = EngineInfo(
    "learned",
    "Fast",
    "Predicted by a network that has learned the motions of the planned engine",
    features=frozenset({"style", "mixed_styles", "upper_style", "knobs", "pushes"}),
    package=__package__ or "",
    driver="LearnedDriver",
    friction_share=FRICTION_SHARE,
)

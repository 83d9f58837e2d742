"""Entry of the adaptive engine in the list of engines."""

from __future__ import annotations

from ..base import EngineInfo

INFO = EngineInfo(
    "adaptive",
    "Adaptive",
    "Simulated: a torque-driven body on two legs that fits its steps to uneven ground, and may "
    "fall. Styles are not used",
    features=frozenset({"pushes"}),
    package=__package__ or "",
    is_simulated=True,
)

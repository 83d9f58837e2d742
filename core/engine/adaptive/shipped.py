"""Controllers that Footfall ships."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from ...errors import TaskError
from .biped import Biped
from .controller_file import TrainedController, load_controller
from .movement_choice import CONTROLLERS_FOLDER, list_shipped_names
from .parameters import GaitParameters, LocomotionParameters

# Sum of the moments of inertia of the upper body with which the controllers were searched [kg m^2]
TRAINED_INERTIA = 5.15


@cache
def load_shipped_gaits() -> dict[str, GaitParameters]:
    """Return the parameters of all controllers by the names of their movements and transitions."""
    return {name: load_shipped_controller(name).gait for name in sorted(list_shipped_names())}


@cache
def load_shipped_controller(name: str = "forward") -> TrainedController:
    """Return a controller by the name of its movement or transition.

    Raises:
        TaskError: there is none.
    """
    path = CONTROLLERS_FOLDER / f"{name}.json"
    if not path.exists():
        raise TaskError(
            f"There is no controller {name!r}; `footfall train adaptive {name}` searches one."
        )
    return load_controller(path)


def fit_gaits(gaits: Mapping[str, GaitParameters], biped: Biped) -> dict[str, GaitParameters]:
    """Return controllers whose upper body turns as stiffly for its inertia as in the search.

    With the coefficients of the search a slender upper body shakes at the control rate, and falls
    within two steps. A heavier one keeps them: stiffer ones shake its pelvis and legs instead.

    Args:
        gaits: parameters of movements and transitions by their names.
        biped: body that they shall move.
    """
    share = float(np.trace(biped.upper_body.inertia)) / TRAINED_INERTIA
    if share >= 1.0:
        return dict(gaits)

    def fit(parameters: LocomotionParameters) -> LocomotionParameters:
        return replace(
            parameters,
            body_turn_stiffness=share * parameters.body_turn_stiffness,
            body_turn_damping=share * parameters.body_turn_damping,
        )

    return {
        name: replace(
            gait, first=fit(gait.first), second=None if gait.second is None else fit(gait.second)
        )
        for name, gait in gaits.items()
    }

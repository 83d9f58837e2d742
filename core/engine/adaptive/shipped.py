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
from .speeds import REFERENCE_LENGTH
from .trained_body import TRAINED


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
    """Return controllers that are no stiffer for a body than for that of the search.

    With the coefficients of the search a slender upper body shakes at the control rate, and so do
    light legs. Heavier ones keep them: stiffer turns of the upper body shake its pelvis and legs.
    Where legs are shorter than in the search, which is so below large heads, feet are lifted less
    and the body sinks less, by the share of the legs' length: their knees bend as in the search.

    Args:
        gaits: parameters of movements and transitions by their names.
        biped: body that they shall move.
    """
    turn = min(float(np.trace(biped.upper_body.inertia)) / TRAINED.turn_inertia, 1.0)
    leg = min(biped.leg_mass / TRAINED.leg_mass, 1.0)
    # Without rounding the body of the search would differ in its last digit
    length = min(round(biped.leg_length / REFERENCE_LENGTH, 5), 1.0)

    def fit(parameters: LocomotionParameters) -> LocomotionParameters:
        return replace(
            parameters,
            body_turn_stiffness=turn * parameters.body_turn_stiffness,
            body_turn_damping=turn * parameters.body_turn_damping,
            ankle_stiffness=leg * parameters.ankle_stiffness,
            ankle_damping=leg * parameters.ankle_damping,
            ankle_lift=leg * parameters.ankle_lift,
            sole_stiffness=leg * parameters.sole_stiffness,
            sole_damping=leg * parameters.sole_damping,
            swing_height_1=length * parameters.swing_height_1,
            swing_height_2=length * parameters.swing_height_2,
            body_height_1=length * parameters.body_height_1,
            body_height_2=length * parameters.body_height_2,
            body_lowering=length * parameters.body_lowering,
        )

    return {
        name: replace(
            gait, first=fit(gait.first), second=None if gait.second is None else fit(gait.second)
        )
        for name, gait in gaits.items()
    }

"""Channels of the controls of a rig in each frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from .control_targets import ControlTargets

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ControlSolverParameters:
    """Tolerances of the bake onto controls.

    Args:
        position_tolerance: displacement of a control below which it gets no keys of its position,
            as a share of the rig's size.
        pole_angle_tolerance: error of a knee about the line from hip to ankle that is left [rad].
        max_pole_passes: most corrections of the poles in a frame. Numerical: each leaves a part of
            the error, and they end below `pole_angle_tolerance`.
        lock_position_warning: error of the position because of a lock above which there is a
            warning, as a share of the rig's size.
        lock_rotation_warning: error of the rotation because of a lock above which there is a
            warning [rad].
    """

    position_tolerance: float = 5e-5
    pole_angle_tolerance: float = float(np.radians(0.02))
    max_pole_passes: int = 4
    lock_position_warning: float = 1e-3
    lock_rotation_warning: float = float(np.radians(0.5))


SOLVER = ControlSolverParameters()


class ControlChannels:
    """Channels of the controls of a rig in each frame.

    Args:
        targets: planned poses of the controls.
        frame_count: number of frames.

    Attributes:
        rotations: rotations by control (n, 3, 3).
        positions: positions by control (n, 3).
        pole_angles: angles of the poles about the line from hip to ankle (n,) [rad].
        lock_position_errors: deviations from the plan because of locks (n,), in units of the rig.
        lock_rotation_errors: deviations from the plan because of locks (n,) [rad].
        initial_bases: channels of the controls at rest, where locks may hold them.
    """

    def __init__(self, targets: ControlTargets, frame_count: int) -> None:
        controls = [link.control for link in targets.links]
        self.rotations = {c: np.empty((frame_count, 3, 3)) for c in controls}
        self.positions = {c: np.empty((frame_count, 3)) for c in controls}
        self.pole_angles = {link.control: np.zeros(frame_count) for link in targets.pole_links}
        self.lock_position_errors = {c: np.zeros(frame_count) for c in controls}
        self.lock_rotation_errors = {c: np.zeros(frame_count) for c in controls}
        self.initial_bases: dict[str, Matrix] = {}

    def list_arrays(self) -> list[Array]:
        """Return all channels and deviations, with a row for each frame."""
        return [
            values
            for values_by_control in (
                self.rotations,
                self.positions,
                self.pole_angles,
                self.lock_position_errors,
                self.lock_rotation_errors,
            )
            for values in values_by_control.values()
        ]

"""Solver for the channels of the controls of a rig."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..rigs.control_rig import ControlLink
from ..rigs.locks import make_lock_warnings
from ..rigs.stage import RigStage
from .control_channels import SOLVER, ControlChannels
from .control_levels import arrange_levels
from .control_targets import ControlTargets
from .level_passes import LevelPasses

Array = NDArray[np.float64]


class ControlSolver:
    """Solver for the channels of the controls in all frames.

    Args:
        targets: planned poses of the controls.
        frame_count: number of frames.

    Attributes:
        channels: the channels, as far as they are solved.
    """

    def __init__(self, targets: ControlTargets, frame_count: int) -> None:
        self.targets = targets
        self.frame_count = frame_count
        self.channels = ControlChannels(targets, frame_count)
        self._is_solved = np.zeros(frame_count, bool)

    def reuse(self, previous: ControlSolver) -> None:
        """Take the frames of another solver for the same rig whose targets are the same."""
        if previous.channels.rotations.keys() != self.channels.rotations.keys():
            return
        count = min(self.frame_count, previous.frame_count)
        is_same = previous._is_solved[:count].copy()
        for here, there in zip(
            self.targets.list_arrays(), previous.targets.list_arrays(), strict=True
        ):
            is_same &= (here[:count] == there[:count]).reshape(count, -1).all(1)
        for here, there in zip(
            self.channels.list_arrays(), previous.channels.list_arrays(), strict=True
        ):
            here[:count][is_same] = there[:count][is_same]
        self._is_solved[:count] = is_same
        self.channels.initial_bases = previous.channels.initial_bases

    def find_pending_frames(self) -> NDArray[np.int64]:
        """Return the frames that are not solved."""
        return np.flatnonzero(~self._is_solved)

    def solve(self, stage: RigStage) -> Iterator[float]:
        """Solve the remaining frames and yield the completed share after each evaluation.

        Args:
            stage: the rig at rest. It may be created anew between evaluations.
        """
        frames = self.find_pending_frames()
        if not len(frames):
            return
        order = stage.compute_order(link.control for link in self.targets.links)
        armature = stage.provide().armature
        levels = arrange_levels(armature, self.targets.links, order)
        self.channels.initial_bases = {
            m.control: armature.pose.bones[m.control].matrix_basis.copy()
            for m in self.targets.links
        }
        yield 0.0
        yield from LevelPasses(self.targets, self.channels, levels, stage).solve(frames)
        self._is_solved[frames] = True

    def get_positions(self, control: str) -> Array:
        """Return the channels of the position of a control (n, 3).

        Controls that barely move stay in place, so that they need no keys of their position.
        """
        positions = self.channels.positions[control]
        displacement = positions - np.array(self.channels.initial_bases[control].translation)
        if (
            np.linalg.norm(displacement, axis=1).max()
            < SOLVER.position_tolerance * self.targets.rig_size
        ):
            return positions - displacement
        return positions

    def find_moved_links(self) -> list[ControlLink]:
        """Return the links whose controls move, or rotate a planned bone; the others stay in
        place.
        """
        return [
            m
            for m in self.targets.links
            if (m.drives_rotation and m.bone in self.targets.planned_bones)
            or is_rotated(self.channels.rotations[m.control])
            or np.abs(self.get_positions(m.control)).max() > 0
        ]

    def find_end_controls(self) -> list[str]:
        """Return the controls that rotate bones without a plan, such as hands."""
        moved_controls = {link.control for link in self.find_moved_links()}
        return [
            m.control
            for m in self.targets.links
            if m.drives_rotation
            and m.bone not in self.targets.planned_bones
            and m.control not in moved_controls
        ]

    def find_lock_warnings(self) -> list[str]:
        """Return warnings about controls that locks keep from the plan."""
        max_position_error = SOLVER.lock_position_warning * self.targets.rig_size
        locked = [
            name
            for name, errors in self.channels.lock_position_errors.items()
            if errors.max() > max_position_error
            or self.channels.lock_rotation_errors[name].max() > SOLVER.lock_rotation_warning
        ]
        return make_lock_warnings(locked)


def is_rotated(rotations: Array) -> bool:
    """Return whether the channels of a control (n, 3, 3) rotate it."""
    return bool(np.abs(rotations - np.eye(3)).max() > SOLVER.pole_angle_tolerance)

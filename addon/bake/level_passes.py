"""Passes over the levels of the controls of a rig, each for all frames at once."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..rigs.control_rig import ControlLink
from ..rigs.stage import RigStage
from .control_channels import SOLVER, ControlChannels
from .control_levels import ControlLevels
from .control_targets import ControlTargets
from .level_poser import LevelPoser
from .level_rig import LevelRig
from .pole_error import find_straight_frames, measure_pole_errors

Array = NDArray[np.float64]
Frames = NDArray[np.int64]
Poses = dict[str, Array]


class LevelPasses:
    """Solver for the channels of controls, level by level, each on the poses of those before.

    Args:
        targets: planned poses of the controls.
        channels: receives the channels.
        levels: levels of the controls.
        stage: the rig at rest.
    """

    def __init__(
        self,
        targets: ControlTargets,
        channels: ControlChannels,
        levels: ControlLevels,
        stage: RigStage,
    ) -> None:
        self._targets = targets
        self._channels = channels
        self._levels = levels
        self._stage = stage
        self._evaluated_count = 0
        self._expected_count = 1

    def solve(self, frames: Frames) -> Iterator[float]:
        """Solve some frames and yield the completed share after each evaluation.

        Where a knee is not as planned, its pole is rotated and the levels from the pole on are
        solved again.
        """
        evaluations = len(self._levels.links) - 1 + 2 * bool(self._targets.pole_links)
        self._expected_count = max(evaluations * len(frames), 1)
        for angles in self._channels.pole_angles.values():
            angles[frames] = 0.0
        first = 0
        for _ in range(SOLVER.max_pole_passes):
            frames = yield from self._pose_levels(frames, first, checks_knees=True)
            if not len(frames):
                return
            first = self._levels.first_pole
        yield from self._pose_levels(frames, first, checks_knees=False)

    def _pose_levels(
        self, frames: Frames, first: int, checks_knees: bool
    ) -> Generator[float, None, Frames]:
        """Pose the controls from a level on, and return the frames of which a pole was rotated;
        these are left there.
        """
        links = self._levels.links
        has_poles = checks_knees and bool(self._targets.pole_links)
        wrong_frames: list[Frames] = []
        for level in range(first, len(links)):
            shows_knees = has_poles and level == self._levels.knees
            poses = yield from self._evaluate(frames, level, shows_knees)
            if shows_knees:
                is_bent = ~find_straight_frames(self._targets, frames)
                is_wrong = self._correct_poles(frames, poses, is_bent)
                wrong_frames.append(frames[is_wrong])
                frames = frames[~is_wrong]
                poses = {name: matrices[~is_wrong] for name, matrices in poses.items()}
            if not len(frames):
                break
            poser = LevelPoser(self._targets, self._channels, self._stage, self._levels.rigid_bones)
            poser.pose(links[level], frames, poses)
        if self._levels.knees < len(links):
            frames = frames[find_straight_frames(self._targets, frames)]
        if has_poles and len(frames):
            poses = yield from self._evaluate(frames, len(links), shows_knees=True)
            is_wrong = self._correct_poles(frames, poses, np.ones(len(frames), bool))
            wrong_frames.append(frames[is_wrong])
        return np.sort(np.concatenate([np.empty(0, int), *wrong_frames]))

    def _evaluate(
        self, frames: Frames, level: int, shows_knees: bool
    ) -> Generator[float, None, Poses]:
        """Return the poses (n, 4, 4) of the bones that the controls of a level depend on, and of
        shins if they are to show the knees.
        """
        links = self._levels.links[level] if level < len(self._levels.links) else ()
        read_bones = self._list_read_bones(links, shows_knees)
        if level == 0:
            pose_bones = self._stage.provide().armature.pose.bones
            rest = {name: np.array(pose_bones[name].matrix) for name in read_bones}
            return {name: np.tile(matrix, (len(frames), 1, 1)) for name, matrix in rest.items()}
        posed = [link.control for links in self._levels.links[:level] for link in links]
        level_rig = LevelRig(
            self._stage,
            read_bones,
            {name: self._channels.rotations[name][frames] for name in posed},
            {name: self._channels.positions[name][frames] for name in posed},
        )
        for _ in level_rig.evaluate():
            self._evaluated_count += 1
            yield min(self._evaluated_count / self._expected_count, 1.0)
        return level_rig.poses

    def _list_read_bones(self, links: Sequence[ControlLink], shows_knees: bool) -> list[str]:
        """Return the bones whose poses decide the channels of controls: their parents, and the
        controls that roll about the axis that the rig gives them.
        """
        pose_bones = self._stage.provide().armature.pose.bones
        names = [link.control for link in links if link.drives_roll]
        for link in links:
            names += [bone.name for bone in pose_bones[link.control].parent_recursive]
        if shows_knees:
            names += [link.pole_bones[0] for link in self._targets.pole_links if link.pole_bones]
        return list(dict.fromkeys(names))

    def _correct_poles(
        self, frames: Frames, poses: Poses, is_checked: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Rotate the poles about the line from hip to ankle by the errors of their knees.

        Args:
            is_checked: frames that show where the knees are (n,).

        Returns:
            The frames of which a pole was rotated, as a mask (n,).
        """
        is_wrong = np.zeros(len(frames), bool)
        for link in self._targets.pole_links:
            assert link.pole_bones is not None
            errors = measure_pole_errors(self._targets, link, poses[link.pole_bones[0]], frames)
            is_large = is_checked & (np.abs(errors) > SOLVER.pole_angle_tolerance)
            self._channels.pole_angles[link.control][frames[is_large]] += errors[is_large]
            is_wrong |= is_large
        return is_wrong

"""Planned poses of the controls of a rig."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ..rigs.control_rig import ControlLink, RigControls
from ..rigs.deform_poses import DeformPoses, compute_knee_offset
from ..rigs.locks import has_locks
from .hinge_controls import align_hinges

Array = NDArray[np.float64]

# Least distance of a knee from the line from hip to ankle at which it defines a plane of bending,
# as a share of the length of the line
MIN_KNEE_BEND = 0.02


class ControlTargets:
    """Planned poses of the controls of a rig in each frame.

    Args:
        armature: the rig.
        rig_controls: its controls.
        binding: relation of links to bones.
        deform_poses: planned poses of its deform bones.
        root_trajectory: transforms of its root control (n, 4, 4); None if that stays at rest.

    Attributes:
        links: one link for each control.
        locked_controls: controls with locked channels.
        rotations: planned orientations by control (n, 3, 3).
        positions: planned positions by control (n, 3).
        planned_bones: deform bones with a plan.
        pole_links: the links of poles.
        rig_size: largest extent of the rig at rest.

    Raises:
        CharacterError: the rig has no root control.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        rig_controls: RigControls,
        binding: Binding,
        deform_poses: DeformPoses,
        root_trajectory: Array | None,
    ) -> None:
        self.deform_poses = deform_poses
        self.planned_bones = {*binding.bones, *binding.rest_bones}
        self.links = self._select_links(rig_controls, binding)
        self.rotations = {
            m.control: deform_poses.compute_control_orientation(m.bone, m.control)
            for m in self.links
        }
        self.positions = {
            m.control: deform_poses.compute_control_position(m.bone, m.control) for m in self.links
        }
        align_hinges(
            armature,
            [link.control for link in self.links if link.drives_rotation],
            self.rotations,
            rest_matrices=deform_poses.rest_matrices,
        )
        if root_trajectory is not None:
            self._add_root(armature, rig_controls, binding, root_trajectory)
        self.locked_controls = frozenset(
            link.control for link in self.links if has_locks(armature.pose.bones[link.control])
        )
        self.rig_size = float(
            np.ptp([m[:3, 3] for m in deform_poses.rest_matrices.values()], axis=0).max()
        )
        self.pole_links = [m for m in self.links if m.pole_bones]

    def _select_links(self, rig_controls: RigControls, binding: Binding) -> list[ControlLink]:
        """Return one link for each control, with a planned bone if the control has one."""
        orientations = self.deform_poses.orientations
        candidates = [
            rig_controls.body_link,
            *(
                m
                for m in rig_controls.links
                if m.bone in (orientations if m.drives_rotation else self.planned_bones)
            ),
        ]
        link_by_control = {
            m.control: m for m in sorted(candidates, key=lambda m: m.bone in binding.bones)
        }
        return [link_by_control[name] for name in dict.fromkeys(m.control for m in candidates)]

    def _add_root(
        self,
        armature: bpy.types.Object,
        rig_controls: RigControls,
        binding: Binding,
        root_trajectory: Array,
    ) -> None:
        """Add the root control, which follows the trajectory.

        Raises:
            CharacterError: the rig has no root control.
        """
        root_name = rig_controls.control_rig.root_control
        if root_name not in armature.pose.bones:
            raise CharacterError(
                f"The {rig_controls.control_rig.name} rig {armature.name!r} has no bone "
                f"{root_name!r} that could move over the ground. Choose another Root Motion."
            )
        self.links.insert(0, ControlLink(binding.bones[0], root_name))
        root_matrices = root_trajectory @ self.deform_poses.rest_matrices[root_name]
        self.rotations[root_name] = root_matrices[:, :3, :3]
        self.positions[root_name] = root_matrices[:, :3, 3]

    def list_bones(self) -> set[str]:
        """Return the controls, and the bones that show where a knee is."""
        return {link.control for link in self.links} | {
            bone for link in self.pole_links for bone in link.pole_bones or ()
        }

    def list_arrays(self) -> list[Array]:
        """Return everything on which the channels in a frame depend, with a row for each frame."""
        knee_bones = [
            name for link in self.pole_links for name in (link.bone, *(link.pole_bones or ()))
        ]
        return [
            *self.rotations.values(),
            *self.positions.values(),
            *(self.deform_poses.heads[name] for name in knee_bones),
            *(self.deform_poses.orientations[name] for name in knee_bones),
        ]

    def check_knee_direction(self) -> None:
        """Check that every leg posed by its foot bends in the same direction as at rest.

        Raises:
            CharacterError: a leg bends in the opposite direction, which inverse kinematics cannot
                reach.
        """
        for link in self.pole_links:
            bones = (link.bone, *link.pole_bones)
            hip, knee, ankle = (self.deform_poses.heads[name] for name in bones)
            offset = compute_knee_offset(hip, knee, ankle)
            rest_offset = self.deform_poses.rest_matrices[link.bone][
                :3, :3
            ].T @ compute_knee_offset(
                *(self.deform_poses.rest_matrices[name][:3, 3] for name in bones)
            )
            is_bent = np.linalg.norm(offset, axis=1) > MIN_KNEE_BEND * np.linalg.norm(
                ankle - hip, axis=1
            )
            if (
                is_bent
                & (((self.deform_poses.orientations[link.bone] @ rest_offset) * offset).sum(1) < 0)
            ).any():
                raise CharacterError(
                    f"The knee of {link.bone!r} bends in the opposite direction in the plan than "
                    "at rest, which inverse kinematics cannot follow. Choose FK under Controls."
                )

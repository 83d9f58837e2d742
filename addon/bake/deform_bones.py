"""Keys of a motion on deform bones: a rotation for each bone, and a location for the root bone."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, BonePoses
from ...core.errors import CharacterError
from ...core.geometry import so3
from ..animation.action_builder import KeySink
from ..animation.rotations import get_channel_name, to_channels
from ..rigs.constraints import ExpectedPose
from ..rigs.control_rig import ControlRig
from ..rigs.locks import get_channel_locks
from .root_motion import find_root_bone, key_object, key_root

Array = NDArray[np.float64]

# Error of a locked channel above which there is a warning, in units of the channel
LOCK_WARNING_TOLERANCE = 1e-3


class BoneBaker:
    """Bake of a motion onto deform bones, in the space of the armature."""

    def __init__(
        self,
        armature: bpy.types.Object,
        binding: Binding,
        poses: BonePoses,
        placement: Array,
        key_sink: KeySink,
        frames: Array,
    ) -> None:
        self.armature = armature
        self.binding = binding
        self.key_sink = key_sink
        self.frames = frames
        rotation = placement[:3, :3] / np.cbrt(np.linalg.det(placement[:3, :3]))
        world_orientations = so3.quat_to_matrix(poses.orientation)  # (n, b, 3, 3)
        self.planned_orientations = dict(
            zip(poses.names, np.moveaxis(rotation.T @ world_orientations, 1, 0), strict=True)
        )
        to_armature = np.linalg.inv(placement)
        # (n, 3) of the root bone
        self.root_head = poses.root_position @ to_armature[:3, :3].T + to_armature[:3, 3]
        self.rest_matrices = {b.name: np.array(b.matrix_local) for b in armature.data.bones}
        self.planned_heads = {
            name: positions @ to_armature[:3, :3].T + to_armature[:3, 3]
            for name, positions in poses.head_positions.items()
        }
        self.locked_bones: list[str] = []  # bones that locks keep from the plan
        self.orientations: dict[str, Array] = {}  # orientations of posed bones, (n or 1, 3, 3)
        self.heads: dict[str, Array] = {}  # heads of posed bones, (n or 1, 3)

    def split_root_motion(
        self, root_trajectory: Array, root_motion: str, control_rig: ControlRig | None
    ) -> list[str]:
        """Move the motion over the ground from the body to the root bone or the object, and key
        that.

        The root of a control rig gets its keys with the other controls, which may or may not depend
        on it.

        Returns warnings for the user.

        Raises:
            CharacterError: the armature has no root bone that can move by itself.
        """
        if root_motion == "ROOT" and control_rig is not None:
            return []
        root_bone = find_root_bone(self.armature, self.binding) if root_motion == "ROOT" else None
        if root_bone is not None and root_bone.name == self._find_location_bone().name:
            raise CharacterError(
                f"The bone {self.binding.bones[0]!r} is connected to the root bone "
                f"{root_bone.name!r} and cannot move against it; switch off Connected in its bone "
                "properties."
            )
        inverse_trajectory = np.linalg.inv(root_trajectory)
        self.planned_orientations = {
            name: inverse_trajectory[:, :3, :3] @ orientations
            for name, orientations in self.planned_orientations.items()
        }
        self.root_head = _transform_points(inverse_trajectory, self.root_head)
        self.planned_heads = {
            name: _transform_points(inverse_trajectory, positions)
            for name, positions in self.planned_heads.items()
        }
        if root_bone is not None:
            return key_root(
                self.armature,
                root_bone,
                self.key_sink,
                frames=self.frames,
                root_trajectory=root_trajectory,
            )
        return (
            key_object(self.armature, self.key_sink, self.frames, root_trajectory)
            if root_motion == "OBJECT"
            else []
        )

    def bake(self) -> int:
        """Key every bone, parents before children, and return their number."""
        baked_bones = [
            b
            for b in self.armature.data.bones
            if b.name in self.planned_orientations or b.name in self.binding.rest_bones
        ]
        for bone in baked_bones:
            base_orientation = self._compute_base_orientation(bone)
            local_rotation = (
                np.swapaxes(base_orientation, 1, 2) @ self.planned_orientations[bone.name]
                if bone.name in self.planned_orientations
                else np.eye(3)[None]
            )
            self.orientations[bone.name] = base_orientation @ local_rotation
            self._key_rotation(bone.name, local_rotation)
            self.heads[bone.name] = self._compute_head(bone)
        location_bone = self._find_location_bone()
        for bone in baked_bones:
            if bone.name not in self.planned_heads:
                self._key_at_rest(bone.name, location_bone.name)
        self._key_location(location_bone)
        return len(baked_bones)

    def to_expected_pose(
        self, meters_per_unit: float, root_trajectory: Array | None
    ) -> ExpectedPose:
        """Return the planned poses of the bones.

        Args:
            meters_per_unit: length of a unit of the armature [m].
            root_trajectory: transforms of a root bone that moves the other bones (n, 4, 4); None
                without one.
        """
        if root_trajectory is None:
            return ExpectedPose(self.orientations, self.heads, meters_per_unit)
        return ExpectedPose(
            {
                name: root_trajectory[:, :3, :3] @ orientations
                for name, orientations in self.orientations.items()
            },
            {name: _transform_points(root_trajectory, heads) for name, heads in self.heads.items()},
            meters_per_unit,
        )

    def _compute_base_orientation(self, bone: bpy.types.Bone) -> Array:
        """Return the orientation of a bone whose channels are at rest, (n or 1, 3, 3)."""
        rest = self.rest_matrices[bone.name][:3, :3]
        if bone.parent is None or not bone.use_inherit_rotation:
            return rest[None]
        if bone.parent.name in self.orientations:
            parent = self.orientations[bone.parent.name]
        else:
            parent = _extract_rotation(self.armature.pose.bones[bone.parent.name].matrix)[None]
        return parent @ (self.rest_matrices[bone.parent.name][:3, :3].T @ rest)

    def _compute_head(self, bone: bpy.types.Bone) -> Array:
        """Return the head of a posed bone (n or 1, 3), and key its location if the plan moves
        it.
        """
        if bone.name == self.binding.bones[0]:
            return self.root_head
        rest = self.rest_matrices[bone.name]
        if bone.parent is None:
            parent_orientation = np.eye(3)[None]
            parent_head = np.zeros((1, 3))
            offset = rest[:3, 3]
        else:
            parent_inverse = np.linalg.inv(self.rest_matrices[bone.parent.name])
            rest, offset = parent_inverse @ rest, (parent_inverse @ rest)[:3, 3]
            if bone.parent.name in self.orientations:
                parent_orientation = self.orientations[bone.parent.name]
                parent_head = self.heads[bone.parent.name]
            else:
                pose = np.array(self.armature.pose.bones[bone.parent.name].matrix)
                parent_orientation = pose[None, :3, :3]
                parent_head = pose[None, :3, 3]
        attached_head = parent_head + parent_orientation @ offset
        if bone.name not in self.planned_heads:
            return attached_head
        if bone.use_connect:
            raise CharacterError(
                f"The bone {bone.name!r} must move separately but is connected to its parent; "
                "switch off Connected in its bone properties."
            )
        displacement = (
            np.linalg.inv(parent_orientation)
            @ (self.planned_heads[bone.name] - attached_head)[..., None]
        )
        self._key(bone.name, "location", (rest[:3, :3].T @ displacement)[..., 0])
        return self.planned_heads[bone.name]

    def _key(self, name: str, channel: str, values: Array) -> None:
        """Key the unlocked channels; locked ones keep their values."""
        bone = self.armature.pose.bones[name]
        locked = get_channel_locks(bone, channel)
        current = np.array(getattr(bone, channel))
        if (
            any(np.abs(values[:, k] - current[k]).max() > LOCK_WARNING_TOLERANCE for k in locked)
            and name not in self.locked_bones
        ):
            self.locked_bones.append(name)
        self.key_sink.add(
            f'pose.bones["{bpy.utils.escape_identifier(name)}"].{channel}',
            name,
            self.frames[: len(values)],
            values,
            skip=locked,
        )

    def _key_rotation(self, name: str, local_rotation: Array) -> None:
        mode = self.armature.pose.bones[name].rotation_mode
        self._key(name, get_channel_name(mode), to_channels(local_rotation, mode))

    def _key_at_rest(self, name: str, location_bone: str) -> None:
        """Key scale and location of a bone at rest if they differ from it now, as the plan
        assumes.
        """
        bone = self.armature.pose.bones[name]
        if np.abs(np.array(bone.scale) - 1).max() > 1e-6:
            self._key(name, "scale", np.ones((1, 3)))
        if name != location_bone and np.abs(np.array(bone.location)).max() > 1e-9:
            self._key(name, "location", np.zeros((1, 3)))

    def _find_location_bone(self) -> bpy.types.Bone:
        """Return the root bone, or its nearest parent that is free to move."""
        carrier = self.armature.data.bones[self.binding.bones[0]]
        while carrier.use_connect and carrier.parent is not None:
            carrier = carrier.parent
        return carrier

    def _key_location(self, location_bone: bpy.types.Bone) -> None:
        """Key the location that brings the head of the root bone to its planned position."""
        root_bone = self.armature.data.bones[self.binding.bones[0]]
        head = self.root_head
        if location_bone.name != root_bone.name:
            pose_bones = self.armature.pose.bones
            head = head + np.array(
                pose_bones[location_bone.name].matrix.translation
                - pose_bones[root_bone.name].matrix.translation
            )
        pose_bone = self.armature.pose.bones[location_bone.name]
        parent = location_bone.parent
        rest = location_bone.matrix_local
        parent_matrices = (
            {}
            if parent is None
            else {
                "parent_matrix": pose_bone.parent.matrix,
                "parent_matrix_local": parent.matrix_local,
            }
        )
        origin_matrix = location_bone.convert_local_to_pose(
            Matrix.Identity(4), rest, **parent_matrices
        )
        # With the rotation at rest, a location is a displacement along fixed axes: converting unit
        # steps gives the linear map.
        axes = np.column_stack(
            [
                np.array(
                    location_bone.convert_local_to_pose(
                        Matrix.Translation(step), rest, **parent_matrices
                    ).translation
                    - origin_matrix.translation
                )
                for step in np.eye(3).tolist()
            ]
        )
        locations = (head - np.array(origin_matrix.translation)) @ np.linalg.inv(axes).T
        self._key(location_bone.name, "location", locations)


def _transform_points(transforms: Array, points: Array) -> Array:
    """Return points (n, 3), each moved by its transform (n, 4, 4)."""
    transformed: Array = (transforms[:, :3, :3] @ points[..., None])[..., 0] + transforms[:, :3, 3]
    return transformed


def _extract_rotation(matrix: Matrix) -> Array:
    rotation = np.array(matrix)[:3, :3]
    return rotation / np.linalg.norm(rotation, axis=0)

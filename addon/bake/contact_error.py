"""Errors of contact points as an armature plays an action with fewer keys."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.motion import Motion
from ..animation.action_builder import CurveId, PendingKeys
from ..animation.channels import curves_of
from ..animation.duplicate import ArmatureDuplicate
from ..animation.keyframes import Keys, write_keys
from ..animation.sampling import IsolatedPlayback, sample_poses
from ..references import ArmatureReference
from ..rigs.dependencies import collect_evaluated_bones
from ..units import read_unit_scale
from .bone_filter import find_contact_links
from .options import BakeOptions
from .root_motion import compute_root_trajectory

Array = NDArray[np.float64]
FRAMES_A_PAUSE = 8  # frames that are played between two pauses, on most rigs within a slice
# Allowed error of a point in the air as a share of its distance from the nearest contact
SWING_TOLERANCE_SHARE = 0.1


class BoneContactPoints:
    """Contact points of a motion, each fixed to a bone.

    Args:
        placement: transform from the armature to the motion (4, 4).
        root_motion: what moves over the ground, one of `root_motion.ROOT_MOTION_MODES`.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        motion: Motion,
        binding: Binding,
        placement: Array,
        root_motion: str,
    ) -> None:
        self.armature = armature
        self.motion = motion
        self.binding = binding
        self.placement = placement
        self.root_motion = root_motion
        self.initial_matrix = np.array(armature.matrix_world)  # before the bake moves it

    def find_bones(self) -> list[str]:
        """Return the bone that each point is fixed to (c,)."""
        out = []
        for link, name in zip(
            find_contact_links(self.motion), self.motion.contact_names, strict=True
        ):
            link_bones = [
                b for b in range(len(self.binding.bones)) if self.binding.link_index[b] == link
            ]
            # for the tip of a toe prefer toe bones, for other points foot bones
            link_bones.sort(key=lambda b: (self.binding.toe_leg[b] >= 0) != name.endswith("/tip"))
            out.append(self.binding.bones[link_bones[0]] if link_bones else self.binding.bones[0])
        return out

    def compute_positions(self) -> Array:
        """Return the planned positions in Blender's world (n, c, 3)."""
        to_armature = np.linalg.inv(self.placement)
        positions = self.motion.contact_position @ to_armature[:3, :3].T + to_armature[:3, 3]
        if self.root_motion == "PLACE":
            root_trajectory = np.linalg.inv(
                compute_root_trajectory(self.armature, self.motion, self.binding, self.placement)
            )
            positions = (root_trajectory[:, None, :3, :3] @ positions[..., None])[
                ..., 0
            ] + root_trajectory[:, None, :3, 3]
        return np.asarray(positions @ self.initial_matrix[:3, :3].T + self.initial_matrix[:3, 3])

    def compute_limits(self, options: BakeOptions, in_range: NDArray[np.bool_]) -> Array:
        """Return the allowed error of each point in each frame [m], (n, c).

        It is smallest while the point touches and grows with the distance to the nearest contact.
        """
        active = self.motion.contact_active[in_range]
        positions = self.motion.contact_position[in_range]
        distances = np.full(active.shape, np.inf)
        for c in range(active.shape[1]):
            touching = np.flatnonzero(active[:, c])
            if len(touching):
                insertion = np.searchsorted(touching, np.arange(len(positions)))
                # (2, n)
                neighbors = touching[
                    np.clip(np.stack([insertion - 1, insertion]), 0, len(touching) - 1)
                ]
                distances[:, c] = np.linalg.norm(
                    positions[neighbors, c] - positions[:, c], axis=-1
                ).min(0)
        # half the tolerance to either side: the contact moves by at most the tolerance
        return np.minimum(
            0.5 * options.feet + np.where(active, 0.0, SWING_TOLERANCE_SHARE * distances),
            max(options.body, 0.5 * options.feet),
        )


class ContactErrorProbe:
    """Contact points on a duplicate of the armature, whose curves may be changed.

    The duplicate is created when it is needed, and created anew if undo or a file removed it.

    Args:
        contact_points: contact points of the motion.
        pending_keys: all keys of the bake.
        frames: frames of the scene (n,).
        in_range: mask of the frames of the motion that are baked.
        limits: allowed errors (n, c), from `BoneContactPoints.compute_limits`.
    """

    def __init__(
        self,
        contact_points: BoneContactPoints,
        pending_keys: PendingKeys,
        frames: Array,
        in_range: NDArray[np.bool_],
        limits: Array,
    ) -> None:
        self.frames = frames
        self.limits = limits
        self.meters_per_unit = read_unit_scale(bpy.context.scene)
        self.bones = contact_points.find_bones()
        self.unique_bones = list(dict.fromkeys(self.bones))
        self.bone_indices = [self.unique_bones.index(name) for name in self.bones]
        self.planned_positions = contact_points.compute_positions()[in_range]
        self.local_positions: Array = np.empty(0)
        self._reference = ArmatureReference(contact_points.armature)
        self._kept_bones = collect_evaluated_bones(contact_points.armature, self.unique_bones)
        self._keys = {
            curve_id: channel_keys.build_keys()
            for curve_id, channel_keys in pending_keys.channels.items()
        }
        self._pending_keys = pending_keys
        self._changed: set[CurveId] = set()
        self._duplicate: ArmatureDuplicate | None = None

    def measure_plan(self) -> Iterator[None]:
        """Place the contact points on the bones as planned; the keys must be those of the plan."""
        poses = yield from self._sample(self.frames)
        self.local_positions = (
            np.linalg.inv(poses[:, self.bone_indices])
            @ _to_homogeneous(self.planned_positions)[..., None]
        )

    def set_keys(self, curve_id: CurveId, keys: Keys) -> None:
        """Replace the keys of a curve."""
        self._keys[curve_id] = keys
        self._changed.add(curve_id)

    def measure_relative_errors(self, times: Array) -> Generator[None, None, Array]:
        """Return the errors of the points as shares of their limits at times in frames from the
        first one, (m,) -> (m, c); values above 1 are too large.
        """
        poses = yield from self._sample(self.frames[0] + times)
        lower = np.floor(times).astype(int)
        fraction = (times % 1)[:, None]
        upper = np.minimum(lower + 1, len(self.frames) - 1)
        expected = (1 - fraction[..., None]) * self.planned_positions[lower] + fraction[
            ..., None
        ] * self.planned_positions[upper]
        # between frames only points that touch in both count: in the air they move along arcs
        contact_limit = self.limits.min()
        larger_limit = np.maximum(self.limits[lower], self.limits[upper])
        limit = np.where(
            fraction == 0,
            self.limits[lower],
            np.where(larger_limit > contact_limit, np.inf, larger_limit),
        )
        local_position = (1 - fraction[..., None, None]) * self.local_positions[lower] + fraction[
            ..., None, None
        ] * self.local_positions[upper]
        actual = (poses[:, self.bone_indices] @ local_position)[..., :3, 0]
        return np.asarray(self.meters_per_unit * np.linalg.norm(actual - expected, axis=-1) / limit)

    def remove(self) -> None:
        """Remove the duplicate; does nothing without one."""
        if self._duplicate is not None:
            self._duplicate.remove()
            self._duplicate = None

    def _sample(self, frames: Array) -> Generator[None, None, Array]:
        """Return the poses of the bones at frames (m, j, 4, 4), and pause after some of them."""
        parts = []
        for begin in range(0, len(frames), FRAMES_A_PAUSE):
            part = frames[begin : begin + FRAMES_A_PAUSE]
            parts.append(sample_poses(self._provide(), self.unique_bones, part).bone_matrices)
            yield
        return np.concatenate(parts)

    def _provide(self) -> IsolatedPlayback:
        """Return the duplicate with the current keys."""
        duplicate = self._duplicate
        if duplicate is None or not duplicate.is_present:
            self.remove()
            armature = self._reference.find()
            duplicate = self._duplicate = ArmatureDuplicate(armature, self._kept_bones)
            duplicate.play(self._pending_keys)
            for bone in duplicate.armature.pose.bones:  # bones without keys are at rest
                bone.matrix_basis.identity()
            self._changed = set(self._keys)
        if self._changed:
            for curve in curves_of(duplicate.armature):
                curve_id = (curve.data_path, curve.array_index)
                if curve_id in self._changed:
                    write_keys(curve, self._keys[curve_id])
            duplicate.armature.animation_data.action.update_tag()
            self._changed = set()
        return IsolatedPlayback(duplicate.scene, duplicate.armature)


def _to_homogeneous(points: Array) -> Array:
    return np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1)

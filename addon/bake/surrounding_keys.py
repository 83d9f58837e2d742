"""Existing keys before and after a bake, and blends of its ends into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..animation.action_builder import (
    TRANSFORM_CHANNELS,
    ChannelKeys,
    CurveId,
    PendingKeys,
    bone_of,
)
from ..animation.keyframes import (
    CONSTANT,
    LINEAR,
    Keys,
    concatenate_keys,
    make_keys,
    read_keys,
    select_keys,
)
from ..animation.rotations import MODE_CHANNELS, slerp_rotations, to_channels, to_rotations
from .options import BakeOptions

Array = NDArray[np.float64]
# Difference below which two sets of Euler angles are the same [rad]
SAME_ROTATION_TOLERANCE = 1e-3
# Difference above which the rotation after the bake has another representation than its end [rad]
MIN_JUMP_ANGLE = 1.0


@dataclass(frozen=True)
class _FollowingKeys:
    """Keys after a bake, and whether their values jump from its end."""

    keys: Keys
    has_jump: bool = False


class SurroundingKeys:
    """The curves of the current action, and the frames that the bake takes.

    If `continues_outside` is true, the curves continue before and after the bake.
    """

    def __init__(
        self, armature: bpy.types.Object, curves: Iterable[Any], options: BakeOptions, frames: Array
    ) -> None:
        self.armature = armature
        self.curves: Mapping[CurveId, Any] = {
            (c.data_path, c.array_index): c for c in curves if not c.mute
        }
        first, last = options.span or (int(frames[0]), int(frames[-1]))
        self.frames = frames[(frames >= first) & (frames <= last)]
        self.in_range = (frames >= first) & (frames <= last)
        # a strip blends into the strips below by channel values, so the values must be close
        self.fades_by_value = options.into == "STRIP" and bool(
            options.blend_in or options.blend_out
        )
        max_blend = 0 if options.into == "STRIP" else len(self.frames) - 1
        self.blend_in_frames = min(options.blend_in, max_blend)
        self.blend_out_frames = min(options.blend_out, max_blend)
        self.has_blend_in = bool(options.blend_in)
        # the strips below play before and after a strip
        self.continues_outside = options.into != "STRIP" and (
            options.span is not None or not options.is_complete
        )

    @property
    def blend_weights(self) -> Array:
        """Weight of the bake in each frame (n,)."""
        weights = np.ones(len(self.frames))
        if self.blend_in_frames:
            weights *= _smoothstep(np.arange(len(weights)) / self.blend_in_frames)
        if self.blend_out_frames:
            weights *= _smoothstep(np.arange(len(weights))[::-1] / self.blend_out_frames)
        return weights

    def blend_ends(self, pending_keys: PendingKeys, suppressed: Iterable[CurveId]) -> None:
        """Cut the pending keys to the frames, blend their ends and add the keys before and after
        them.

        Args:
            suppressed: existing curves that must not act during the bake.
        """
        for path, index in suppressed:
            curve = self.curves.get((path, index))
            if (
                self.continues_outside
                and curve is not None
                and (path, index) not in pending_keys.channels
            ):
                group = curve.group.name if curve.group else bone_of(path)
                pending_keys.channels[path, index] = ChannelKeys(
                    group, self.frames[:1], np.array([self._read_current_value(path, index)])
                )
        for path in dict.fromkeys(path for path, _ in pending_keys.channels):
            curve_ids = [curve_id for curve_id in pending_keys.channels if curve_id[0] == path]
            self._blend_property(
                path, curve_ids, [pending_keys.channels[curve_id] for curve_id in curve_ids]
            )

    def _blend_property(
        self, path: str, curve_ids: list[CurveId], channel_keys: list[ChannelKeys]
    ) -> None:
        values = np.column_stack(
            [
                d.values[self.in_range]
                if len(d.values) > 1
                else np.full(len(self.frames), d.values[0])
                for d in channel_keys
            ]
        )
        if self.fades_by_value and self._find_rotation_mode(path, len(curve_ids)) == "QUATERNION":
            edge_index = 0 if self.has_blend_in else -1
            edge_values = np.array(
                [
                    self._sample_existing(curve_id, self.frames[[edge_index]])[0]
                    for curve_id in curve_ids
                ]
            )
            values = values * (-1.0 if values[edge_index] @ edge_values < 0 else 1.0)
        if self.continues_outside or self.blend_in_frames or self.blend_out_frames:
            # with one more frame on either side, where only the existing animation acts
            sampled_frames = np.concatenate(
                [[self.frames[0] - 1], self.frames, [self.frames[-1] + 1]]
            )
            existing = np.column_stack(
                [self._sample_existing(curve_id, sampled_frames) for curve_id in curve_ids]
            )
            is_held = path.rpartition(".")[2] not in TRANSFORM_CHANNELS
            values = values if is_held else self._blend_values(path, curve_ids, values, existing)
        for k, (curve_id, channel) in enumerate(zip(curve_ids, channel_keys, strict=True)):
            channel.frames = self.frames
            channel.values = values[:, k]
            if self.continues_outside:
                channel.before = self._collect_keys_outside(curve_id, True, is_held)
                following = self._collect_keys_after(
                    curve_id, path, values[-1], next_values=existing[-1], index=k, is_held=is_held
                )
                channel.after = following.keys
                channel.interpolation = np.full(len(self.frames), CONSTANT if is_held else LINEAR)
                channel.interpolation[-1] = CONSTANT if following.has_jump or is_held else LINEAR

    def _blend_values(
        self, path: str, curve_ids: list[CurveId], values: Array, existing: Array
    ) -> Array:
        """Return values (n, c) blended with existing ones (n + 2, c), without jumps."""
        weights = self.blend_weights[:, None]
        mode = self._find_rotation_mode(path, len(curve_ids))
        if not mode:
            return weights * values + (1 - weights) * existing[1:-1]
        blended = slerp_rotations(
            to_rotations(existing[1:-1], mode), to_rotations(values, mode), self.blend_weights
        )
        first_rotation = to_rotations(existing[:1], mode).as_matrix()
        out = to_channels(np.concatenate([first_rotation, blended]), mode)
        if mode in ("QUATERNION", "AXIS_ANGLE"):
            return (
                (np.sign((out[0] * existing[0]).sum()) or 1.0) * out[1:]
                if mode == "QUATERNION"
                else out[1:]
            )
        # keep full turns and the representation by Euler angles of the existing animation
        is_direct = (
            np.abs(
                out[0] - existing[0] - 2 * np.pi * np.round((out[0] - existing[0]) / (2 * np.pi))
            ).max()
            < SAME_ROTATION_TOLERANCE
        )
        if not is_direct:
            middle_axis = "XYZ".index(mode[1])
            alternative = out + np.pi
            alternative[:, middle_axis] = np.pi - out[:, middle_axis]
            out = alternative
        return out[1:] - 2 * np.pi * np.round((out[0] - existing[0]) / (2 * np.pi))

    def _find_rotation_mode(self, path: str, channel_count: int) -> str:
        """Return the rotation mode of a property with all its channels; "" for other properties."""
        channel = path.rpartition(".")[2]
        if not channel.startswith("rotation_"):
            return ""
        name = bone_of(path)
        mode = (self.armature.pose.bones[name] if name else self.armature).rotation_mode
        return str(mode) if channel_count == (4 if mode in MODE_CHANNELS else 3) else ""

    def _read_current_value(self, path: str, index: int) -> float:
        value = self.armature.path_resolve(path)
        return float(value[index] if hasattr(value, "__getitem__") else value)

    def _sample_existing(self, curve_id: CurveId, frames: Array) -> Array:
        curve = self.curves.get(curve_id)
        if curve is None:
            return np.full(len(frames), self._read_current_value(*curve_id))
        return np.array([curve.evaluate(float(f)) for f in frames])

    def _collect_keys_outside(self, curve_id: CurveId, before: bool, is_held: bool) -> Keys:
        """Return the existing keys on one side of the bake; they keep the curve unchanged on every
        frame.

        Args:
            before: whether the side is the one before the bake.
            is_held: whether the values are never interpolated, as those of switches.
        """
        curve = self.curves.get(curve_id)
        edge = float(self.frames[0] - 1 if before else self.frames[-1] + 1)
        if curve is None or not len(curve.keyframe_points):
            return make_keys(
                np.array([edge]), self._sample_existing(curve_id, np.array([edge])), CONSTANT
            )
        old_keys = read_keys(curve)
        key_frames = old_keys["co"][:, 0]
        scene = bpy.context.scene
        # modifiers and extrapolation act on every frame, even beyond the keys
        if len(curve.modifiers) or curve.extrapolation != "CONSTANT":
            frame_range = (
                (min(key_frames.min(), scene.frame_start, edge), edge)
                if before
                else (edge, max(key_frames.max(), scene.frame_end, edge))
            )
            return self._key_every_frame(
                curve_id, np.arange(np.floor(frame_range[0]), frame_range[1] + 1), is_held
            )
        outer_keys = select_keys(old_keys, key_frames <= edge if before else key_frames >= edge)
        if not len(outer_keys["co"]):
            return self._key_every_frame(curve_id, np.array([edge]), is_held)
        outer_frames = outer_keys["co"][:, 0]
        # the segment that the edge cuts gets a key on every frame
        filled_frames = (
            np.arange(np.floor(outer_frames[-1]) + 1, edge + 1)
            if before
            else np.arange(edge, np.ceil(outer_frames[0]))
        )
        is_stepped = (
            int(old_keys["interpolation"][max(int((key_frames <= edge).sum()) - 1, 0), 0])
            == CONSTANT
        )
        if before:
            outer_keys["interpolation"][-1] = CONSTANT if is_held or is_stepped else LINEAR
        parts = [outer_keys, self._key_every_frame(curve_id, filled_frames, is_held or is_stepped)]
        return concatenate_keys(parts if before else parts[::-1])

    def _key_every_frame(self, curve_id: CurveId, frames: Array, is_held: bool) -> Keys:
        return make_keys(
            frames, self._sample_existing(curve_id, frames), CONSTANT if is_held else LINEAR
        )

    def _collect_keys_after(
        self,
        curve_id: CurveId,
        path: str,
        end_values: Array,
        next_values: Array,
        index: int,
        is_held: bool,
    ) -> _FollowingKeys:
        """Return the keys after the bake, in a representation of the rotation near its end.

        Args:
            end_values: values of the property at the end of the bake (c,).
            next_values: values of the existing curves one frame later (c,).
            index: index of the channel in the property.
            is_held: whether the values are never interpolated, as those of switches.
        """
        keys = concatenate_keys([self._collect_keys_outside(curve_id, False, is_held)])
        mode = self._find_rotation_mode(path, len(end_values))
        key_fields = ("co", "handle_left", "handle_right")
        if mode == "QUATERNION":
            if end_values @ next_values < 0:
                keys |= {name: keys[name] * np.array([1, -1]) for name in key_fields}
            return _FollowingKeys(keys)
        if not mode:
            return _FollowingKeys(keys)
        full_turns = (
            np.zeros(len(end_values))
            if mode == "AXIS_ANGLE"
            else 2 * np.pi * np.round((end_values - next_values) / (2 * np.pi))
        )
        keys |= {name: keys[name] + np.array([0, full_turns[index]]) for name in key_fields}
        jump = float(np.abs(end_values - next_values - full_turns).max())
        return _FollowingKeys(keys, bool(self.blend_out_frames) and jump > MIN_JUMP_ANGLE)


def _smoothstep(share: Array) -> Array:
    x = np.clip(share, 0.0, 1.0)
    return np.asarray(x * x * (3 - 2 * x))

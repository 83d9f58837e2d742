"""Reduction of keys: held poses, even steps, or keys only where they are needed.

Feet stay where they stand.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..animation.action_builder import ChannelKeys, CurveId, PendingKeys, bone_of
from ..animation.curve_fit import CurveFit
from ..animation.keyframes import (
    ALIGNED,
    BEZIER,
    CONSTANT,
    FREE,
    LINEAR,
    Keys,
    make_keys,
)
from ..rigs.dependencies import make_mover_finder
from ..units import read_unit_scale
from .bone_filter import OBJECT
from .contact_error import BoneContactPoints, ContactErrorProbe
from .options import BakeOptions
from .surrounding_keys import SurroundingKeys

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ReductionParameters:
    """Tolerances and effort of the reduction of keys.

    Args:
        max_rounds: most rounds of adding keys. Numerical: each adds some, so the search ends.
        recheck_frames: frames about an error that are checked again before all frames are.
            Numerical: all frames are checked at the end in any case.
        stance_tolerance_share: share of the tolerance of a standing foot that the error of one bone
            above it may take.
        free_tolerance_share: share of the tolerance of the body that the error of one bone may
            take at first. Where those of a chain add up to more, keys are added.
        warning_ratio: ratio of a foot's error to its tolerance above which there is a warning.
        min_error_share: share of the largest error among the bones of a leg above which a bone gets
            a key where the foot is off.
        fit_share: share of the progress that is shown for the fit of single properties, whose time
            does not depend on the number of rounds that follow.
        typical_pauses: number of pauses after which half of the rest of the progress is shown.
    """

    max_rounds: int = 40
    recheck_frames: int = 8
    stance_tolerance_share: float = 0.4
    free_tolerance_share: float = 0.7
    warning_ratio: float = 2.0
    min_error_share: float = 0.3
    fit_share: float = 0.3
    typical_pauses: int = 100


REDUCTION = ReductionParameters()


@dataclass(frozen=True)
class ReducedKeys:
    """Keys in place of those on every frame.

    Args:
        keys: keys on the frames of the bake by curve; other curves keep theirs.
        remarks: information for the user.
    """

    keys: Mapping[CurveId, Keys]
    remarks: tuple[str, ...]


def reduce_keys(
    armature: bpy.types.Object,
    pending_keys: PendingKeys,
    contact_points: BoneContactPoints,
    surrounding: SurroundingKeys,
    options: BakeOptions,
    bone_by_control: Mapping[str, str],
) -> Generator[float, None, ReducedKeys]:
    """Return fewer keys than one on every frame, and yield a completed share from time to time.

    Args:
        bone_by_control: deform bone by the control that has its keys.
    """
    frame_count = len(surrounding.frames)
    if options.keys == "EVERY" or frame_count < 3:
        return ReducedKeys({}, ())
    reduction = _KeyReduction(pending_keys, surrounding, options)
    worst_ratio = 0.0
    if options.keys == "STEPS" and options.held:
        reduction.hold_poses()
    else:
        limits = contact_points.compute_limits(options, surrounding.in_range)
        probe = ContactErrorProbe(
            contact_points,
            pending_keys,
            surrounding.frames,
            in_range=surrounding.in_range,
            limits=limits,
        )
        lever = _Lever(armature, contact_points, bone_by_control, names=pending_keys.find_bones())
        try:
            worst_ratio = yield from reduction.fit_and_refine(limits, lever, probe)
        finally:
            probe.remove()
    full_key_count = sum(
        frame_count
        for channel_keys in pending_keys.channels.values()
        if not channel_keys.is_constant
    )
    remarks = [f"{reduction.count_keys()} keys instead of {full_key_count}"]
    if worst_ratio > REDUCTION.warning_ratio:
        remarks.append(
            f"feet are off by up to {worst_ratio:.1f} times the tolerance between frames"
        )
    return ReducedKeys(reduction.reduced_keys, tuple(remarks))


class _Lever:
    """Effect of bones on contact points and on everything else: which they move, and at what
    distance.
    """

    def __init__(
        self,
        armature: bpy.types.Object,
        contact_points: BoneContactPoints,
        bone_by_control: Mapping[str, str],
        names: Iterable[str],
    ) -> None:
        self.bone_by_control = bone_by_control
        find_movers = make_mover_finder(armature)
        bones = contact_points.find_bones()
        self.bones_above = [find_movers(name) for name in bones]
        self.contact_bones = set(bones)
        self.meters_per_unit = float(
            np.cbrt(abs(np.linalg.det(np.array(armature.matrix_world)[:3, :3])))
        ) * read_unit_scale(bpy.context.scene)
        self.rig_size = self.meters_per_unit * float(
            np.ptp([b.head_local for b in armature.data.bones], axis=0).max()
        )
        self._levers = {name: self._measure_lever(armature, name) for name in names}

    def find_contact_points(self, name: str) -> list[int]:
        """Return the contact points that a bone moves."""
        return [k for k, movers in enumerate(self.bones_above) if name == OBJECT or name in movers]

    def has_rigid_feet(self, name: str) -> bool:
        """Return whether feet surely move with a bone.

        Control rigs may hold feet in place; there only playback shows it.
        """
        return not self.bone_by_control or self.bone_by_control.get(name) in self.contact_bones

    def get_lever(self, name: str) -> float:
        """Return the largest distance from a bone to a point that it rotates [m]."""
        return self._levers[name]

    def _measure_lever(self, armature: bpy.types.Object, name: str) -> float:
        bone = armature.data.bones.get(self.bone_by_control.get(name, name))
        if bone is None:
            return self.rig_size
        tail_distances = [
            (child.tail_local - bone.head_local).length
            for child in (bone, *bone.children_recursive)
        ]
        return min(self.meters_per_unit * max(tail_distances), self.rig_size)


class _KeyReduction:
    """Reduction of the keys of all properties of an action."""

    def __init__(
        self, pending_keys: PendingKeys, surrounding: SurroundingKeys, options: BakeOptions
    ) -> None:
        self.channels = pending_keys.channels
        self.frames = surrounding.frames
        self.options = options
        self.reduced_keys: dict[CurveId, Keys] = {}
        self.curve_ids_by_path: dict[str, list[CurveId]] = {}
        for curve_id, channel_keys in self.channels.items():
            if (
                len(channel_keys.values) == len(self.frames)
                and not channel_keys.is_constant
                and not _is_held(channel_keys)
            ):
                self.curve_ids_by_path.setdefault(curve_id[0], []).append(curve_id)
        self.fits: dict[str, CurveFit] = {}
        self.contact_points: dict[str, list[int]] = {}  # contact points by path
        # Displacement of dependent points per unit of the property's error [m], by path
        self.error_scales: dict[str, float] = {}

    def _make_step_mask(self) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.frames), bool)
        mask[:: self.options.step] = True
        mask[-1] = True
        return mask

    def hold_poses(self) -> None:
        """Hold each pose until the next key."""
        step_mask = self._make_step_mask()
        for path in self.curve_ids_by_path:
            for curve_id in self.curve_ids_by_path[path]:
                self.reduced_keys[curve_id] = make_keys(
                    self.frames[step_mask],
                    self.channels[curve_id].values[step_mask],
                    CONSTANT,
                )

    def fit_and_refine(
        self, limits: Array, lever: _Lever, probe: ContactErrorProbe
    ) -> Generator[float, None, float]:
        """Choose keys by the errors of single properties, then by those of the contact points.

        Returns the largest error that is left, as a share of its limit.
        """
        rounds = self._refine(probe)
        for count, _ in enumerate(self._fit_curves(limits, lever), 1):
            yield REDUCTION.fit_share * count / max(len(self.curve_ids_by_path), 1)
        pauses = 0
        while True:
            try:
                next(rounds)
            except StopIteration as end:
                return float(end.value)
            # the number of rounds is unknown, so the share approaches 1
            pauses += 1
            left = REDUCTION.typical_pauses / (REDUCTION.typical_pauses + pauses)
            yield 1 - (1 - REDUCTION.fit_share) * left

    def _fit_curves(self, limits: Array, lever: _Lever) -> Iterator[None]:
        """Choose the first keys of every property by the error of that property alone, and pause
        after each.
        """
        is_sparse = self.options.keys == "FEW"
        for path, curve_ids in self.curve_ids_by_path.items():
            name = bone_of(path)
            is_rotation = path.rpartition(".")[2].startswith("rotation_")
            values = np.column_stack([self.channels[curve_id].values for curve_id in curve_ids])
            self.contact_points[path] = points = lever.find_contact_points(name)
            self.error_scales[path] = (
                lever.get_lever(name) * (2.0 if path.endswith("quaternion") else 1.0)
                if is_rotation
                else lever.meters_per_unit
            )
            tolerance = np.full(len(values), REDUCTION.free_tolerance_share * self.options.body)
            corners = np.zeros(len(values), bool)
            if points:
                point_limits = limits[:, points]
                if lever.has_rigid_feet(name):
                    tolerance = np.minimum(
                        tolerance, REDUCTION.stance_tolerance_share * point_limits.min(1)
                    )
                is_standing = point_limits <= point_limits.min() + 1e-9
                corners[1:] = (is_standing[1:] != is_standing[:-1]).any(1)
                corners |= np.append(corners[1:], False)
            fit = self.fits[path] = CurveFit(
                values, tolerance / self.error_scales[path], corners, smooth=is_sparse
            )
            if is_sparse:
                fit.add_needed_keys()
            else:
                fit.add(self._make_step_mask())
            self._update_keys(path)
            yield

    def _refine(self, probe: ContactErrorProbe) -> Generator[None, None, float]:
        """Add keys until no contact point is off, on frames and between them.

        Returns the largest error that is left, as a share of its limit.
        """
        yield from probe.measure_plan()
        worst_ratio = 0.0
        changed = set(self.fits)
        all_times = np.arange(0, len(self.frames) - 0.75, 0.5)
        checked_times = all_times
        for _ in range(REDUCTION.max_rounds):
            self._play_keys(probe, changed)
            relative_error = yield from probe.measure_relative_errors(checked_times)
            worst_ratio = float(relative_error.max(initial=0.0))
            changed = self._add_keys(checked_times, relative_error) if worst_ratio > 1 else set()
            if changed:
                exceeding_times = checked_times[(relative_error > 1).any(1)]
                checked_times = all_times[
                    (
                        np.abs(all_times[:, None] - exceeding_times).min(1)
                        <= REDUCTION.recheck_frames
                    )
                ]
            elif len(checked_times) == len(all_times):
                break
            else:
                checked_times = all_times
        return worst_ratio

    def _add_keys(self, times: Array, relative_error: Array) -> set[str]:
        """Add keys at the worst time of each interval in which a point is off.

        Returns the paths of the changed properties.
        """
        errors = {
            path: fit.measure_errors() * self.error_scales[path] for path, fit in self.fits.items()
        }
        changed = set()
        for point in range(relative_error.shape[1]):
            for time in _find_worst_times(times, relative_error[:, point]):
                neighbors = [int(np.floor(time)), int(np.ceil(time))]
                moving_paths = [
                    path
                    for path, moved_points in self.contact_points.items()
                    if point in moved_points
                ]
                open_paths = [
                    path for path in moving_paths if not self.fits[path].is_key[neighbors].all()
                ]
                # keys on both sides; then only a straight line between them is left
                if not open_paths:
                    changed |= {
                        path for path in moving_paths if self.fits[path].straighten(neighbors)
                    }
                max_error = max((errors[path][neighbors].max() for path in open_paths), default=0.0)
                for path in open_paths:
                    if errors[path][neighbors].max() >= REDUCTION.min_error_share * max_error:
                        new_keys = np.zeros(len(self.frames), bool)
                        new_keys[neighbors] = True
                        self.fits[path].add(new_keys)
                        changed.add(path)
        for path in changed:
            self._update_keys(path)
        return changed

    def _update_keys(self, path: str) -> None:
        """Update the keys of a property from its fit."""
        fit = self.fits[path]
        for channel, curve_id in enumerate(self.curve_ids_by_path[path]):
            channel_keys = self.channels[curve_id]
            key_frames = self.frames[fit.key_indices]
            keys = make_keys(
                key_frames, fit.values[fit.key_indices, channel], BEZIER if fit.smooth else LINEAR
            )
            if fit.smooth:
                handle_length = np.diff(key_frames) / 3
                left = np.append(handle_length[:1], handle_length)
                right = np.append(handle_length, handle_length[-1:])
                keys["handle_left"] = keys["co"] - np.column_stack(
                    [left, left * fit.slopes_in[:, channel]]
                )
                keys["handle_right"] = keys["co"] + np.column_stack(
                    [right, right * fit.slopes_out[:, channel]]
                )
                handle_types = np.where(fit.corners[fit.key_indices], FREE, ALIGNED)[:, None]
                keys["handle_left_type"] = keys["handle_right_type"] = handle_types
            if np.ndim(channel_keys.interpolation):
                keys["interpolation"][-1] = np.asarray(channel_keys.interpolation)[-1]
            elif channel_keys.after is None and fit.smooth:
                keys["interpolation"][-1] = BEZIER
            self.reduced_keys[curve_id] = keys

    def _play_keys(self, probe: ContactErrorProbe, paths: set[str]) -> None:
        """Let a probe play the keys of some properties."""
        for path in paths:
            for curve_id in self.curve_ids_by_path[path]:
                probe.set_keys(
                    curve_id, self.channels[curve_id].build_keys(self.reduced_keys[curve_id])
                )

    def count_keys(self) -> int:
        """Return the number of keys on the frames of the bake."""
        return sum(len(keys["co"]) for keys in self.reduced_keys.values())


def _is_held(channel_keys: ChannelKeys) -> bool:
    """Return whether a channel is held on every frame, as switches are."""
    return bool(np.ndim(channel_keys.interpolation)) and bool(
        (np.asarray(channel_keys.interpolation) == CONSTANT).all()
    )


def _find_worst_times(times: Array, relative_error: Array) -> list[float]:
    """Return the time of the largest value in each interval in which values exceed 1."""
    exceeding = np.flatnonzero(relative_error > 1)
    if not len(exceeding):
        return []
    stretches = np.split(exceeding, np.flatnonzero(np.diff(exceeding) > 1) + 1)
    return [float(times[stretch[relative_error[stretch].argmax()]]) for stretch in stretches]

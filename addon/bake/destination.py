"""Destination of a bake: a new action, a new slot or a strip of the NLA, and how to revert it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import CharacterError
from ..animation.action_builder import TRANSFORM_CHANNELS, ActionBuilder, PendingKeys
from ..animation.channels import find_slot
from .options import HAS_ACTION_SLOTS, BakeOptions

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PlaybackState:
    """What an armature played before a bake, and the tracks that the bake added.

    It refers to everything but the action by name.

    Args:
        action: the action that it played.
        slot: handle of the slot that it played; "" without one.
        track: track of the strip that the bake added.
        pushed: track of the strip that the previous action was moved to.
        warnings: warnings for the user.
        pose: values of the keyed properties by path; the previous action may have had no keys on
            them.
    """

    action: bpy.types.Action | None
    slot: str = ""
    track: str = ""
    pushed: str = ""
    warnings: tuple[str, ...] = ()
    pose: Mapping[str, Any] = field(default_factory=dict)

    def revert(self, armature: bpy.types.Object) -> list[str]:
        """Make the armature play what it played before, and return remarks for the user.

        Tracks that were edited since the bake stay.
        """
        data = armature.animation_data
        notes = []
        for name in (self.track, self.pushed):
            track = data.nla_tracks.get(name) if name else None
            if track is not None and len(track.strips) <= 1:
                data.nla_tracks.remove(track)
            elif name:
                notes.append(
                    f"the track {name!r} "
                    f"{'was deleted' if track is None else 'was changed since and stays'}"
                )
        self.play(armature)
        return notes

    def play(self, armature: bpy.types.Object) -> None:
        """Make the armature play the previous action, with the pose from then."""
        play(armature, self.action, self.slot)
        write_pose(armature, self.pose)


def play(armature: bpy.types.Object, action: bpy.types.Action | None, slot: str = "") -> None:
    """Make an armature play an action in a slot; the action that it played stays in the file."""
    data = armature.animation_data
    if data.action is not None and data.action != action:
        data.action.use_fake_user = True
    data.action = action
    if action is not None and HAS_ACTION_SLOTS:
        data.action_slot = find_slot(action, slot)


def read_playback(armature: bpy.types.Object) -> PlaybackState:
    """Return what an armature plays now."""
    data: Any = armature.animation_data
    if data is None or data.action is None:
        return PlaybackState(None)
    slot = getattr(data, "action_slot", None)
    return PlaybackState(data.action, "" if slot is None else str(slot.handle))


def read_property_values(armature: bpy.types.Object, paths: Iterable[str]) -> dict[str, Any]:
    """Return values by their data paths, as plain numbers and lists."""
    values = {}
    for path in paths:
        value = armature.path_resolve(path)
        values[path] = list(value) if hasattr(value, "__getitem__") else value
    return values


@dataclass(frozen=True)
class _PropertyPath:
    """A data path: the path of the owner of a property, and the name of the property."""

    owner_path: str
    name: str
    is_custom: bool

    @classmethod
    def parse(cls, path: str) -> _PropertyPath:
        """Return the parts of a data path."""
        if path.endswith('"]'):
            owner_path, _, name = path[:-2].rpartition('["')
            return cls(owner_path, bpy.utils.unescape_identifier(name), is_custom=True)
        owner_path, _, name = path.rpartition(".")
        return cls(owner_path, name, is_custom=False)

    def set_value(self, armature: bpy.types.Object, value: Any) -> None:
        """Set the property of an armature.

        Raises:
            ValueError, AttributeError: the armature has no such property.
        """
        owner = armature.path_resolve(self.owner_path) if self.owner_path else armature
        if self.is_custom:
            owner[self.name] = value
        else:
            setattr(owner, self.name, value)


def read_pose(armature: bpy.types.Object, paths: Iterable[str]) -> dict[str, Any]:
    """Return the transforms of an armature and its bones, and some other properties, by path."""
    bones = [
        f'pose.bones["{bpy.utils.escape_identifier(bone.name)}"].' for bone in armature.pose.bones
    ]
    values = read_property_values(
        armature, [f"{prefix}{name}" for prefix in ("", *bones) for name in TRANSFORM_CHANNELS]
    )
    for path in paths:
        with suppress(ValueError):  # the bone or its constraint was deleted
            values |= read_property_values(armature, [path])
    return values


def write_pose(armature: bpy.types.Object, pose: Mapping[str, Any]) -> None:
    """Set properties of an armature, except for those of deleted bones and constraints."""
    for path, value in pose.items():
        with suppress(ValueError, AttributeError):
            _PropertyPath.parse(path).set_value(armature, value)


def check_destination(armature: bpy.types.Object, frames: Array, options: BakeOptions) -> None:
    """Check that a bake can write to its destination.

    Raises:
        CharacterError: it cannot; the message says what to do.
    """
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise CharacterError(
            f"A strip of {armature.name!r} is being edited (Tweak Mode). Press Tab in the "
            "Nonlinear Animation editor first."
        )
    if options.span is not None:
        first, last = options.span
        if not ((frames >= first) & (frames <= last)).sum() > 1:
            raise CharacterError(
                f"The frames {first} to {last} hold less than two of the motion, which runs from "
                f"{frames[0]:.0f} to {frames[-1]:.0f}. Choose some of those."
            )
    if options.into != "SLOT":
        return
    if not HAS_ACTION_SLOTS:
        raise CharacterError(
            "Actions have slots from Blender 4.4 on. Choose New Action under Into."
        )
    action = None if data is None else data.action
    if action is None:
        raise CharacterError(
            f"{armature.name!r} plays no action that could get a slot. Choose New Action under "
            "Into."
        )
    if action.library is not None or not action.is_editable:
        raise CharacterError(
            f"The action {action.name!r} is linked and cannot get a slot. Choose New Action under "
            "Into."
        )


def create_action(
    armature: bpy.types.Object, name: str, pending_keys: PendingKeys, options: BakeOptions
) -> ActionBuilder:
    """Return a builder for the action that the bake fills."""
    return ActionBuilder(
        armature,
        name,
        pending_keys,
        existing_action=armature.animation_data.action if options.into == "SLOT" else None,
    )


def assign_action(
    armature: bpy.types.Object, builder: ActionBuilder, frames: Array, options: BakeOptions
) -> PlaybackState:
    """Make the armature play the baked action, and return what it played before."""
    playback_before = replace(
        read_playback(armature),
        pose=read_property_values(armature, dict.fromkeys(path for path, _ in builder.pending)),
    )
    if options.into == "STRIP":
        return _add_strip(
            armature, builder, frames, options=options, playback_before=playback_before
        )
    builder.assign()
    data = armature.animation_data
    has_active_strips = any(
        not strip.mute for track in data.nla_tracks if not track.mute for strip in track.strips
    )
    warnings = (
        ("NLA strips play together with the new action; mute their tracks to see the plan",)
        if has_active_strips
        else ()
    )
    return replace(playback_before, warnings=warnings)


def _add_strip(
    armature: bpy.types.Object,
    builder: ActionBuilder,
    frames: Array,
    options: BakeOptions,
    playback_before: PlaybackState,
) -> PlaybackState:
    """Add a strip above all others.

    The current action would override the strip, so it moves to a strip below, as with Push Down.
    """
    data = armature.animation_data or armature.animation_data_create()
    warnings = []
    pushed_track = ""
    if playback_before.action is not None:
        pushed_track = _push_down(data)
    name = options.strip or builder.action.name
    track = data.nla_tracks.new()
    track.name = name
    strip = track.strips.new(name, int(frames[0]), builder.action)
    if HAS_ACTION_SLOTS:
        strip.action_slot = builder.slot
    strip.action_frame_start = float(frames[0])
    strip.action_frame_end = float(frames[-1])
    strip.frame_start = float(frames[0])
    strip.frame_end = float(frames[-1])
    strip.extrapolation = "NOTHING"
    strip.blend_in = float(options.blend_in)
    strip.blend_out = float(options.blend_out)
    if not data.use_nla:
        warnings.append(
            "the NLA of this armature is switched off; switch it on in the Nonlinear Animation "
            "editor to see the strip"
        )
    if any(other.is_solo for other in data.nla_tracks):
        warnings.append("another track plays solo; end that to see the strip")
    return replace(playback_before, track=track.name, pushed=pushed_track, warnings=tuple(warnings))


def _push_down(data: Any) -> str:
    """Move the current action to a strip that plays the same, and return its track."""
    action = data.action
    slot = getattr(data, "action_slot", None)
    begin, end = (float(f) for f in action.frame_range)
    first_frame = int(np.floor(begin))
    # Blender ignores these settings of the action if there are no strips
    blend_type, influence, extrapolation = (
        (data.action_blend_type, data.action_influence, data.action_extrapolation)
        if any(len(track.strips) and not track.mute for track in data.nla_tracks)
        else ("REPLACE", 1.0, "HOLD")
    )
    data.action = None
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, first_frame, action)
    if slot is not None:
        strip.action_slot = slot
    strip.action_frame_start = float(first_frame)
    strip.action_frame_end = max(end, first_frame + 1.0)
    strip.frame_start = strip.action_frame_start
    strip.frame_end = strip.action_frame_end
    strip.blend_type = blend_type
    strip.extrapolation = extrapolation
    if influence < 1:
        strip.use_animated_influence = True
        strip.influence = influence
    return str(track.name)

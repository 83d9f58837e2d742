"""Replacement of the last bake on an armature by a new one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ..animation.channels import find_slot
from ..text import join_with_and
from .bake import BakeResult
from .destination import PlaybackState, play, read_playback, read_pose, write_pose
from .edit_check import forget_keys, list_user_changes
from .options import BakeOptions
from .stored_plan import drop_plan, has_plan
from .strips import exchange_action, list_strips, mute_strips, restore_muting


@dataclass(frozen=True)
class PreviousBake:
    """A bake that another one replaces, suspended until that is done.

    Args:
        action: its action.
        slot: handle of its slot.
        is_whole_action: whether the action holds only the bake.
        track: track that the bake added; "" without one.
        is_in_strips: whether strips show it instead of the armature's current action.
        was_muted: whether each suspended strip was muted, by its name.
        playback_before: what the armature played before that bake.
        playback_now: what the armature plays now.
        had_fake_user: whether the action that it plays now has a fake user.
        user_changes: what the user changed of the bake; its action is kept if there is anything.
    """

    action: bpy.types.Action
    slot: str
    is_whole_action: bool
    track: str
    is_in_strips: bool
    was_muted: dict[str, bool]
    playback_before: PlaybackState
    playback_now: PlaybackState
    had_fake_user: bool
    user_changes: tuple[str, ...]

    @property
    def is_pushed_down(self) -> bool:
        """Whether the user moved the bake to a strip."""
        return self.is_in_strips and not self.track

    @property
    def has_layer(self) -> bool:
        """Whether an action of the user's plays on top of the strips."""
        return self.is_in_strips and self.playback_now.action is not None

    def fit_options(self, options: BakeOptions) -> BakeOptions:
        """Return options for a bake that takes the place of this one."""
        if self.is_pushed_down:
            return replace(options, into="ACTION")
        return replace(options, into="STRIP") if self.has_layer else options


@dataclass(frozen=True)
class Replacement:
    """What a bake takes the place of.

    Args:
        previous: the suspended bake; None without one.
        options: options of the new bake.
        note: note for the user on the bake before; "" without one.
        pose: values of properties that suspending the bake changed, by data path.
    """

    previous: PreviousBake | None
    options: BakeOptions
    note: str
    pose: Mapping[str, Any]


def suspend_last_bake(
    armature: bpy.types.Object, options: BakeOptions, replaces_last: bool
) -> Replacement:
    """Suspend the last bake of an armature if a new one takes its place."""
    previous = None
    user_changes: list[str] = []
    pose: dict[str, Any] = {}
    last_bake = armature.footfall_baked
    if replaces_last and _is_last_bake_replaceable(armature):
        user_changes = list_user_changes(last_bake.action, last_bake.slot, last_bake.own)
        if not user_changes or not is_current_bake(armature, last_bake):
            pose = read_pose(armature, _read_recorded_pose(last_bake.pose))
            previous = _suspend_previous(armature, user_changes)
            options = previous.fit_options(options)
    note = _describe_kept_bake(last_bake.action, user_changes)
    return Replacement(previous, options, note, pose)


def resume_last_bake(armature: bpy.types.Object, replacement: Replacement) -> None:
    """Make an armature play a suspended bake again, in the pose from before."""
    if replacement.previous is not None:
        _resume_playback(armature, replacement.previous)
        write_pose(armature, replacement.pose)


@contextmanager
def without_last_bake(
    armature: bpy.types.Object, options: BakeOptions, replaces_last: bool
) -> Iterator[Replacement]:
    """Suspend the last bake of an armature for a moment if a new one takes its place."""
    replacement = suspend_last_bake(armature, options, replaces_last)
    try:
        yield replacement
    finally:
        resume_last_bake(armature, replacement)


def read_playback_before(last_bake: bpy.types.PropertyGroup) -> PlaybackState:
    """Return what an armature played before its last bake."""
    return PlaybackState(
        last_bake.before,
        last_bake.before_slot,
        last_bake.track,
        last_bake.pushed,
        pose=_read_recorded_pose(last_bake.pose),
    )


def _read_recorded_pose(text: str) -> dict[str, Any]:
    """Return the values of a recorded pose by path; none if the record is damaged."""
    try:
        pose = json.loads(text or "{}")
    except ValueError:
        return {}
    return pose if isinstance(pose, dict) else {}


def is_current_bake(armature: bpy.types.Object, last_bake: bpy.types.PropertyGroup) -> bool:
    """Return whether the last bake is the current action of an armature, in its slot."""
    playback = read_playback(armature)
    return playback.action == last_bake.action and playback.slot == last_bake.slot


def _is_last_bake_replaceable(armature: bpy.types.Object) -> bool:
    """Return whether an armature plays its last bake, as its action or in strips.

    Below an action with another plan, strips are not those of the plan that is baked.
    """
    last_bake = armature.footfall_baked
    if not last_bake.there or last_bake.action is None or armature.animation_data is None:
        return False
    if not last_bake.track and (is_current_bake(armature, last_bake) or has_plan(armature)):
        return is_current_bake(armature, last_bake)
    return bool(list_strips(armature, last_bake.action, last_bake.slot))


def _describe_kept_bake(action: bpy.types.Action | None, user_changes: Sequence[str]) -> str:
    """Return a note on what keeps the action of the last bake; "" if nothing does."""
    if action is None or not user_changes:
        return ""
    return f"{action.name!r} {join_with_and(user_changes)}, so it stays in the file"


def _suspend_previous(armature: bpy.types.Object, user_changes: Sequence[str]) -> PreviousBake:
    """Make an armature play what it played before its last bake, until the new bake is done."""
    last_bake = armature.footfall_baked
    data = armature.animation_data
    playback_before = read_playback_before(last_bake)
    playback_now = read_playback(armature)
    had_fake_user = data.action is not None and data.action.use_fake_user
    is_current = is_current_bake(armature, last_bake)
    strips = [] if is_current else list_strips(armature, last_bake.action, last_bake.slot)
    pushed_track = data.nla_tracks.get(last_bake.pushed)
    was_muted = mute_strips([*strips, *(pushed_track.strips if pushed_track else ())])
    playback_before.play(armature)
    _update_pose()  # the new bake reads the pose without the suspended one
    return PreviousBake(
        last_bake.action,
        last_bake.slot,
        last_bake.own,
        track=last_bake.track,
        is_in_strips=bool(strips),
        was_muted=was_muted,
        playback_before=playback_before,
        playback_now=playback_now,
        had_fake_user=had_fake_user,
        user_changes=tuple(user_changes),
    )


def _resume_playback(armature: bpy.types.Object, previous: PreviousBake) -> None:
    """Play what an armature played when its last bake was suspended."""
    restore_muting(armature, previous.was_muted)
    play(armature, previous.playback_now.action, previous.playback_now.slot)
    if previous.playback_now.action is not None:
        previous.playback_now.action.use_fake_user = previous.had_fake_user
    _update_pose()


def _update_pose() -> None:
    """Evaluate the scene at its current frame."""
    scene = bpy.context.scene
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)


def replace_previous(
    armature: bpy.types.Object, previous: PreviousBake, result: BakeResult
) -> BakeResult:
    """Put a new bake where the previous one was, and remove that if nothing else needs it."""
    if previous.is_pushed_down or (previous.is_in_strips and result.playback_before.track):
        result = _move_to_strips(armature, previous, result)
    else:
        _remove_strips(armature, previous)
    if not previous.is_whole_action:
        _remove_slot(previous, result)
    elif not previous.user_changes:
        _remove_unused_action(armature, previous.action, result.action)
    else:
        previous.action.use_fake_user = True
    return result


def _move_to_strips(
    armature: bpy.types.Object, previous: PreviousBake, result: BakeResult
) -> BakeResult:
    """Show a new bake in the strips of the previous one, below the action that plays now."""
    tracks = armature.animation_data.nla_tracks
    new = result.playback_before
    for strip in list_strips(armature, previous.action, previous.slot):
        exchange_action(strip, result.action, result.slot)
        if new.track:  # with the blends of the options
            new_strip = tracks[new.track].strips[0]
            strip.blend_in = new_strip.blend_in
            strip.blend_out = new_strip.blend_out
    for name in (new.track, new.pushed):
        if name:
            tracks.remove(tracks[name])
    _resume_playback(armature, previous)
    result.action.use_fake_user = False
    old = previous.playback_before
    return replace(result, playback_before=replace(new, track=old.track, pushed=old.pushed))


def _remove_strips(armature: bpy.types.Object, previous: PreviousBake) -> None:
    """Remove the tracks that the previous bake added, except for those with strips of the user."""
    tracks = armature.animation_data.nla_tracks
    for name in (previous.playback_before.track, previous.playback_before.pushed):
        if name in tracks and len(tracks[name].strips) <= 1:
            tracks.remove(tracks[name])


def _remove_slot(previous: PreviousBake, result: BakeResult) -> None:
    """Remove the slot of the previous bake unless its keys were edited."""
    action = previous.action
    slot = find_slot(action, previous.slot)
    if slot is None or previous.user_changes:
        return
    name = slot.name_display
    action.slots.remove(slot)
    drop_plan(action, previous.slot)
    forget_keys(action, previous.slot)
    if action == result.action:
        find_slot(action, result.slot).name_display = name


def _remove_unused_action(
    armature: bpy.types.Object, action: bpy.types.Action, successor: bpy.types.Action
) -> None:
    """Remove an action to which only the record of the last bake refers, and pass on its name."""
    last_bake = armature.footfall_baked
    references = (last_bake.action == action) + (last_bake.before == action)
    if action.users - action.use_fake_user > references:  # suspending it gave it a fake user
        return
    name = action.name
    bpy.data.actions.remove(action)
    successor.name = name

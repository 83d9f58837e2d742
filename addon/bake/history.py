"""Successive bakes on an armature: recorded, reverted, and repeated from their stored plans."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ..animation.channels import find_slot
from ..text import join_with_and
from .bake import BakeResult, bake_motion
from .destination import PlaybackState, play, read_playback
from .edit_check import forget_keys, list_user_changes, remember_keys
from .options import BakeOptions
from .stored_plan import (
    StoredPlan,
    attach_plan,
    drop_plan,
    has_plan,
    pack_plan,
    read_action_plan,
    read_played_plan,
)
from .strips import exchange_action, list_strips, mute_strips, restore_muting


def is_last_bake_playing(armature: bpy.types.Object) -> bool:
    """Return whether an armature plays its last bake, so that it can be reverted."""
    last_bake = armature.footfall_baked
    data = armature.animation_data
    if not last_bake.there or last_bake.action is None or data is None:
        return False
    if last_bake.track:
        return data.nla_tracks.get(last_bake.track) is not None
    return _is_current(armature, last_bake)


def find_plan_to_rebake(armature: bpy.types.Object) -> StoredPlan | None:
    """Return the plan that can be baked again: that of the playing action, else of the last bake.

    Raises:
        FootfallError: the plan cannot be read, for example because it is of a newer Footfall.
    """
    last_bake = armature.footfall_baked
    if not (last_bake.there and last_bake.track):  # a strip plays above the action
        stored_plan = read_played_plan(armature)
        if stored_plan is not None:
            return stored_plan
    return None if last_bake.action is None else read_action_plan(last_bake.action, last_bake.slot)


@dataclass(frozen=True)
class _PreviousBake:
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
class RecordedBake:
    """A bake, and a note for the user on the bake before; "" without one."""

    result: BakeResult
    note: str


def bake_and_record(
    armature: bpy.types.Object,
    stored_plan: StoredPlan,
    binding: Binding,
    options: BakeOptions,
    replaces_last: bool,
) -> RecordedBake:
    """Bake a plan and store it with the action.

    Args:
        replaces_last: whether the bake takes the place of the last one if that plays, also in
            strips of the NLA. An action that the user changed stays in the file.

    Raises:
        FootfallError: `bake_motion` fails; the armature plays what it played before.
    """
    previous = None
    user_changes: list[str] = []
    last_bake = armature.footfall_baked
    if replaces_last and _is_last_bake_replaceable(armature):
        user_changes = list_user_changes(last_bake.action, last_bake.slot, last_bake.own)
        if not user_changes or not _is_current(armature, last_bake):
            previous = _suspend_last_bake(armature, user_changes)
            options = previous.fit_options(options)
    note = _describe_kept_bake(last_bake.action, user_changes)
    try:
        packed_plan = pack_plan(replace(stored_plan, options=options))
        result = bake_motion(
            armature,
            stored_plan.motion,
            binding,
            placement=stored_plan.motion_placement,
            options=options,
        )
    except BaseException:
        if previous is not None:
            _resume_playback(armature, previous)
        raise
    is_whole_action = options.into != "SLOT"
    if previous is not None:
        result = _replace_previous(armature, previous, result)
    attach_plan(result.action, packed_plan, "" if is_whole_action else result.slot)
    remember_keys(result.action, result.slot)
    _record_bake(armature, result, is_whole_action)
    return RecordedBake(result, note)


def revert_last_bake(armature: bpy.types.Object) -> list[str]:
    """Make an armature play what it played before its last bake, and return remarks for the user.

    The action of the bake stays in the file.

    Raises:
        CharacterError: the armature does not play its last bake.
    """
    last_bake = armature.footfall_baked
    if not is_last_bake_playing(armature):
        raise CharacterError(
            f"{armature.name!r} does not play its last bake, so there is nothing to revert. Play "
            "the baked action first."
        )
    playback_before = _read_playback_before(last_bake)
    layer = read_playback(armature).action
    last_bake.action.use_fake_user = True
    notes = playback_before.revert(armature)
    if layer not in (None, last_bake.action, playback_before.action):
        notes.append(f"{layer.name!r} is no longer played and stays in the file")
    last_bake.there = False
    last_bake.track = ""
    last_bake.pushed = ""
    last_bake.report = ""
    return notes


def _read_playback_before(last_bake: bpy.types.PropertyGroup) -> PlaybackState:
    """Return what an armature played before its last bake."""
    return PlaybackState(
        last_bake.before,
        last_bake.before_slot,
        last_bake.track,
        last_bake.pushed,
        pose=_read_pose(last_bake.pose),
    )


def _read_pose(text: str) -> dict[str, Any]:
    """Return the values of a recorded pose by path; none if the record is damaged."""
    try:
        pose = json.loads(text or "{}")
    except ValueError:
        return {}
    return pose if isinstance(pose, dict) else {}


def _is_current(armature: bpy.types.Object, last_bake: bpy.types.PropertyGroup) -> bool:
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
    if not last_bake.track and (_is_current(armature, last_bake) or has_plan(armature)):
        return _is_current(armature, last_bake)
    return bool(list_strips(armature, last_bake.action, last_bake.slot))


def _describe_kept_bake(action: bpy.types.Action | None, user_changes: Sequence[str]) -> str:
    """Return a note on what keeps the action of the last bake; "" if nothing does."""
    if action is None or not user_changes:
        return ""
    return f"{action.name!r} {join_with_and(user_changes)}, so it stays in the file"


def _suspend_last_bake(armature: bpy.types.Object, user_changes: Sequence[str]) -> _PreviousBake:
    """Make an armature play what it played before its last bake, until the new bake is done."""
    last_bake = armature.footfall_baked
    data = armature.animation_data
    playback_before = _read_playback_before(last_bake)
    playback_now = read_playback(armature)
    had_fake_user = data.action is not None and data.action.use_fake_user
    is_current = _is_current(armature, last_bake)
    strips = [] if is_current else list_strips(armature, last_bake.action, last_bake.slot)
    pushed_track = data.nla_tracks.get(last_bake.pushed)
    was_muted = mute_strips([*strips, *(pushed_track.strips if pushed_track else ())])
    playback_before.play(armature)
    _update_pose()  # the new bake reads the pose without the suspended one
    return _PreviousBake(
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


def _resume_playback(armature: bpy.types.Object, previous: _PreviousBake) -> None:
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


def _record_bake(armature: bpy.types.Object, result: BakeResult, is_whole_action: bool) -> None:
    last_bake = armature.footfall_baked
    playback_before = result.playback_before
    last_bake.there, last_bake.action, last_bake.slot, last_bake.own = (
        True,
        result.action,
        result.slot,
        is_whole_action,
    )
    last_bake.before, last_bake.before_slot = playback_before.action, playback_before.slot
    last_bake.track, last_bake.pushed, last_bake.pose = (
        playback_before.track,
        playback_before.pushed,
        json.dumps(playback_before.pose),
    )


def _replace_previous(
    armature: bpy.types.Object, previous: _PreviousBake, result: BakeResult
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
    armature: bpy.types.Object, previous: _PreviousBake, result: BakeResult
) -> BakeResult:
    """Show a new bake in the strips of the previous one, below the action that plays now."""
    tracks = armature.animation_data.nla_tracks
    new = result.playback_before
    for strip in list_strips(armature, previous.action, previous.slot):
        exchange_action(strip, result.action, result.slot)
        if new.track:  # with the blends of the options
            new_strip = tracks[new.track].strips[0]
            strip.blend_in, strip.blend_out = new_strip.blend_in, new_strip.blend_out
    for name in (new.track, new.pushed):
        if name:
            tracks.remove(tracks[name])
    _resume_playback(armature, previous)
    result.action.use_fake_user = False
    old = previous.playback_before
    return replace(result, playback_before=replace(new, track=old.track, pushed=old.pushed))


def _remove_strips(armature: bpy.types.Object, previous: _PreviousBake) -> None:
    """Remove the tracks that the previous bake added, except for those with strips of the user."""
    tracks = armature.animation_data.nla_tracks
    for name in (previous.playback_before.track, previous.playback_before.pushed):
        if name in tracks and len(tracks[name].strips) <= 1:
            tracks.remove(tracks[name])


def _remove_slot(previous: _PreviousBake, result: BakeResult) -> None:
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

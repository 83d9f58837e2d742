"""Successive bakes on an armature: recorded, reverted, and repeated from their stored plans."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import bpy

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ..animation.channels import find_slot
from .bake import BakeResult, bake_motion
from .destination import PlaybackState, play, read_playback
from .edit_check import forget_keys, has_unedited_keys, remember_keys
from .options import BakeOptions
from .stored_plan import StoredPlan, drop_plan, read_action_plan, read_played_plan, store_plan


def is_last_bake_playing(armature: bpy.types.Object) -> bool:
    """Return whether an armature plays its last bake, so that it can be reverted."""
    last_bake = armature.footfall_baked
    data = armature.animation_data
    if not last_bake.there or last_bake.action is None or data is None:
        return False
    if last_bake.track:
        return data.nla_tracks.get(last_bake.track) is not None
    return (
        read_playback(armature).action == last_bake.action
        and read_playback(armature).slot == last_bake.slot
    )


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
    """A bake that another one replaces."""

    action: bpy.types.Action
    slot: str
    is_whole_action: bool
    track: str
    playback_before: PlaybackState
    playback_now: PlaybackState


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
        replaces_last: whether the bake replaces the last one if that plays and its keys were not
            edited.

    Raises:
        FootfallError: `bake_motion` fails; the armature plays what it played before.
    """
    previous = None
    note = ""
    if replaces_last and is_last_bake_playing(armature):
        if has_unedited_keys(armature.footfall_baked.action, armature.footfall_baked.slot):
            previous = _suspend_last_bake(armature)
        else:
            note = (
                f"the keys of {armature.footfall_baked.action.name!r} were edited since it was "
                "baked, so it was kept"
            )
    try:
        result = bake_motion(
            armature,
            stored_plan.motion,
            binding,
            placement=stored_plan.motion_placement,
            options=options,
        )
    except BaseException:
        if previous is not None:
            _resume_bake(armature, previous)
        raise
    is_whole_action = options.into != "SLOT"
    if previous is not None:
        result = _remove_previous(armature, previous, result)
    store_plan(
        result.action, replace(stored_plan, options=options), "" if is_whole_action else result.slot
    )
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
    last_bake.action.use_fake_user = True
    notes = playback_before.revert(armature)
    last_bake.there = False
    last_bake.track = ""
    last_bake.pushed = ""
    return notes


def _read_playback_before(last_bake: bpy.types.PropertyGroup) -> PlaybackState:
    """Return what an armature played before its last bake."""
    return PlaybackState(
        last_bake.before,
        last_bake.before_slot,
        last_bake.track,
        last_bake.pushed,
        pose=json.loads(last_bake.pose or "{}"),
    )


def _suspend_last_bake(armature: bpy.types.Object) -> _PreviousBake:
    """Make an armature play what it played before its last bake, until the new bake is done."""
    last_bake = armature.footfall_baked
    data = armature.animation_data
    scene = bpy.context.scene
    playback_before = _read_playback_before(last_bake)
    playback_now = read_playback(armature)
    for name in (last_bake.track, last_bake.pushed):
        if name in data.nla_tracks:
            data.nla_tracks[name].mute = True
    playback_before.play(armature)
    # the new bake reads the pose without the suspended one
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)
    return _PreviousBake(
        last_bake.action,
        last_bake.slot,
        last_bake.own,
        track=last_bake.track,
        playback_before=playback_before,
        playback_now=playback_now,
    )


def _resume_bake(armature: bpy.types.Object, previous: _PreviousBake) -> None:
    """Play the suspended bake again, because the new one failed."""
    for name in (previous.playback_before.track, previous.playback_before.pushed):
        if name in armature.animation_data.nla_tracks:
            armature.animation_data.nla_tracks[name].mute = False
    play(armature, previous.playback_now.action, previous.playback_now.slot)


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


def _remove_previous(
    armature: bpy.types.Object, previous: _PreviousBake, result: BakeResult
) -> BakeResult:
    """Remove a replaced bake unless something else uses it, and give its names to the new bake."""
    tracks = armature.animation_data.nla_tracks
    new_names = {}
    for field in ("track", "pushed"):
        old = getattr(previous.playback_before, field)
        new = getattr(result.playback_before, field)
        if old in tracks and len(tracks[old].strips) <= 1:
            tracks.remove(tracks[old])
            if new:
                tracks[new].name = tracks[new].strips[0].name = old
                new_names[field] = old
    result = replace(result, playback_before=replace(result.playback_before, **new_names))
    action = previous.action
    if not previous.is_whole_action:
        slot = find_slot(action, previous.slot)
        new = find_slot(result.action, result.slot)
        if slot is not None:
            name = slot.name_display
            action.slots.remove(slot)
            drop_plan(action, previous.slot)
            forget_keys(action, previous.slot)
            if action == result.action:
                new.name_display = name
        return result
    if not (
        bpy.data.user_map(subset={action})[action] - {armature} or _is_playing(armature, action)
    ):
        name = action.name
        bpy.data.actions.remove(action)
        result.action.name = name
    return result


def _is_playing(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    data = armature.animation_data
    return data.action == action or any(
        strip.action == action for track in data.nla_tracks for strip in track.strips
    )

"""Bakes one after the other on an armature: remembered, taken back, and made again from the plan that they carry."""
from __future__ import annotations

import json
from dataclasses import dataclass, replace

import bpy

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ..animation.channels import slot_in
from .bake import Baked, bake_motion
from .destination import Placed, play, played
from .edit_check import forget_keys, note_keys, untouched
from .options import Options
from .stored_plan import Planned, drop_plan, keep_plan, plan_of, planned_of


def plays_last(armature: bpy.types.Object) -> bool:
    """Whether an armature plays its last bake, which so can be reverted."""
    last, data = armature.footfall_baked, armature.animation_data
    if not last.there or last.action is None or data is None:
        return False
    if last.track:
        return data.nla_tracks.get(last.track) is not None
    return played(armature).action == last.action and played(armature).slot == last.slot


def source_of(armature: bpy.types.Object) -> Planned | None:
    """The plan that can be baked again: of the action that plays, else of the last bake.

    Raises:
        FootfallError: it cannot be read, as of a newer Footfall.
    """
    last = armature.footfall_baked
    if not (last.there and last.track):            # a strip plays above the action
        planned = planned_of(armature)
        if planned is not None:
            return planned
    return None if last.action is None else plan_of(last.action, last.slot)


@dataclass(frozen=True)
class _Last:
    """A bake that another one takes the place of."""

    action: bpy.types.Action
    slot: str
    own: bool
    track: str
    before: Placed
    now: Placed


def bake_onto(armature: bpy.types.Object, planned: Planned, binding: Binding, options: Options, again: bool) -> tuple[Baked, str]:
    """Bake a plan; it is kept with the action. Returns what was made and what the user should know of the bake before.

    Args:
        again: take the place of the last bake, if that is what plays and its keys were not edited.

    Raises:
        FootfallError: as of `bake_motion`; then all is as it was.
    """
    last, told = None, ""
    if again and plays_last(armature):
        if untouched(armature.footfall_baked.action, armature.footfall_baked.slot):
            last = _step_back(armature)
        else:
            told = f"the keys of {armature.footfall_baked.action.name!r} were edited since it was baked, so it was kept"
    try:
        baked = bake_motion(armature, planned.motion, binding, planned.placement, planned.first_frame, planned.way, options)
    except BaseException:
        if last is not None:
            _step_forth(armature, last)
        raise
    own = options.into != "SLOT"
    if last is not None:
        baked = _drop(armature, last, baked)
    keep_plan(baked.action, replace(planned, options=options), "" if own else baked.slot)
    note_keys(baked.action, baked.slot)
    _remember(armature, baked, own)
    return baked, told


def revert(armature: bpy.types.Object) -> list[str]:
    """Let an armature play what it did before its last bake, whose action stays in the file; returns what the user should know.

    Raises:
        CharacterError: there is no such bake, or the armature plays something else by now.
    """
    last = armature.footfall_baked
    if not plays_last(armature):
        raise CharacterError(f"{armature.name!r} does not play its last bake, so there is nothing to take back.")
    before = _before(last)
    last.action.use_fake_user = True
    told = before.take_back(armature)
    last.there, last.track, last.pushed = False, "", ""
    return told


def _before(last: bpy.types.PropertyGroup) -> Placed:
    """What an armature played before its last bake."""
    return Placed(last.before, last.before_slot, last.track, last.pushed, pose=json.loads(last.pose or "{}"))


def _step_back(armature: bpy.types.Object) -> _Last:
    """Let an armature play what it did before its last bake, for a while."""
    last, data, scene = armature.footfall_baked, armature.animation_data, bpy.context.scene
    before = _before(last)
    now = played(armature)
    for name in (last.track, last.pushed):
        if name in data.nla_tracks:
            data.nla_tracks[name].mute = True
    before.play(armature)
    scene.frame_set(scene.frame_current, subframe=scene.frame_subframe)        # bones are looked at as they are posed without it
    return _Last(last.action, last.slot, last.own, last.track, before, now)


def _step_forth(armature: bpy.types.Object, last: _Last) -> None:
    """The other way round, where nothing came of it."""
    for name in (last.before.track, last.before.pushed):
        if name in armature.animation_data.nla_tracks:
            armature.animation_data.nla_tracks[name].mute = False
    play(armature, last.now.action, last.now.slot)


def _remember(armature: bpy.types.Object, baked: Baked, own: bool) -> None:
    last, before = armature.footfall_baked, baked.placed
    last.there, last.action, last.slot, last.own = True, baked.action, baked.slot, own
    last.before, last.before_slot = before.action, before.slot
    last.track, last.pushed, last.pose = before.track, before.pushed, json.dumps(before.pose)


def _drop(armature: bpy.types.Object, last: _Last, baked: Baked) -> Baked:
    """Remove a bake whose place another one has taken, unless somebody else uses it; the new one gets its names."""
    tracks, renamed = armature.animation_data.nla_tracks, {}
    for field in ("track", "pushed"):
        old, new = getattr(last.before, field), getattr(baked.placed, field)
        if old in tracks and len(tracks[old].strips) <= 1:
            tracks.remove(tracks[old])
            if new:
                tracks[new].name = tracks[new].strips[0].name = old
                renamed[field] = old
    baked, action = replace(baked, placed=replace(baked.placed, **renamed)), last.action
    if not last.own:
        slot, new = slot_in(action, last.slot), slot_in(baked.action, baked.slot)
        if slot is not None:
            name = slot.name_display
            action.slots.remove(slot)
            drop_plan(action, last.slot)
            forget_keys(action, last.slot)
            if action == baked.action:
                new.name_display = name
        return baked
    if not (bpy.data.user_map(subset={action})[action] - {armature} or _plays(armature, action)):
        name = action.name
        bpy.data.actions.remove(action)
        baked.action.name = name
    return baked


def _plays(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    data = armature.animation_data
    return data.action == action or any(strip.action == action for track in data.nla_tracks for strip in track.strips)

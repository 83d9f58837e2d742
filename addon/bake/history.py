"""Successive bakes on an armature: recorded, reverted, and repeated from their stored plans."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass, replace

import bpy

from ...core.character.from_rig.binding import Binding
from ...core.errors import CharacterError
from ..references import ArmatureReference
from .bake import BakeResult, MotionBake
from .destination import read_playback
from .edit_check import remember_keys
from .options import BakeOptions
from .replacement import (
    Replacement,
    is_current_bake,
    read_playback_before,
    replace_previous,
    resume_last_bake,
    suspend_last_bake,
    without_last_bake,
)
from .slices import SlicedWork, spread_share
from .stored_plan import (
    StoredPlan,
    attach_plan,
    pack_plan,
    read_action_plan,
    read_played_plan,
)

# Shares of the progress that posing the controls takes: with a key on every frame, where it is
# nearly all of the work, and otherwise
SOLVE_SHARE_EVERY = 0.95
SOLVE_SHARE_REDUCED = 0.4


def is_last_bake_playing(armature: bpy.types.Object) -> bool:
    """Return whether an armature plays its last bake, so that it can be reverted."""
    last_bake = armature.footfall_baked
    data = armature.animation_data
    if not last_bake.there or last_bake.action is None or data is None:
        return False
    if last_bake.track:
        return data.nla_tracks.get(last_bake.track) is not None
    return is_current_bake(armature, last_bake)


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
    """Bake a plan and store it with the action, as `iterate_recorded_bake` does, at once."""
    steps = iterate_recorded_bake(
        armature, stored_plan, binding, options=options, replaces_last=replaces_last
    )
    recorded = SlicedWork(steps).run()
    bpy.context.view_layer.update()
    return recorded


def iterate_recorded_bake(
    armature: bpy.types.Object,
    stored_plan: StoredPlan,
    binding: Binding,
    options: BakeOptions,
    replaces_last: bool,
) -> Generator[float, None, RecordedBake]:
    """Bake a plan and store it with the action; yield the completed share from time to time.

    Until the last step everything is as it was, and the work may be ended.

    Args:
        replaces_last: whether the bake takes the place of the last one if that plays, also in
            strips of the NLA. An action that the user changed stays in the file.

    Raises:
        FootfallError: the bake fails; the armature plays what it played before.
    """
    reference = ArmatureReference(armature)
    with without_last_bake(armature, options, replaces_last) as replacement:
        bake = MotionBake(
            armature,
            stored_plan.motion,
            binding,
            placement=stored_plan.motion_placement,
            options=replacement.options,
        )
    yield 0.0
    solve_share = SOLVE_SHARE_EVERY if options.keys == "EVERY" else SOLVE_SHARE_REDUCED
    yield from spread_share(bake.solve(), 0.0, solve_share)
    with without_last_bake(reference.find(), options, replaces_last):
        bake.collect_keys()
    yield solve_share
    yield from spread_share(bake.reduce_keys(), solve_share, 1.0)
    yield 1.0
    armature = reference.find()
    replacement = suspend_last_bake(armature, options, replaces_last)
    try:
        packed_plan = pack_plan(replace(stored_plan, options=replacement.options))
        result = bake.finish(replacement.options)
    except BaseException:
        resume_last_bake(armature, replacement)
        raise
    return _record(armature, result, packed_plan, replacement)


def _record(
    armature: bpy.types.Object,
    result: BakeResult,
    packed_plan: bytes,
    replacement: Replacement,
) -> RecordedBake:
    """Remove what a finished bake replaces, and store its plan."""
    is_whole_action = replacement.options.into != "SLOT"
    if replacement.previous is not None:
        result = replace_previous(armature, replacement.previous, result)
    attach_plan(result.action, packed_plan, "" if is_whole_action else result.slot)
    remember_keys(result.action, result.slot)
    _record_bake(armature, result, is_whole_action)
    return RecordedBake(result, replacement.note)


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
    playback_before = read_playback_before(last_bake)
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


def _record_bake(armature: bpy.types.Object, result: BakeResult, is_whole_action: bool) -> None:
    last_bake = armature.footfall_baked
    playback_before = result.playback_before
    last_bake.there = True
    last_bake.action = result.action
    last_bake.slot = result.slot
    last_bake.own = is_whole_action
    last_bake.before = playback_before.action
    last_bake.before_slot = playback_before.slot
    last_bake.track = playback_before.track
    last_bake.pushed = playback_before.pushed
    last_bake.pose = json.dumps(playback_before.pose)

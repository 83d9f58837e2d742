"""Where a bake goes: a new action, a new slot, or a strip of the NLA; and how that is taken back."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.errors import CharacterError
from ..animation.action_builder import NewAction
from ..animation.channels import slot_in
from .options import SLOTS, Options

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Placed:
    """What an armature played before a bake, and the tracks that the bake added; names and no references but the action's.

    Args:
        slot: handle of the action's slot that it played; empty where there was none.
        track: of the bake's own strip.
        pushed: track of the strip that the action before went to.
        pose: values by path, of what the bake has keyed; the action before may not have had keys of them.
    """

    action: bpy.types.Action | None
    slot: str = ""
    track: str = ""
    pushed: str = ""
    warnings: tuple[str, ...] = ()
    pose: Mapping[str, Any] = field(default_factory=dict)

    def take_back(self, armature: bpy.types.Object) -> list[str]:
        """Let the armature play what it did before; returns what the user should know. What they have made since then stays."""
        data, told = armature.animation_data, []
        for name in (self.track, self.pushed):
            track = data.nla_tracks.get(name) if name else None
            if track is not None and len(track.strips) <= 1:
                data.nla_tracks.remove(track)
            elif name:
                told.append(f"the track {name!r} {'is gone' if track is None else 'was changed since and stays'}")
        self.play(armature)
        return told

    def play(self, armature: bpy.types.Object) -> None:
        """Let the armature play the action before, and pose it as it was."""
        play(armature, self.action, self.slot)
        for path, value in self.pose.items():
            holder, name, own = _holder(path)
            try:
                thing = armature.path_resolve(holder) if holder else armature
                if own:
                    thing[name] = value
                else:
                    setattr(thing, name, value)
            except (ValueError, AttributeError):         # the bone or its constraint was removed since, and with it its pose
                continue


def play(armature: bpy.types.Object, action: bpy.types.Action | None, slot: str = "") -> None:
    """Let an armature play an action, in a slot by its handle; what it played stays in the file."""
    data = armature.animation_data
    if data.action is not None and data.action != action:
        data.action.use_fake_user = True
    data.action = action
    if action is not None and SLOTS:
        data.action_slot = slot_in(action, slot)


def played(armature: bpy.types.Object) -> Placed:
    """What an armature plays now."""
    data: Any = armature.animation_data
    if data is None or data.action is None:
        return Placed(None)
    slot = getattr(data, "action_slot", None)
    return Placed(data.action, "" if slot is None else str(slot.handle))


def pose_of(armature: bpy.types.Object, paths: Iterable[str]) -> dict[str, Any]:
    """Values by their data paths, as plain numbers and lists of them."""
    out = {}
    for path in paths:
        value = armature.path_resolve(path)
        out[path] = list(value) if hasattr(value, "__getitem__") else value
    return out


def _holder(path: str) -> tuple[str, str, bool]:
    """The path of what a property belongs to, its name, and whether it is a custom one."""
    if path.endswith('"]'):
        holder, _, name = path[:-2].rpartition('["')
        return holder, bpy.utils.unescape_identifier(name), True
    holder, _, name = path.rpartition(".")
    return holder, name, False


def refuse(armature: bpy.types.Object, frames: Array, options: Options) -> None:
    """Make sure that a bake can go where it shall.

    Raises:
        CharacterError: it cannot, with what would help.
    """
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise CharacterError(f"A strip of {armature.name!r} is being edited (Tweak Mode). Press Tab in the Nonlinear "
                             "Animation editor first.")
    if options.span is not None:
        first, last = options.span
        if not ((frames >= first) & (frames <= last)).sum() > 1:
            raise CharacterError(f"The frames {first} to {last} hold less than two of the motion, which goes from "
                                 f"{frames[0]:.0f} to {frames[-1]:.0f}. Choose some of those.")
    if options.into != "SLOT":
        return
    if not SLOTS:
        raise CharacterError("Actions have slots from Blender 4.4 on. Choose New Action under Into.")
    action = None if data is None else data.action
    if action is None:
        raise CharacterError(f"{armature.name!r} plays no action that could get a slot. Choose New Action under Into.")
    if action.library is not None or not action.is_editable:
        raise CharacterError(f"The action {action.name!r} is linked and cannot get a slot. Choose New Action under Into.")


def opened(armature: bpy.types.Object, name: str, options: Options) -> NewAction:
    """The action that will be filled."""
    return NewAction(armature, name, armature.animation_data.action if options.into == "SLOT" else None)


def place_in(armature: bpy.types.Object, new: NewAction, frames: Array, options: Options) -> Placed:
    """Let the armature play what was baked; returns what it played before."""
    before = replace(played(armature), pose=pose_of(armature, dict.fromkeys(path for path, _ in new.drawn)))
    if options.into == "STRIP":
        return _as_strip(armature, new, frames, options, before)
    new.assign()
    data = armature.animation_data
    plays = any(track.strips and not track.mute for track in data.nla_tracks)
    told = ("NLA strips play beside the new action; mute their tracks to see the plan",) if plays else ()
    return replace(before, warnings=told)


def _as_strip(armature: bpy.types.Object, new: NewAction, frames: Array, options: Options, before: Placed) -> Placed:
    """A strip on top of all others. The action there is would play over it, so it goes to a strip below, as Push Down does."""
    data = armature.animation_data or armature.animation_data_create()
    told, pushed = [], ""
    if before.action is not None:
        pushed = _push_down(data)
    name = options.strip or new.action.name
    track = data.nla_tracks.new()
    track.name = name
    strip = track.strips.new(name, int(frames[0]), new.action)
    if SLOTS:
        strip.action_slot = new.slot
    strip.action_frame_start, strip.action_frame_end = float(frames[0]), float(frames[-1])
    strip.frame_start, strip.frame_end = float(frames[0]), float(frames[-1])
    strip.extrapolation = "NOTHING"
    strip.blend_in, strip.blend_out = float(options.blend_in), float(options.blend_out)
    if not data.use_nla:
        told.append("the NLA of this armature is switched off; switch it on in the Nonlinear Animation editor to see the strip")
    if any(other.is_solo for other in data.nla_tracks):
        told.append("another track plays solo; end that to see the strip")
    return replace(before, track=track.name, pushed=pushed, warnings=tuple(told))


def _push_down(data: Any) -> str:
    """The action as a strip that plays as it did; returns its track."""
    action, slot = data.action, getattr(data, "action_slot", None)
    begin, end = (float(f) for f in action.frame_range)
    first = int(np.floor(begin))
    blend, influence, beyond = data.action_blend_type, data.action_influence, data.action_extrapolation
    data.action = None
    track = data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, first, action)
    if slot is not None:
        strip.action_slot = slot
    strip.action_frame_start, strip.action_frame_end = float(first), max(end, first + 1.0)
    strip.frame_start, strip.frame_end = strip.action_frame_start, strip.action_frame_end
    strip.blend_type, strip.extrapolation = blend, beyond
    if influence < 1:
        strip.use_animated_influence, strip.influence = True, influence
    return str(track.name)

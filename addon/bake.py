"""A motion as keys on a rig's own bones."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.character.binding import Binding, pose_bones
from ..core.errors import CharacterError
from ..core.motion import Motion
from .constrained import acting_on, told_off
from .controls import bake_controls
from .kept import keep_others
from .keys import NewAction
from .locks import told_locked
from .plain_bones import Plain
from .posing import moving
from .root_motion import way_of
from .targets import target_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Way:
    """How a bake goes onto a rig, where it can go in several ways.

    Args:
        by_feet: legs of control rigs by inverse kinematics.
        root: what carries the way over the ground, one of `root_motion.WAYS`.
    """

    by_feet: bool = False
    root: str = "BODY"


@dataclass(frozen=True)
class Baked:
    """What a bake made; `warnings` tell what may show on the rig in another way than planned.

    `asides` are what need not worry them.
    """

    action: bpy.types.Action
    frames: int
    bones: int
    warnings: tuple[str, ...]
    asides: tuple[str, ...] = ()


def bake_motion(armature: bpy.types.Object, motion: Motion, binding: Binding, placement: Array, first_frame: int,
                way: Way = Way()) -> Baked:
    """Bake a motion into a new action of an armature, a key a frame.

    Args:
        placement: (4, 4) from the armature's space to the motion's, of one scale.

    Raises:
        CharacterError: the armature has lost a bone since the motion was asked for.
    """
    missing = [name for name in (*binding.bones, *binding.between) if name not in armature.pose.bones]
    if missing:
        raise CharacterError(f"The armature {armature.name!r} no longer has the bone {missing[0]!r}. Detect the character again.")
    poses = pose_bones(binding, motion.link_origin, motion.link_orientation, motion.toe_orientation)
    frames = first_frame + np.arange(motion.frames, dtype=float)
    new = NewAction(armature, f"{armature.name} {motion.report.scenario}")
    target = target_of(armature, binding)
    size = float(np.cbrt(np.linalg.det(placement[:3, :3])))
    free: set[str] = set()
    try:
        work = Plain(armature, binding, poses, placement, new, frames)
        over = None if way.root == "BODY" else way_of(armature, motion, binding, placement)
        told = [] if over is None else work.part_way(over, way.root, target)
        under = over if way.root == "ROOT" else None
        if target is None:
            count = work.bake()
            told = told + told_locked(work.held)
            acting, planned = acting_on(armature, work.keyed()), work.planned(size, under)
        else:
            fitted = target.on(armature, way.by_feet, binding.bones)
            posed = bake_controls(armature, fitted, binding, work.wished, work.head, new, frames, under)
            count, told, free = len(posed.controls), told + posed.told, posed.free
            acting, planned = acting_on(armature, posed.controls), posed.planned(binding, size)
            if way.by_feet and not fitted.bones:
                told.append(f"Footfall knows no legs by inverse kinematics of {target.name} rigs like {armature.name!r}; their "
                            "joints were keyed")
        kept = keep_others(new, armature, moving(armature, (*binding.bones, *binding.between)), free)
    except BaseException:
        new.discard()
        raise
    action = new.assign()
    off, harmless = told_off(armature, acting, planned, frames, spread=target is not None)
    if kept:
        harmless = [*harmless, f"{len(kept)} other bone{'s go' if len(kept) > 1 else ' goes'} on as before"]
    return Baked(action, motion.frames, count, (*told, *off, *_other_layers(armature)), tuple(harmless))


def _other_layers(armature: bpy.types.Object) -> list[str]:
    data = armature.animation_data
    if data and any(track.strips and not track.mute for track in data.nla_tracks):
        return ["NLA strips play beside the new action; mute their tracks to see the plan"]
    return []

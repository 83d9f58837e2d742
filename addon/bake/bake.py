"""A motion as keys on a rig's own bones."""
from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding, pose_bones
from ...core.errors import CharacterError
from ...core.motion import Motion
from ..animation.channels import curves_of
from ..rigs.constraints import acting_on, told_off
from ..rigs.dependencies import moving
from ..rigs.known_rigs import target_of
from ..rigs.locks import told_locked
from ..rigs.options import USUAL, Way
from .bone_filter import OBJECT, keep_wanted
from .contact_error import Soles
from .control_rig import bake_controls
from .deform_bones import Plain
from .destination import Placed, opened, place_in, refuse
from .key_reduction import thin
from .options import PLAIN, Options
from .other_channels import in_the_way, keep_others
from .root_motion import way_of
from .surrounding_keys import Around

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Baked:
    """What a bake made; `warnings` tell what may show on the rig in another way than planned.

    `asides` are what need not worry them.
    """

    action: bpy.types.Action
    frames: int
    bones: int
    warnings: tuple[str, ...]
    asides: tuple[str, ...]
    placed: Placed
    slot: str = ""


def bake_motion(armature: bpy.types.Object, motion: Motion, binding: Binding, placement: Array, first_frame: int,
                way: Way = USUAL, options: Options = PLAIN) -> Baked:
    """Bake a motion onto an armature: into a new action, a key a frame, unless the options say otherwise.

    Args:
        placement: (4, 4) from the armature's space to the motion's, of one scale.

    Raises:
        CharacterError: the armature has lost a bone since the motion was asked for, or the options do not fit it.
    """
    missing = [name for name in (*binding.bones, *binding.between) if name not in armature.pose.bones]
    if missing:
        raise CharacterError(f"The armature {armature.name!r} no longer has the bone {missing[0]!r}. Detect the character again.")
    poses = pose_bones(binding, motion.link_origin, motion.link_orientation, motion.toe_orientation)
    frames = first_frame + np.arange(motion.frames, dtype=float)
    refuse(armature, frames, options)
    soles = Soles(armature, motion, binding, placement, way.root)
    new = opened(armature, f"{armature.name} {motion.report.scenario}", options)
    target = target_of(armature, binding)
    size = float(np.cbrt(np.linalg.det(placement[:3, :3])))
    placed: Placed | None = None
    free: set[str] = set()
    follows: dict[str, str] = {}
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
            count, told, free, follows = len(posed.controls), told + posed.told, posed.free, posed.follows
            acting, planned = acting_on(armature, posed.controls), posed.planned(binding, size)
            if way.by_feet and not fitted.bones:
                told.append(f"Footfall knows no legs by inverse kinematics of {target.name} rigs like {armature.name!r}; their "
                            "joints were keyed")
        keep_wanted(armature, new, binding, motion, options, follows)
        whole = options.bones == "ALL"
        moves = moving(armature, (*binding.bones, *binding.between)) | {OBJECT} if whole else new.bones()
        around = Around(armature, curves_of(armature), options, frames)
        around.fit(new, [place for place, curve in around.curves.items() if in_the_way(curve, moves, free)])
        kept = keep_others(new, armature, moves, free) if options.into != "STRIP" else []
        new.write()
        placed = place_in(armature, new, around.frames, options)
        shown = planned.at(around.inside)
        off, harmless = told_off(armature, acting, shown, around.frames, target is not None) if options.whole else ([], [])
        thinned = thin(armature, new, soles, around, options, follows)
    except BaseException:
        if placed is not None:
            placed.take_back(armature)
        new.discard()
        raise
    if kept:
        harmless = [*harmless, f"{len(kept)} other bone{'s go' if len(kept) > 1 else ' goes'} on as before"]
    count = count if whole else len(new.bones() - {OBJECT})
    return Baked(new.action, len(around.frames), count, (*told, *off, *placed.warnings), (*harmless, *thinned), placed,
                 new.slot_handle)

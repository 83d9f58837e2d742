"""The motion of an armature solved again around footsteps that were changed, and its keys replaced."""
from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.character.recognition.skeleton import Skeleton
from ...core.engine.centroidal.editing.resolve import kept_step, stretch_of
from ...core.engine.shared.checks import trespasses
from ...core.errors import CharacterError, TaskError
from ...core.motion import Motion
from ...core.task import Task
from ..animation.replace_keys import keys_of, take_over
from ..bake.bake import bake_motion
from ..bake.edit_check import note_keys, untouched
from ..bake.stored_plan import Planned, planned_of, replan, slot_of, stamp_played
from ..rigs.armature import placement, read_skeleton
from ..scene.forbidden import forbidden_for
from ..scene.rig import read_rig
from ..worker.job import Again, Job
from .edits import Edits, read_edits
from .objects import are_current, cannot_keep, is_kept, show_steps, shown_steps

Array = NDArray[np.float64]

SOONEST = 0.12            # s from the middle of one contact to the next, of feet that take turns
SPOKEN = {"L": "left", "R": "right"}


@dataclass(frozen=True)
class Wish:
    """A motion that is to be solved again from `begin` to `end`, s; names and no references, so that it outlives an undo."""

    armature: str
    planned: Planned
    task: Task
    begin: float
    end: float
    mark: str
    stamp: str

    def start(self) -> Job:
        """Have it worked on."""
        return Job(self.task, self.planned.style, Again(self.planned.motion, self.begin, self.end))

    def binding(self, scene: bpy.types.Scene) -> Binding:
        """How the armature's bones follow the motion; best read while the work is done.

        Raises:
            FootfallError: the armature is gone, or is no character any more.
        """
        armature = _armature(self.armature, scene)
        bones = _as_planned(read_skeleton(armature, scene), placement(armature, scene), self.planned.placement)
        return read_rig(armature, bones).binding


def pending(armature: bpy.types.Object) -> Edits:
    """What was done to an armature's footsteps that its motion does not follow yet."""
    planned = planned_of(armature)
    if planned is None or not are_current(armature):
        return Edits()
    edits, scene = read_edits(armature, planned), armature.users_scene[0] if armature.users_scene else None
    new = () if scene is None else forbidden_for(armature, scene)
    if new != planned.task.forbidden and any(trespasses(f, new) for f in shown_steps(planned.motion)):
        edits = replace(edits, mark=f"{edits.mark} {new}")
    return edits


def wish_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> Wish | None:
    """What is to be solved for the footsteps as they are; None where nothing was changed.

    Raises:
        FootfallError: the motion cannot be solved so; the message says why.
    """
    planned = planned_of(armature)
    if planned is None or not are_current(armature):
        raise TaskError(f"The footsteps are not those of the motion that {armature.name!r} plays. Press Show Footsteps again.")
    if cannot_keep(armature, planned):
        raise TaskError(f"{cannot_keep(armature, planned)}.")
    edits = pending(armature)
    if not edits:
        return None
    task = replace(edits.task(planned.task, planned.motion), forbidden=forbidden_for(armature, scene))
    _refuse_at_once(planned, task)
    begin, end = stretch_of(planned.motion, planned.task, task)
    return Wish(armature.name, planned, task, begin, end, edits.mark, armature.footfall_steps.stamp)


def take_in(wish: Wish, motion: Motion, binding: Binding, scene: bpy.types.Scene) -> str:
    """Bake a motion that was solved again into the action that the armature plays, and show its footsteps; tells what was done.

    Where somebody changed keys of that action by hand, a copy of it is kept, and only the keys of the stretch are replaced.

    Raises:
        FootfallError: the armature is gone, or plays something else by now.
    """
    armature = _armature(wish.armature, scene)
    if stamp_played(armature) != wish.stamp:
        raise TaskError(f"{armature.name!r} plays another motion by now. Press Show Footsteps again.")
    planned = wish.planned
    # what is kept is kept where it came to be: the next time it is left alone there, to the instant
    kept = tuple(kept_step(f) for f in shown_steps(motion) if is_kept(f, wish.task.kept))
    planned = replace(planned, task=replace(wish.task, kept=kept), motion=motion)
    told = _rebake(armature, planned, binding, (wish.begin, wish.end))
    show_steps(armature, planned, scene)
    return "; ".join([*told, *(e.text() for e in motion.report.eased if e.end > wish.begin and e.begin < wish.end)][:3])


def _refuse_at_once(planned: Planned, task: Task) -> None:
    """Make sure that feet which take turns are not to come down together."""
    times = [f.time for f in shown_steps(planned.motion)]
    usual = min((b - a for a, b in pairwise(times)), default=SOONEST)
    for a, b in pairwise(sorted(task.kept, key=lambda k: k.time)):
        if b.time - a.time < min(SOONEST, 0.9 * usual):
            first, second = (f"{SPOKEN[k.side]} foot at frame {planned.frame_at(k.time):.0f}" for k in (a, b))
            raise TaskError(f"The {first} and the {second} are too near in time. Unpin or delete one of them, or give it another "
                            "frame.")


def _armature(name: str, scene: bpy.types.Scene) -> bpy.types.Object:
    armature = scene.objects.get(name)
    if armature is None or armature.type != "ARMATURE":
        raise CharacterError(f"The armature {name!r} is no longer in the scene, so there was nothing to bake onto.")
    if armature.mode == "EDIT":
        raise CharacterError(f"The armature {name!r} is being edited. Leave edit mode first.")
    return armature


def _rebake(armature: bpy.types.Object, planned: Planned, binding: Binding, stretch: tuple[float, float]) -> list[str]:
    """Replace keys of the action that an armature plays."""
    data, action = armature.animation_data, armature.animation_data.action
    slot, fake = getattr(data, "action_slot", None), action.use_fake_user
    whole, channels = untouched(action, slot_of(armature)), set(keys_of(armature))
    baked = bake_motion(armature, planned.motion, binding, planned.placement, planned.first_frame, planned.way,
                        replace(planned.options, into="ACTION"))
    try:
        new = keys_of(armature)
    finally:
        data.action = action
        if slot is not None:
            data.action_slot = slot
        action.use_fake_user = fake
    told = list(baked.warnings)
    if not whole:
        copy = action.copy()
        copy.use_fake_user = True
        told.append(f"keys were changed by hand: {copy.name!r} is the action as it was")
    frames = None if whole else (np.ceil(planned.frame_at(stretch[0])), np.floor(planned.frame_at(stretch[1])))
    take_over(armature, new, frames)
    if set(new) - channels:
        told.append("the rig has other channels than when it was baked; generate anew to key them all")
    bpy.data.actions.remove(baked.action)
    replan(armature, planned)
    note_keys(action, slot_of(armature))
    return told


def _as_planned(bones: Skeleton, now: Array, then: Array) -> Skeleton:
    """Bones at rest where they were when the motion was planned, wherever the armature has been moved since."""
    moved = then @ np.linalg.inv(now)
    turn = moved[:3, :3] / np.cbrt(np.linalg.det(moved[:3, :3]))

    def there(points: Array) -> Array:
        return points @ moved[:3, :3].T + moved[:3, 3]

    return replace(bones, heads=there(bones.heads), tails=there(bones.tails), axes=turn @ bones.axes,
                   skin={name: there(points) for name, points in bones.skin.items()})

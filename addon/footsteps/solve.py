"""Solution of a motion around edited footsteps, and replacement of its keys."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, replace
from itertools import pairwise

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.binding import Binding
from ...core.engine.centroidal.editing.pinned_steps import make_pinned_step
from ...core.engine.centroidal.editing.stretch import find_affected_stretch
from ...core.engine.shared.checks import is_on_forbidden_ground
from ...core.errors import CharacterError, FootfallError, TaskError
from ...core.motion import Motion
from ...core.task import Task
from ..animation.replace_keys import read_action_keys, replace_keys
from ..bake.bake import MotionBake
from ..bake.edit_check import has_unedited_keys, remember_keys
from ..bake.slices import spread_share
from ..bake.stored_plan import (
    StoredPlan,
    get_played_stamp,
    get_slot_handle,
    pack_plan,
    read_played_plan,
    replace_played_plan,
)
from ..references import SceneReference
from ..rigs.armature import read_placement, read_skeleton
from ..scene.forbidden import read_forbidden_for_motion
from ..scene.rig import read_rig
from ..worker.job import Job, ResolveWindow
from .edits import StepEdits, read_edits
from .objects import (
    MIN_STEP_INTERVAL,
    explain_not_editable,
    has_current_steps,
    is_pinned_step,
    list_shown_steps,
    show_steps,
)

Array = NDArray[np.float64]

# A motion with a shorter interval than `MIN_STEP_INTERVAL` lowers that limit to this share of its
# shortest one, so that a step may be pinned where it is, or nearly so.
MIN_INTERVAL_RATIO = 0.9
# Time between two polls of the worker [s]; a solution takes tenths of a second.
POLL_INTERVAL = 0.01
SOLVE_SHARE = 0.6  # share of the progress that is shown for the solution; the bake is the rest
MAX_NOTES = 3  # number of notes in a message, which stands in the status bar
SIDE_WORDS = {"L": "left", "R": "right"}


class NoEditsError(FootfallError):
    """No footstep was changed, so there is nothing to solve."""


@dataclass(frozen=True)
class SolveRequest:
    """Request to solve a stretch of a motion again.

    It holds names instead of references to Blender's data, so that it survives an undo.
    """

    armature: str  # name of the armature
    stored_plan: StoredPlan  # plan before the edits
    task: Task  # task with the edits
    begin: float  # start of the stretch [s]
    end: float  # end of the stretch [s]
    mark: str  # digest of the edits
    stamp: str  # identifier of the shown plan

    def start_job(self) -> Job:
        """Start a job for the request."""
        return Job(
            self.task,
            self.stored_plan.style,
            ResolveWindow(self.stored_plan.motion, self.begin, self.end),
        )

    def read_binding(self, scene: bpy.types.Scene) -> Binding:
        """Return the relation between links and bones; best called while the job runs.

        Raises:
            FootfallError: the armature was deleted or is no longer a character.
        """
        armature = _find_armature(self.armature, scene)
        # at the placement of the plan, if the armature was turned or scaled since
        transform = self.stored_plan.placement @ np.linalg.inv(read_placement(armature, scene))
        skeleton = read_skeleton(armature, scene).transform(transform[:3, :3])
        return read_rig(armature, skeleton).binding


def read_pending_edits(armature: bpy.types.Object) -> StepEdits:
    """Return the edits of an armature's footsteps that its motion does not contain."""
    stored_plan = read_played_plan(armature)
    if stored_plan is None or not has_current_steps(armature):
        return StepEdits()
    edits = read_edits(armature, stored_plan)
    scene = armature.users_scene[0] if armature.users_scene else None
    areas = () if scene is None else read_forbidden_for_motion(armature, scene)
    if areas != stored_plan.task.forbidden_areas and any(
        is_on_forbidden_ground(footstep, areas) for footstep in list_shown_steps(stored_plan.motion)
    ):
        edits = replace(edits, mark=f"{edits.mark} {areas}")
    return edits


def make_solve_request(armature: bpy.types.Object, scene: bpy.types.Scene) -> SolveRequest | None:
    """Return the request for the current footsteps; None without edits.

    Raises:
        FootfallError: the footsteps cannot be edited, or the edits contradict each other.
    """
    stored_plan = read_played_plan(armature)
    if stored_plan is None or not has_current_steps(armature):
        raise TaskError(
            f"The footsteps are not those of the motion that {armature.name!r} plays. Press Show "
            "Footsteps again."
        )
    if explain_not_editable(armature, stored_plan):
        raise TaskError(f"{explain_not_editable(armature, stored_plan)}.")
    edits = read_pending_edits(armature)
    if not edits:
        return None
    task = replace(
        edits.apply_to(stored_plan.task, stored_plan.motion),
        forbidden_areas=read_forbidden_for_motion(armature, scene),
    )
    _check_step_times(stored_plan, task)
    stretch = find_affected_stretch(stored_plan.motion, stored_plan.task, task)
    return SolveRequest(
        armature.name,
        stored_plan,
        task,
        begin=stretch.begin,
        end=stretch.end,
        mark=edits.mark,
        stamp=armature.footfall_steps.stamp,
    )


def apply_result(
    request: SolveRequest, motion: Motion, binding: Binding, scene: bpy.types.Scene
) -> Generator[float, None, str]:
    """Bake a motion into the action that the armature plays, and show its footsteps.

    Yields the completed share from time to time; until the last step everything is as it was. If
    keys of the action were edited, a copy of the action is kept and only the keys of the stretch
    are replaced.

    Args:
        request: request that the motion answers.
        motion: new motion.
        binding: relation between links and bones.
        scene: scene of the armature.

    Returns:
        Notes and violations for the user, as one line; empty if there are none.

    Raises:
        FootfallError: the armature was deleted or plays another motion.
    """
    scene_reference = SceneReference(scene)
    armature = _find_baked_armature(request, scene)
    stored_plan = request.stored_plan
    # Pin footsteps where the solution placed them, so that the next solution keeps them exactly.
    pinned_steps = tuple(
        make_pinned_step(footstep)
        for footstep in list_shown_steps(motion)
        if is_pinned_step(footstep, request.task.pinned_steps)
    )
    stored_plan = replace(
        stored_plan, task=replace(request.task, pinned_steps=pinned_steps), motion=motion
    )
    bake = MotionBake(
        armature,
        motion,
        binding,
        placement=stored_plan.motion_placement,
        options=replace(stored_plan.options, into="ACTION"),
    )
    yield from bake.solve()
    _find_baked_armature(request, scene_reference.find())
    bake.collect_keys()
    yield from bake.reduce_keys()
    scene = scene_reference.find()
    armature = _find_baked_armature(request, scene)
    notes = _replace_action_keys(armature, stored_plan, bake, (request.begin, request.end))
    show_steps(armature, stored_plan, scene)
    return "; ".join(
        [
            *notes,
            *(
                violation.describe()
                for violation in motion.report.violations
                if violation.end > request.begin and violation.begin < request.end
            ),
        ][:MAX_NOTES]
    )


def solve_and_apply(request: SolveRequest, scene: bpy.types.Scene) -> Generator[float, None, str]:
    """Solve a stretch again and bake it, as `apply_result` does.

    Raises:
        FootfallError: the stretch cannot be solved, or `apply_result` fails.
    """
    scene_reference = SceneReference(scene)
    job = request.start_job()
    try:
        binding = request.read_binding(scene)
        while (progress := job.poll()).motion_file is None:
            time.sleep(POLL_INTERVAL)
            yield SOLVE_SHARE * progress.share
        motion = job.load_result()
    finally:
        job.stop()
    message = yield from spread_share(
        apply_result(request, motion, binding, scene_reference.find()), SOLVE_SHARE, 1.0
    )
    return message


def _check_step_times(stored_plan: StoredPlan, task: Task) -> None:
    """Check that pinned footsteps are not too close in time.

    Raises:
        TaskError: two of them are.
    """
    times = [footstep.time for footstep in list_shown_steps(stored_plan.motion)]
    min_interval = min((b - a for a, b in pairwise(times)), default=MIN_STEP_INTERVAL)
    for a, b in pairwise(sorted(task.pinned_steps, key=lambda k: k.time)):
        if b.time - a.time < min(MIN_STEP_INTERVAL, MIN_INTERVAL_RATIO * min_interval):
            first, second = (
                f"{SIDE_WORDS[k.side]} foot at frame {stored_plan.frame_at(k.time):.0f}"
                for k in (a, b)
            )
            raise TaskError(
                f"The {first} and the {second} are too close in time. Unpin or delete one of them, "
                "or change its frame."
            )


def _find_baked_armature(request: SolveRequest, scene: bpy.types.Scene) -> bpy.types.Object:
    """Return the armature, which plays the motion that a request is about.

    Raises:
        FootfallError: it was deleted or plays another motion.
    """
    armature = _find_armature(request.armature, scene)
    if get_played_stamp(armature) != request.stamp:
        raise TaskError(f"{armature.name!r} now plays another motion. Press Show Footsteps again.")
    return armature


def _find_armature(name: str, scene: bpy.types.Scene) -> bpy.types.Object:
    armature = scene.objects.get(name)
    if armature is None or armature.type != "ARMATURE":
        raise CharacterError(
            f"The armature {name!r} is no longer in the scene, so there was nothing to bake onto."
        )
    if armature.mode == "EDIT":
        raise CharacterError(f"The armature {name!r} is being edited. Leave edit mode first.")
    return armature


def _replace_action_keys(
    armature: bpy.types.Object,
    stored_plan: StoredPlan,
    bake: MotionBake,
    stretch: tuple[float, float],
) -> list[str]:
    """Replace keys of the action that an armature plays.

    Args:
        armature: armature with the action.
        stored_plan: plan with the new motion.
        bake: bake of that motion, which was solved.
        stretch: begin and end of the stretch that was solved again [s].

    Returns:
        Notes for the user.
    """
    action = armature.animation_data.action
    is_unedited = has_unedited_keys(action, get_slot_handle(armature))
    channels_before = set(read_action_keys(armature))
    packed_plan = pack_plan(stored_plan)
    new_keys = bake.build_keys()
    notes = list(bake.warnings)
    if not is_unedited:
        backup = action.copy()
        backup.use_fake_user = True
        notes.append(f"keys were edited: {backup.name!r} is a copy of the previous action")
    frame_range = (
        None
        if is_unedited
        else (np.ceil(stored_plan.frame_at(stretch[0])), np.floor(stored_plan.frame_at(stretch[1])))
    )
    replace_keys(armature, new_keys, frame_range)
    if set(new_keys) - channels_before:
        notes.append(
            "the rig has channels that it did not have at the last bake; generate the motion again "
            "to key them in all frames"
        )
    replace_played_plan(armature, packed_plan)
    remember_keys(action, get_slot_handle(armature))
    return notes

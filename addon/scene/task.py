"""A scene's settings as a task."""
from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.character.from_rig.rig import Rig
from ...core.character.recognition.deform_skeleton import body_of
from ...core.clip import QuadrupedStyle, Recipe, Style
from ...core.engine.shared.arrival import arriving
from ...core.errors import TaskError
from ...core.sketch.gait.default_speed import gait_speed
from ...core.task import Path, Profile, SpeedProfile, Task, Turned
from ..rigs.armature import placement, read_skeleton
from ..rigs.options import Way
from ..settings.motion import Wish
from ..units import gravity_of
from .active import active_armature, own_wish
from .bars import read_rungs
from .events import read_jumps, read_pushes
from .forbidden import read_forbidden
from .hurdles import Bars, read_hurdles
from .key_poses import read_struck
from .meshes import names_in, read_ground
from .orientation import read_look, read_turned
from .path import read_going
from .rig import _rig_and_manner
from .speed import Walker, own_speed, read_pace
from .stones import read_stones
from .style import chosen_style, shelf_style


@dataclass(frozen=True)
class Asked:
    """A task with what is needed to bake its motion; names and no references, so that it outlives an undo.

    `notes` are what the user should know of the scene besides; `style` is one that no names and no files tell alone, but an action.
    """

    task: Task
    rig: Rig
    placement: NDArray[np.float64]
    armature: str
    first_frame: int
    way: Way
    notes: tuple[str, ...] = ()
    style: Style | QuadrupedStyle | None = None


def hopping(wish: Wish) -> str | None:
    """The gait of a simulated body that is to hop; None of any other."""
    return f"hop {wish.legs_used}" if wish.engine == "preview" and wish.legs_used != "both" else None


def read_task(context: bpy.types.Context) -> Asked:
    """Everything that is asked of the active character.

    Raises:
        FootfallError: what is missing or cannot be, and what to do about it.
    """
    armature = active_armature(context)
    return read_task_of(armature, own_wish(context.scene, armature) or context.scene.footfall, context.scene)


def read_task_of(armature: bpy.types.Object, wish: Wish, scene: bpy.types.Scene) -> Asked:
    """Everything that is asked of a character, read from the scene without changing it.

    Raises:
        FootfallError: what is missing or cannot be, and what to do about it.
    """
    shared = scene.footfall
    skeleton = read_skeleton(armature, scene)
    rig, four = _rig_and_manner(armature, skeleton, wish)
    frames = scene.frame_end - scene.frame_start
    if frames < 3:
        raise TaskError(f"The scene runs from frame {scene.frame_start} to {scene.frame_end}; give it at least four frames.")
    fps, gravity = scene.render.fps / scene.render.fps_base, gravity_of(scene)
    rungs = read_rungs(wish.bars, scene, placement(armature, scene)[:3, 3])
    path, facing = read_going(wish, scene) if rungs is None else (Path(rungs.rungs[:, :2]), None)
    own = gait_speed(rig.character)
    style = shelf_style(wish) if own else chosen_style(wish)          # of a body that goes by gaits it tells nothing
    walker = Walker(rig.character.leg_length, path, style, gravity)
    ground = read_ground(shared.terrain, scene, apart=names_in(shared.hurdles, shared.stones, wish.bars))
    bars, jumps = read_hurdles(shared.hurdles, scene, ground, walker), read_jumps(wish, scene, fps)
    stays = jumps if wish.engine != "preview" else ()          # a simulated body leaps as it goes; the other does nothing else
    swings = rungs is not None and wish.natural_speed          # as fast as a body swings from rung to rung
    pace = None if stays or rungs else read_pace(wish, scene, walker.path, fps)
    arrives = pace is not None and wish.arrive
    top = 0.0 if stays or swings else _speed(wish, walker, bars, own_speed(own, gravity, four.made))
    speed = SpeedProfile(top) if pace is None else pace.at(walker.path.length / pace.moving if arrives else top)
    walks = walker.walks_at(speed.top)
    if not stays:
        bars.refuse_too_high(walker, speed.top)
    ground, stones = read_stones(shared.stones, scene, ground, walker, walks)
    # the body's own bones alone, hung as the body hangs together: what controls them is Blender's matter
    body = replace(body_of(skeleton).skeleton, parts=skeleton.parts)
    told = four.made.gait is not None        # the style has a gait of its own
    gait = hopping(wish) or (None if not own or told or wish.gait == "natural" else wish.gait)
    still = bool(own or stays or rungs)                  # bodies that have nothing to do with their facing, heads and hands
    stride = None if wish.natural_stride or own else Profile("stride", wish.stride)
    made = four.shown if own else style.made if style.acted else None
    asked = Recipe(four.what) if own else style.recipe if made is None else Recipe("natural")
    task = Task(walker.path, speed, character=body, ground=ground, seconds=frames / fps, fps=fps, style=asked.style, gait=gait,
                engine=wish.engine, start="standing" if stays or rungs else wish.start, gravity=gravity, seed=wish.seed,
                friction=shared.friction, mass=armature.footfall.mass or None,
                name=four.spoken if own else style.spoken, stride=stride, width=Profile("width", wish.width),
                pushes=read_pushes(wish, scene, fps), hurdles=bars.hurdles, stones=stones, jumps=jumps, bars=rungs,
                tread=wish.tread, knobs=asked.knobs, mixed=asked.mixed, upper=asked.upper,
                turned=Turned(0.0) if still or facing is not None else read_turned(wish, scene, fps),
                facing=None if still else facing,
                look=None if still else read_look(wish.look_at, scene, fps),
                struck=() if still else read_struck(wish.struck, scene, fps, rig.character),
                forbidden=() if still else read_forbidden(scene))
    if pace is not None and arrives:
        task = arriving(task, pace)
    return Asked(task, rig, placement(armature, scene), armature.name, scene.frame_start, read_way(wish), bars.notes, made)


def read_way(wish: Wish) -> Way:
    """How the bake shall go onto the rig."""
    return Way(by_feet=wish.controls == "IK", root=wish.root_motion)


def _speed(wish: Wish, walker: Walker, bars: Bars, own: float) -> float:
    """Speed in m/s that is asked for: by itself a style that can run does so where a hurdle is too high to step over.

    Args:
        own: of a body of another build than people's, m/s; 0 for people.
    """
    if not wish.natural_speed:
        return float(wish.speed)
    if own:
        return own
    usual = walker.natural_speed()
    return walker.leaping_speed() if bars.tallest > walker.passes_over(usual) else usual

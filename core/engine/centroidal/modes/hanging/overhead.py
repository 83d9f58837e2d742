"""The sketch of a task with bars, drawn: holds, the course below them, and how the body hangs."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from .....character.kinematic_model import KinematicModel
from .....clip.pose.hanging import Hang, arm_length, arms_to
from .....clip.style.style import Style
from .....errors import TaskError
from .....geometry import so3
from .....plan.reference import DT, PlanReference
from .....task import Bars, Task
from ..as_sketch import told_as_sketch
from .arms import Pendulum, Support, dangling
from .handholds import Handholds, take_hold
from .hanging import STRAIGHTEST, Swinging, hands_at, shoulders_of

Array = NDArray[np.float64]

PAST = 1.3                    # s past the clip's end after which no hand leaves its rung
STRAIGHT = 0.982              # of an arm's length at which it bears: an elbow bent by 22 degrees
TURN_SMOOTH, LIST_SMOOTH, RISE_SMOOTH = 0.12, 0.1, 0.06      # s
HELD = 0.03                   # s before and after a hold in which its arm must reach it already, and still
LIST = np.radians(7)          # by which the shoulder that bears is raised, and the one that reaches before it bears
LEADS = 0.12                  # s
TWIST = 2.6                   # half shoulder widths that hands are apart along the way where the chest turns by 45 degrees
THIGH, KNEE = np.radians(20), np.radians(42)     # of a body that hangs at rest
SCISSORS = np.radians(14)     # of the thighs against each other, as the chest turns by its usual most
USUAL_TWIST = np.radians(40)
KNEE_GIVES = 0.8              # times as far as the thigh swings
LEG_PACE, LEG_DAMPING = 4.6, 0.25     # rad/s and share of the critical, of legs of 0.93 m
CLEAR = 0.05                  # m that feet keep from the ground


def draw_bars(task: Task, bars: Bars, model: KinematicModel, style: Style) -> Swinging:
    """Sketch, course and poses of a task with bars.

    Raises:
        CharacterError: the body has no hands.
        TaskError: a rung that no hand reaches, or one so low that feet would touch the ground.
    """
    arm = arm_length(model) if model.character.hands else 0.0
    below, feet, gyration = _at_rest(model)
    pendulum = Pendulum(STRAIGHT * arm + below, gyration, task.gravity)
    holds = take_hold(task, bars, model.character, arm, pendulum.half_period, task.seconds + PAST)
    _off_the_ground(task, bars, arm + feet)
    time = np.arange(0.0, max(task.seconds + 2 * PAST, float(holds.both[-1, 0]) + PAST), DT)
    support = Support.of(holds, time)
    level, lean = pendulum.swing(time, holds, support)
    com = np.column_stack([level, np.zeros(len(time))])
    yaw = gaussian_filter1d(support.share @ holds.headings, TURN_SMOOTH / DT, mode="nearest")
    frame = PlanReference(time, com, yaw, lean, task.gravity)
    hung = _hang(model, frame, support, holds, task.gravity).poses(model)
    com[:, 2] = _height(model, frame, hung, holds, support, arm)
    reference = PlanReference(time, com, yaw, lean, task.gravity)
    grips = np.stack([h.place for h in hands_at(model, holds, time)], 1)
    poses = placed_along(model, hung, reference.at(time).rotation, com, grips)
    drawn = told_as_sketch(task, model.character, style, reference, list(holds.grips), pendulum.length)
    notes = (*drawn.course.notes, *holds.notes)
    return Swinging(model, replace(drawn, course=replace(drawn.course, notes=notes)), reference, holds, hung,
                    _inertia(model, poses, reference.at(time).rotation), shoulders_of(model, model.place(poses)), arm)


def placed_along(model: KinematicModel, hung: Array, rotation: Array, com: Array, grips: Array) -> Array:
    """Poses turned and placed in the world, arms to where the hands are. (n, nq).

    Args:
        hung: (n, nq) in the plan's frame.
        rotation: (n, 3, 3) of that frame.
        com: (n, 3) where the centre of mass is to be.
        grips: (n, h, 3) of the hands that can hold.
    """
    pose = hung.copy()
    pose[:, 3:7] = so3.quat_multiply(so3.quat_from_matrix(rotation), pose[:, 3:7])
    pose[:, :3] += com - model.place(pose).com
    for _ in range(2):                            # where arms are moves the centre of mass, and the shoulders with it
        pose = arms_to(model, pose, grips)
        pose[:, :3] += com - model.place(pose).com
    return arms_to(model, pose, grips)


def _at_rest(model: KinematicModel) -> tuple[float, float, float]:
    """Of a body that hangs: its centre of mass and its lowest point below the shoulders, m, and its gyration, m."""
    one, legs = np.zeros(1), len(model.character.legs)
    hang = Hang(np.eye(3)[None], one, one, np.full((1, legs), THIGH), np.full((1, legs), KNEE)).poses(model)
    placed, character = model.place(hang), model.character
    shoulder = float(np.mean([placed.origin[0, arm.links[0], 2] for arm in character.arms])) if character.arms else 0.0
    low = min(float((placed.origin[0, f.link] + placed.rotation[0, f.link] @ p)[2])
              for f in character.feet for p in (f.heel, f.ball, f.tip))
    inertia = model.centroidal(hang).inertia[0]
    return shoulder - float(placed.com[0, 2]), shoulder - low, float(np.sqrt(inertia[1, 1] / character.mass))


def _off_the_ground(task: Task, bars: Bars, needed: float) -> None:
    """Refuse rungs from which feet would touch the ground."""
    height = bars.rungs[:, 2] - task.ground.height(bars.rungs[:, :2])
    low = np.flatnonzero(height < needed + CLEAR)
    if low.size:
        raise TaskError(f"Rung {low[0] + 1} is {height[low[0]]:.2f} m above the ground; a body that hangs from it needs "
                        f"{needed + CLEAR:.2f} m for its feet to be free. Raise the bars.")


def _hang(model: KinematicModel, frame: PlanReference, support: Support, holds: Handholds, gravity: float) -> Hang:
    """How trunk and legs hang along a course."""
    time, character = frame.time, model.character
    wished = frame.at(time)
    upright = so3.about("z", frame.yaw)
    ahead, legs = upright[:, :, 0], len(character.legs)
    shoulder = float(np.mean([abs(character.origin(limb.links[0])[1]) for limb in character.holders]))
    sides = np.array([character.holders[g.leg - legs].side for g in holds.grips])
    apart = -sum(limb.side * (path.place * ahead).sum(1)
                 for limb, path in zip(character.holders, hands_at(model, holds, time), strict=True))
    twist = np.arctan(apart / (TWIST * shoulder))
    bears = gaussian_filter1d(support.share @ sides, LIST_SMOOTH / DT, mode="nearest")
    raised = LIST * np.interp(time + LEADS, time, bears)
    drive = (np.gradient(wished.velocity, DT, axis=0) * ahead).sum(1) / gravity
    swing = dangling(drive, LEG_PACE * np.sqrt(gravity / 9.81 * 0.93 / character.leg_length), LEG_DAMPING)
    thigh = np.empty((len(time), legs))
    for k, leg in enumerate(character.legs):
        thigh[:, k] = THIGH + swing + leg.side * SCISSORS * twist / USUAL_TWIST
    knee = np.maximum(KNEE + KNEE_GIVES * (thigh - THIGH), np.radians(8))
    level = np.swapaxes(wished.rotation, 1, 2) @ upright
    return Hang(level, twist, raised, thigh, knee)


def _height(model: KinematicModel, frame: PlanReference, hung: Array, holds: Handholds, support: Support, arm: float) -> Array:
    """Height at which arms that bear are nearly straight, and every hand reaches what it holds. (n,) m."""
    placed, time = model.place(hung), frame.time
    rotation = frame.at(time).rotation
    out, least = np.zeros(len(time)), np.full(len(time), -np.inf)
    for k, grip in enumerate(holds.grips):
        limb = model.character.holders[grip.leg - len(model.character.legs)]
        shoulder = (rotation @ (placed.origin[:, limb.links[0]] - placed.com)[..., None])[..., 0]
        aside = ((grip.position[:2] - frame.com[:, :2] - shoulder[:, :2])**2).sum(1)
        straight, longest = (grip.position[2] - shoulder[:, 2] - np.sqrt(np.maximum((share * arm)**2 - aside, (0.5 * arm)**2))
                             for share in (STRAIGHT, STRAIGHTEST))
        out += support.share[:, k] * straight
        held = (time > grip.strike - HELD) & (time < grip.lift + HELD)
        least[held] = np.maximum(least[held], longest[held])
    out = gaussian_filter1d(out, RISE_SMOOTH / DT, mode="nearest")
    higher = maximum_filter1d(np.maximum(least - out, 0.0), 2 * int(RISE_SMOOTH / DT) + 1)
    return out + gaussian_filter1d(higher, RISE_SMOOTH / DT, mode="nearest")


def _inertia(model: KinematicModel, poses: Array, rotation: Array) -> Array:
    return np.swapaxes(rotation, 1, 2) @ model.centroidal(poses).inertia @ rotation

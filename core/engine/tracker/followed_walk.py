"""Walks that a walker follows: motion constraints and poses of a style at one speed."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, fields

from ...character.kinematic_model import KinematicModel
from ...errors import FootfallError
from ...motion import Motion
from ...task import Path, SpeedProfile, Task
from ..centroidal.body import choose_style
from ..centroidal.generate import generate as generate_planned
from ..shared.character import load_task_character
from ..shared.scaling import HumanScaleTask, Scale, to_human_scale
from .biped import PlanarBiped
from .constraints import StepConstraints, fit_walk
from .contact_ground import ContactGround
from .ground_gaits import GroundGaits
from .input_cycle import InputCycle
from .input_walk import SagittalWalk, StepSamples, read_steps
from .side_view import SideView
from .simulation import PlanarSimulation
from .walker import PlanarWalker

# Length of the input walk at human scale [s], three strides, of which the first begins from the
# run-up; and its frame rate [1/s], between whose frames poses are interpolated.
INPUT_TIME = 3.4
INPUT_FPS = 60.0
# Shares of the progress at which the input and the simulation are done: the latter takes longest.
INPUT_DONE = 0.3
SIMULATION_DONE = 0.8
# Largest number of input walks that are kept for further clips: those of a session, and as many.
INPUT_CACHE_SIZE = 16

# Input walks by everything that they depend on.
_input_cache: dict[bytes, Motion] = {}


@dataclass(frozen=True)
class TrackedBody:
    """A body at human scale, and the biped that stands for it.

    Args:
        scaled: task and character.
        model: of the character.
        biped: its side view with dynamics.
    """

    scaled: HumanScaleTask
    model: KinematicModel
    biped: PlanarBiped

    @staticmethod
    def from_task(task: Task) -> TrackedBody:
        """Return the body of a task.

        Raises:
            TaskError: it does not have two human legs.
        """
        scaled = to_human_scale(task, load_task_character(task))
        model = KinematicModel(scaled.character)
        view = SideView.from_model(model)
        return TrackedBody(scaled, model, PlanarBiped(view, scaled.task.gravity))


@dataclass(frozen=True)
class FollowedWalk:
    """A walk at one speed.

    Args:
        speed: at human scale [m/s].
        steps: samples of a step on the left and on the right foot.
        gait: constraints of these steps.
        cycle: poses of the body.
    """

    speed: float
    steps: tuple[StepSamples, ...]
    gait: tuple[StepConstraints, ...]
    cycle: InputCycle

    def make_walker(self, body: TrackedBody, ground: ContactGround) -> PlanarWalker:
        """Return a walker that follows the walk on a ground along its path.

        It sees the shape of the ground at rest; that the ground moves or yields, it only feels.
        """
        simulation = PlanarSimulation(body.biped, ground, body.scaled.task.friction)
        gaits = GroundGaits(body.biped, self.steps)
        return PlanarWalker(
            simulation, self.gait, ground_gaits=gaits, sees_ground=ground.is_foreseeable
        )


def make_walk(task: Task, body: TrackedBody, speed: float) -> FollowedWalk:
    """Return the walk of the style of a task, as the planned engine makes it.

    Args:
        task: task.
        body: its body.
        speed: at human scale [m/s].

    Raises:
        TaskError: the walk has phases without contact, or no phase.
    """
    motion = generate_input(task, body.scaled, speed)
    walk = SagittalWalk.from_motion(motion, body.scaled.character)
    steps = read_steps(walk, body.biped.side_view)
    gait = fit_walk(body.biped, steps)
    cycle = InputCycle.from_motion(motion, body.model, body.biped, steps)
    return FollowedWalk(speed, steps, gait, cycle)


@dataclass(frozen=True)
class InputCourse:
    """Course of a walk to follow.

    Args:
        seconds: its length [s].
        begins_standing: whether it begins in a stand.
        length: of the path at whose end it stops [m]; None if it does not stop.
    """

    seconds: float = INPUT_TIME
    begins_standing: bool = False
    length: float | None = None


def generate_input(
    task: Task, scaled: HumanScaleTask, speed: float, course: InputCourse = InputCourse()
) -> Motion:
    """Return a walk of the planned engine on level ground along x, at human scale.

    Args:
        task: with the style.
        scaled: the task at human scale.
        speed: at human scale [m/s].
        course: begin, end and length, at human scale.
    """
    scale = scaled.scale
    length = 2 * speed * course.seconds if course.length is None else course.length
    speed = speed * scale.length / scale.time
    seconds = course.seconds * scale.time
    walk = Task(
        Path([[0.0, 0.0], [length * scale.length, 0.0]]),
        SpeedProfile(speed),
        start="standing" if course.begins_standing else "moving",
        stop_at_end=course.length is not None,
        style=task.style,
        upper_style=task.upper_style,
        mixed_styles=task.mixed_styles,
        knobs=task.knobs,
        stride_length=task.stride_length,
        seconds=seconds,
        fps=INPUT_FPS / scale.time,
        gravity=task.gravity,
        mass=task.mass,
        character=task.character,
    )
    motion = _plan_input(walk, scaled)
    return Scale(1 / scale.length, 1 / scale.time).to_task_scale(motion)


def _plan_input(walk: Task, scaled: HumanScaleTask) -> Motion:
    """Return the motion of the task of an input walk, from the cache if it is there.

    Files of styles and characters may change, so that their contents are part of the key.
    """
    character = scaled.character
    shape = [getattr(character, f.name) for f in fields(character)]
    key = pickle.dumps((walk, choose_style(scaled.task, character), shape))
    if key not in _input_cache:
        motion = generate_planned(walk)
        while len(_input_cache) >= INPUT_CACHE_SIZE:
            del _input_cache[next(iter(_input_cache))]
        _input_cache[key] = motion
    return _input_cache[key]


@dataclass(frozen=True)
class WalkSeries:
    """Walks of a style at several speeds, each made when it is first needed.

    Args:
        task: task.
        body: its body.
        speeds: increasing, at human scale [m/s].
    """

    task: Task
    body: TrackedBody
    speeds: tuple[float, ...]
    _walks: dict[int, FollowedWalk | FootfallError] = field(default_factory=dict, repr=False)

    def find(self, number: int) -> FollowedWalk:
        """Return the walk at one of the speeds.

        Raises:
            FootfallError: the style has none there.
        """
        if number not in self._walks:
            try:
                self._walks[number] = make_walk(self.task, self.body, self.speeds[number])
            except FootfallError as error:
                self._walks[number] = error
        walk = self._walks[number]
        if isinstance(walk, FootfallError):
            raise walk
        return walk

    def find_next(self, number: int, speed: float, changes: int = 1) -> int:
        """Return the number of the walk that follows walk `number` toward a speed [m/s].

        It is that of the present walk where the style has none.

        Args:
            number: of the present walk.
            speed: [m/s].
            changes: largest difference of the numbers.
        """
        nearest = min(range(len(self.speeds)), key=lambda k: abs(self.speeds[k] - speed))
        following = min(max(nearest, number - changes), number + changes)
        try:
            self.find(following)
        except FootfallError:
            return number
        return following

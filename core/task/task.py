"""One wish, whole: everything that an engine needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ..character.recognition.skeleton import Skeleton
from ..clip.style.knobs import Knobs
from ..clip.style.recipe import Recipe, StyleShare
from ..errors import TaskError
from ..terrain import FlatGround, Ground
from .bars import MonkeyBars
from .facing import PathFacing
from .facing_offset import FacingOffset
from .forbidden import AllowedGround, ForbiddenArea
from .hurdle import Hurdle
from .jump import Jump
from .key_pose import KeyPose
from .look import GazeTarget
from .path import Path
from .pinned_step import PinnedStep
from .profile import Profile
from .projectile import Projectile
from .push import Push
from .speed import SpeedProfile
from .standing_pose import StandingPose
from .stones import SteppingStones

Start = Literal["moving", "standing"]
Tread = Literal["whole", "forefoot"]
HOP_GAITS = "hop left", "hop right"  # gaits of a simulated body, on leg 0 and on leg 1


@dataclass(frozen=True)
class Task:
    """What to generate.

    Args:
        character: the name of a built-in one, the path of a body's file (.toml) or a robot's
            (MJCF .xml, .urdf), or the skeleton of a rig.
        path: where to go; the clip begins at its first point.
        seconds: length of the clip.
        fps: frames per second.
        style: name of a style on the shelf, the path of a style's file (.toml), or of a clip that
            shows it (.bvh). Bodies on four legs have a shelf of their own, without clips.
        mixed_styles: other styles, named in the same way,
            with the shares of them that are mixed in.
        upper_style: a style, named in the same way, whose chest, arms and head are taken, or a clip
            in which nobody walks, whose posture is held; None for the style's own.
        knobs: by which the style is turned into another one.
        gait: of a body that has a choice of them, such as "trot", kept at all speeds, or of a
            simulated one "hop left" or "hop right"; None for those that its speed brings about.
        start: already under way at the first frame, or from standing.
        stop_at_end: come to a halt where the path ends, instead of going on straight.
        friction: coefficient between soles and ground.
        gravity: m/s^2, downward.
        mass: of the whole body in kg; None for its own. Only pushes tell a
            heavy body from a light one.
        seed: of every random choice.
        stride_length: length of two steps in m over time, instead of what the style has; steps take
            the time that this asks for.
        step_width_factor: of the gait over time, as a multiple of the style's:
            0 puts the feet on one line.
        facing_offset: which way the body faces against its path over time: sidewards, backward, or
            round and round. Then it goes no faster than feet can follow.
        facing: the same by where on its path the body is, as headings in the world; None for along
            the path. Not together with `facing_offset`.
        pushes: from outside, in any order.
        projectiles: balls thrown at the body, in any order;
            only the engine 'preview' knows of them.
        pinned_steps: footsteps that are to be where they are, in any order;
            the others are planned around them.
        hurdles: to be leapt over.
        forbidden_areas: ground that feet are set down beside.
            A footstep that is kept stays, even there.
        stepping_stones: that feet step on as long as there are any near the path;
            None for steps anywhere.
        jumps: in any order. A body that jumps stands in between: such a task begins from standing,
            does nothing but jump along its path, and is not pushed; with the engine 'preview' it
            leaps off one foot as it goes. Hurdles and stones do not go together either.
        monkey_bars: to be gone along hand over hand, at the task's speed or as a body swings where
            that is 0. Such a task begins hanging at rest (`start` standing) and does nothing else;
            None for none.
        tread: what of a foot may stand where there is no room for all of it, as on narrow stairs:
            nothing, so that only "whole" feet stand, or its ball and toes with the heel free
            ("forefoot"). Where there is room, whole feet stand in any case; on stepping stones and
            in jumps they always do.
        gaze: what the head turns to, as far as the neck lets it; None for where the style has it.
        key_poses: poses of chest, arms and head at chosen moments, in any order.
        recipe: all of style, mixed, upper and knobs; made of them.
        first_pose, last_pose: poses that the clip begins and ends in, at rest; both feet stand
            there where the pose has them.
    """

    path: Path
    speed: SpeedProfile
    character: str | Skeleton = "humanoid"
    ground: Ground = field(default_factory=FlatGround)
    seconds: float = 10.0
    fps: float = 30.0
    style: str = "natural"
    gait: str | None = None
    engine: str = "centroidal"
    start: Start = "moving"
    stop_at_end: bool = True
    friction: float = 1.0
    gravity: float = 9.81
    mass: float | None = None
    seed: int = 0
    name: str = "task"
    stride_length: Profile | None = None
    step_width_factor: Profile = field(default_factory=lambda: Profile("width", 1.0))
    facing_offset: FacingOffset = field(default_factory=lambda: FacingOffset(0.0))
    facing: PathFacing | None = None
    pushes: tuple[Push, ...] = ()
    projectiles: tuple[Projectile, ...] = ()
    pinned_steps: tuple[PinnedStep, ...] = ()
    hurdles: tuple[Hurdle, ...] = ()
    forbidden_areas: tuple[ForbiddenArea, ...] = ()
    stepping_stones: SteppingStones | None = None
    jumps: tuple[Jump, ...] = ()
    tread: Tread = "whole"
    first_pose: StandingPose | None = None
    last_pose: StandingPose | None = None
    monkey_bars: MonkeyBars | None = None
    knobs: Knobs = field(default_factory=Knobs)
    mixed_styles: tuple[StyleShare, ...] = ()
    upper_style: str | None = None
    gaze: GazeTarget | None = None
    key_poses: tuple[KeyPose, ...] = ()
    recipe: Recipe = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value, minimum in (
            ("length of the clip in seconds", self.seconds, 0.1),
            ("frame rate", self.fps, 1.0),
            ("friction coefficient", self.friction, 0.05),
            ("gravity", self.gravity, 0.1),
        ):
            if not (np.isfinite(value) and value >= minimum):
                raise TaskError(f"The {name} is {value:g}; it must be at least {minimum:g}.")
        if self.mass is not None and not (np.isfinite(self.mass) and self.mass > 0):
            raise TaskError(f"The mass is {self.mass:g} kg; it must be above 0.")
        if self.stride_length is not None and (self.stride_length.values <= 0).any():
            raise TaskError(
                f"The stride is {self.stride_length.values.min():g} m; it must be longer than 0."
            )
        if self.seconds > 3600:
            raise TaskError(f"The clip would last {self.seconds:g} s; an hour is the longest.")
        if self.fps > 1000:
            raise TaskError(
                f"The frame rate is {self.fps:g}; at most 1000 frames a second make sense."
            )
        if self.start not in ("moving", "standing"):
            raise TaskError(f"The start is {self.start!r}; it must be 'moving' or 'standing'.")
        if self.tread not in ("whole", "forefoot"):
            raise TaskError(
                f"The tread is {self.tread!r}; it must be 'whole', for feet that only stand with "
                "all of the sole, or 'forefoot', for feet that stand on ball and toes where the "
                "whole sole has no room."
            )
        self._check_combination()
        object.__setattr__(
            self, "recipe", Recipe(self.style, self.mixed_styles, self.upper_style, self.knobs)
        )

    def _check_combination(self) -> None:
        can_jump_moving = self.engine == "preview"  # which jumps out of whatever it does
        for is_requested, description in (
            (self.jumps and not can_jump_moving, "with jumps"),
            (self.monkey_bars is not None, "with bars, at which the body hangs at rest,"),
            (self.first_pose is not None, "that begins in a given pose"),
        ):
            if is_requested and self.start != "standing":
                raise TaskError(
                    f"A clip {description} begins from standing; set its start to 'standing'."
                )
        features = {
            "pushes": self.pushes,
            "projectiles": self.projectiles,
            "hurdles": self.hurdles,
            "stepping stones": self.stepping_stones is not None,
            "forbidden ground": self.forbidden_areas,
            "footsteps that are kept": self.pinned_steps,
            "turns against the path": self.facing_offset.values.any() or self.has_path_facing,
            "something to look at": self.gaze,
            "poses to strike": self.key_poses,
            "first and last poses": self.first_pose or self.last_pose,
            "jumps": self.jumps,
        }
        for exclusive, action in (("bars", "hangs on bars"), ("jumps", "jumps")):
            conflicts = [
                name
                for name, is_requested in features.items()
                if is_requested and name != exclusive
            ]
            if conflicts and (
                self.jumps and not can_jump_moving
                if exclusive == "jumps"
                else self.monkey_bars is not None
            ):
                raise TaskError(
                    f"A character that {action} cannot do anything else as yet; take out the "
                    f"{conflicts[0]}, or the {exclusive}."
                )
        if self.has_path_facing and self.facing_offset.values.any():
            raise TaskError(
                "The body is told twice which way to face: by time, against its path, and by "
                "where it is on it. Take out one of the two."
            )
        if self.hurdles and self.stepping_stones is not None:
            raise TaskError(
                "Hurdles cannot stand between stepping stones as yet; take out the hurdles or the "
                "stones."
            )

    @property
    def has_path_facing(self) -> bool:
        """Whether places of the path tell which way the body faces."""
        return self.facing is not None and self.facing.has_headings

    @property
    def allowed_ground(self) -> Ground:
        """The ground as far as feet may stand on it: missing where that is forbidden."""
        return (
            AllowedGround(self.ground, self.forbidden_areas)
            if self.forbidden_areas
            else self.ground
        )

    @property
    def frames(self) -> int:
        """Number of frames, the first at time 0."""
        return int(round(self.seconds * self.fps)) + 1
